import { oneLine } from "../evidence.ts";

const LENGTH_MAX = 1_000;

/** A text as inline code, whatever is in it: the fence is longer than any run of backticks inside. */
export const codeSpan = (text: string): string => {
  const plain = oneLine(text, LENGTH_MAX);
  if (plain === "") return "(empty line)";
  const longest = Math.max(0, ...[...plain.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  // A backtick at either end needs a blank between it and the fence, which Markdown takes away again.
  const padding = plain.startsWith("`") || plain.endsWith("`") ? " " : "";
  return `${fence}${padding}${plain}${padding}${fence}`;
};

/** A text that means itself in Markdown: no emphasis, links, HTML, entities or table cells come of it. */
export const escapeText = (text: string): string =>
  oneLine(text, LENGTH_MAX).replaceAll(/[\\`*_{}[\]<>#|~!&$@]/g, "\\$&");

/** A row of a table. Cells are Markdown already; a bar inside inline code would still end a cell. */
export const tableRow = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
