import { compareFindings, compareTexts, type Finding, type Severity } from "../finding.ts";

/** What one reviewer delivered. */
export interface ReviewerFindings {
  readonly name: string;
  readonly findings: readonly Finding[];
}

/** A finding and who found it. */
export interface ReviewedFinding extends Finding {
  readonly reviewer: string;
}

/** How many findings there are of each severity. */
export type Counts = Readonly<Record<Severity, number>>;

/** Whether the second says more of the same thing. */
const saysMore = (known: Finding, other: Finding): boolean =>
  compareFindings(other, known) < 0 || (known.related === undefined && other.related !== undefined);

/**
 * The findings of all reviewers in one list, worst first, then by path and line. The same finding of the same reviewer
 * twice, as when it delivered again after it was told more, is kept once: the worse, or the one that knows more.
 */
export const combineFindings = (reviewers: readonly ReviewerFindings[]): ReviewedFinding[] => {
  const byPlace = new Map<string, ReviewedFinding>();
  for (const { name, findings } of reviewers) {
    for (const finding of findings) {
      const key = JSON.stringify([name, finding.rule, finding.path, finding.line]);
      const known = byPlace.get(key);
      if (known === undefined || saysMore(known, finding)) byPlace.set(key, { ...finding, reviewer: name });
    }
  }
  return [...byPlace.values()].toSorted((a, b) => compareFindings(a, b) || compareTexts(a.reviewer, b.reviewer));
};

/** Counts findings by severity. */
export const countFindings = (findings: readonly Finding[]): Counts => {
  const counts = { high: 0, medium: 0, low: 0 };
  for (const { severity } of findings) counts[severity] += 1;
  return counts;
};
