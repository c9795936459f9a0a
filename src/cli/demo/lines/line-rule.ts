import { evidenceOf } from "../evidence.ts";
import type { Finding, Severity } from "../finding.ts";
import type { Language, SourceFile } from "../source-file.ts";
import { scrub, type ScrubbedLine } from "./scrub.ts";

/** One thing to look for line by line, where no parser helps. */
export interface LineRule {
  readonly name: string;
  readonly languages: readonly Language[];
  readonly severity: Severity;
  /** Looked for in the line without comments and quoted texts. */
  readonly bare?: RegExp;
  /** Looked for in the line without comments. With `bare`, both must be there. */
  readonly code?: RegExp;
  /** If this is in the line without comments, nothing is said. */
  readonly unless?: RegExp;
  readonly message: string;
}

const isHit = (rule: LineRule, line: ScrubbedLine): boolean =>
  (rule.bare === undefined || rule.bare.test(line.bare)) &&
  (rule.code === undefined || rule.code.test(line.code)) &&
  rule.unless?.test(line.code) !== true;

/** Lines longer than this are data, not code. */
const LINE_LENGTH_MAX = 2_000;

/** The lines of a file that line rules look at. */
export const scrubbedLines = (file: SourceFile): ScrubbedLine[] =>
  scrub(file.text, file.language).filter(({ text }) => text.length <= LINE_LENGTH_MAX);

/** Runs line rules over scrubbed lines of one file. */
export const runLineRules = (rules: readonly LineRule[], file: SourceFile, lines: readonly ScrubbedLine[]): Finding[] =>
  rules
    .filter(({ languages }) => languages.includes(file.language))
    .flatMap((rule) =>
      lines
        .filter((line) => isHit(rule, line))
        .map(({ line, text }) => ({
          rule: rule.name,
          severity: rule.severity,
          path: file.path,
          line,
          message: rule.message,
          evidence: evidenceOf(text, []),
        })),
    );
