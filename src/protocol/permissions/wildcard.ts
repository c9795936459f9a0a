/**
 * Whether `text` is what `pattern` says, where `*` stands for any characters, none too. In linear time and space for
 * what people write: it never goes back further than to the last `*`.
 */
export function wildcardMatches(pattern: string, text: string): boolean {
  let [at, place] = [0, 0];
  let star = -1;
  let resume = 0;
  while (place < text.length) {
    if (pattern[at] === "*") {
      star = at;
      resume = place;
      at += 1;
    } else if (at < pattern.length && pattern[at] === text[place]) {
      at += 1;
      place += 1;
    } else if (star >= 0) {
      at = star + 1;
      resume += 1;
      place = resume;
    } else return false;
  }
  while (pattern[at] === "*") at += 1;
  return at === pattern.length;
}
