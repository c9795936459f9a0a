import type { MemberFacts } from "./facts.ts";
import type { TeamCounts } from "./state.ts";

/** The counts of a team after one member went from `before` to `after`. */
export function countMove(counts: TeamCounts, before: MemberFacts, after: MemberFacts): TeamCounts {
  const next = { ...counts };
  add(next, before, -1);
  add(next, after, 1);
  return next;
}

function add(counts: { -readonly [Key in keyof TeamCounts]: TeamCounts[Key] }, facts: MemberFacts, by: 1 | -1): void {
  if (facts.work === "completed") counts.completed += by;
  else if (facts.work === "failed") counts.failed += by;
  else if (facts.work === "cancelled") counts.cancelled += by;
  const present = facts.presence === "running" || facts.presence === "draining";
  if (present) counts.running += by;
  if (present && facts.work === "in_progress") counts.working += by;
  if (facts.presence === "idle") counts.idle += by;
  if (facts.presence === "shutdown") counts.shutdown += by;
}
