/** Words that stand before or after a member's name in the name of a move. */
const words: ReadonlySet<string> = new Set([
  ..."all of for to cancels retries shuts replaces frees puts adds behind and with down by".split(" "),
  ..."reads agrees refuses tries fails is ends hears calls delivers completes submits asks writes comes times fires takes gives keeps interrupts invites host invite".split(
    " ",
  ),
]);

/**
 * A member's name as it stands in the name of a move. One that could be read as a part of another move, such as a member
 * called `an old run of A`, stands in quotes: two moves of one state never share a name.
 */
export const inMove = (name: string): string =>
  name.includes(" ") && name.split(" ").some((word) => words.has(word)) ? JSON.stringify(name) : name;

/** What one of several open calls does, as it stands in the name of a move: the first call needs no number. */
export const numbered = (text: string, index: number): string => (index === 0 ? text : `${text} ${index + 1}`);
