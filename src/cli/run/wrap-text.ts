/**
 * The cells that a character takes, never fewer than a terminal gives it: all beyond the alphabets of Europe and the Near
 * East count as wide.
 */
function widthOf(character: string): number {
  const code = character.codePointAt(0) ?? 0;
  // The selector that makes an emoji of a letter makes it wide.
  if (code === 0xfe_0f) return 1;
  if (code === 0x20_0c || code === 0x20_0d || (code >= 0x3_00 && /^[\p{Mn}\p{Me}]$/u.test(character))) return 0;
  return code < 0x11_00 ? 1 : 2;
}

function wrapLine(text: string, columns: number): string[] {
  const lines: string[] = [];
  let [line, width, blank] = ["", 0, -1];
  for (const character of text) {
    const cells = widthOf(character);
    if (width + cells > columns && line !== "") {
      // At a blank if there is one; a longer word is cut.
      const rest = character === " " || blank <= 0 ? "" : line.slice(blank + 1);
      lines.push((rest === "" && blank !== line.length - 1 ? line : line.slice(0, blank)).trimEnd());
      line = rest;
      width = [...rest].reduce((sum, each) => sum + widthOf(each), 0);
      blank = -1;
      if (character === " ") continue;
    }
    // Leading blanks are no place to break at.
    if (character === " " && line.trim() !== "") blank = line.length;
    line += character;
    width += cells;
  }
  return [...lines, line];
}

/** Breaks printable text into lines of at most so many cells, at blanks where it can. Nothing but blanks is left out. */
export const wrapText = (text: string, columns: number): string[] =>
  text
    .replaceAll(/\n{3,}/g, "\n\n")
    .split("\n")
    .flatMap((line) => wrapLine(line, Math.max(2, columns)));
