import { printable } from "../../printable.ts";
import { countFindings, type ReviewedFinding } from "./combine-findings.ts";

/** What is said at the end, and where. */
export interface SummaryOptions {
  /** Worst first. */
  readonly findings: readonly ReviewedFinding[];
  /** How many files were there to review. */
  readonly files: number;
  /** Where the report is, as the user would name it. */
  readonly report: string;
  /** Columns of the terminal; null where the lines go to a file or a pipe. */
  readonly columns: number | null;
}

/** Findings that a terminal shows, and that a file gets; the report has all. */
const [shownMax, writtenMax] = [5, 15];

/** The end of the demo: the worst findings, a line each, then how many there are, and last where all of them stand. */
export function terminalSummary({ findings, files, report, columns }: SummaryOptions): readonly string[] {
  const place = `The report: ${printable(report)}`;
  if (files === 0) return ["", "Nothing to review: the folder has no files to look at.", place];
  const { high, medium, low } = countFindings(findings);
  const shown = findings.slice(0, columns === null ? writtenMax : shownMax);
  const rest = findings.length - shown.length;
  return [
    "",
    ...shown.map((finding) => `  ${lineOf(finding, columns === null ? Infinity : columns - 2)}`),
    ...(rest > 0 ? [`  and ${rest} more`] : []),
    `${findings.length} findings: ${high} high, ${medium} medium, ${low} low`,
    place,
  ];
}

function lineOf({ severity, path, line, message }: ReviewedFinding, width: number): string {
  const text = `${severity.padEnd(6)} ${printable(`${path}:${line}`)}  ${printable(message)}`;
  const characters = text.length <= width ? null : [...text];
  if (characters === null || characters.length <= width) return text;
  return `${characters.slice(0, Math.max(0, width - 1)).join("")}…`;
}
