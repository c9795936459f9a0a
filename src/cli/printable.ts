/** Joiners of letters and emoji: the only format characters that show something and steer nothing. */
const joiners: ReadonlySet<string> = new Set(["\u200c", "\u200d"]);

/** What a terminal may take for a command, or what changes how the rest of the line is read. */
const commanding = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

const escaped = (character: string): string =>
  joiners.has(character) ? character : `\\u{${character.codePointAt(0)?.toString(16) ?? ""}}`;

/** How a text is made fit. */
export interface PrintableOptions {
  /** Longer texts are cut and end in an ellipsis. */
  readonly charactersMax?: number;
}

/**
 * A name, prompt, message or answer as one line that is safe on every terminal: blanks and line ends are single blanks,
 * and whatever could move the cursor, change colours or turn the reading direction is shown as `\u{...}`.
 */
export function printable(text: string, { charactersMax = Infinity }: PrintableOptions = {}): string {
  // Far beyond what is shown nothing is looked at: a text may have megabytes.
  const near = charactersMax === Infinity ? text : text.slice(0, charactersMax * 4 + 64);
  const line = near
    .replaceAll(/[ \t\r\n]+/g, " ")
    .trim()
    .replaceAll(commanding, escaped);
  const characters = charactersMax === Infinity || line.length <= charactersMax ? null : [...line];
  if (characters === null || characters.length <= charactersMax) return near === text ? line : `${line}…`;
  return `${characters.slice(0, Math.max(0, charactersMax - 1)).join("")}…`;
}

/** The same for a text of several lines; its line ends stay. */
export const printableLines = (text: string): string =>
  text
    .split(/\r?\n/)
    .map((line) => line.replaceAll("\t", "  ").replaceAll(commanding, escaped).trimEnd())
    .join("\n");
