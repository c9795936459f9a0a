import { compareTexts, raised, type Finding, type Severity } from "./finding.ts";
import type { Hint, HintTopic } from "./hint.ts";

/** What a hint about a finding's file does to the finding. */
export type HintEffect = "raises" | "relates";

/** Which topics matter to a reviewer, and how. */
export type HintEffects = Readonly<Partial<Record<HintTopic, HintEffect>>>;

/** Remarks of so many hints are quoted on one finding. */
const RELATED_MAX = 3;

const quote = ({ from, path, line, text }: Hint): string =>
  `${from}: ${text} at ${path}${line === undefined ? "" : `:${line}`}`;

/** One hint for each reviewer and topic: the first in the file speaks for the others. */
const strongest = (hints: readonly Hint[]): Hint[] => {
  const first = new Map<string, Hint>();
  for (const hint of hints) {
    const key = `${hint.topic} ${hint.from}`;
    const known = first.get(key);
    if (known === undefined || (hint.line ?? 0) < (known.line ?? 0)) first.set(key, hint);
  }
  return [...first.values()].toSorted((a, b) => compareTexts(a.from, b.from) || compareTexts(a.topic, b.topic));
};

const byPath = (hints: readonly Hint[]): ReadonlyMap<string, Hint[]> => {
  const groups = new Map<string, Hint[]>();
  for (const hint of hints) groups.set(hint.path, [...(groups.get(hint.path) ?? []), hint]);
  return groups;
};

/**
 * Judges findings again by what other reviewers know of their files: quotes it as `related`, and makes the finding one
 * step worse when a topic raises. Topics without an effect are left out.
 */
export const applyHints = (
  findings: readonly Finding[],
  hints: readonly Hint[],
  effectsOf: (finding: Finding) => HintEffects,
): Finding[] => {
  const groups = byPath(hints);
  return findings.map((finding) => {
    const effects = effectsOf(finding);
    const matching = strongest((groups.get(finding.path) ?? []).filter(({ topic }) => effects[topic] !== undefined));
    if (matching.length === 0) return finding;
    const isRaised = matching.some(({ topic }) => effects[topic] === "raises");
    const severity: Severity = isRaised ? raised(finding.severity) : finding.severity;
    return { ...finding, severity, related: matching.slice(0, RELATED_MAX).map(quote).join("; ") };
  });
};
