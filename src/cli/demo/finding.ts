/** How much a finding matters. */
export type Severity = "high" | "medium" | "low";

/** One fault at one place, as data that can travel as JSON. */
export interface Finding {
  readonly rule: string;
  readonly severity: Severity;
  /** Relative to the project, with forward slashes. */
  readonly path: string;
  /** Counted from 1. */
  readonly line: number;
  readonly message: string;
  /** The source line, trimmed, at most 160 characters, secrets masked. */
  readonly evidence: string;
  /** What other reviewers know about this place and how it changed the severity. */
  readonly related?: string;
}

/** From the worst down. */
export const SEVERITIES: readonly Severity[] = ["high", "medium", "low"];

/** One step worse; `high` stays. */
export const raised = (severity: Severity): Severity => (severity === "low" ? "medium" : "high");

/** The same finding, one step milder; `low` stays. */
export const lowered = (finding: Finding): Finding =>
  finding.severity === "low" ? finding : { ...finding, severity: finding.severity === "high" ? "medium" : "low" };

/** Orders texts by code unit, so that the order is the same on every machine. */
export const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Order of findings: worst first, then path, line, rule, text. Total, so that equal sets give equal lists. */
export const compareFindings = (a: Finding, b: Finding): number =>
  SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity) ||
  compareTexts(a.path, b.path) ||
  a.line - b.line ||
  compareTexts(a.rule, b.rule) ||
  compareTexts(a.message, b.message) ||
  compareTexts(a.evidence, b.evidence);
