import type { CheckResult } from "./check-result.ts";

/** What came of a check as text: why it does not hold, if so, and how much was looked at. */
export function checkText(result: Omit<CheckResult, "toString">): string {
  const { verdict, violation, sometimes, limitsHit, states, transitions, depth, seconds } = result;
  const size = `${states} states, ${transitions} transitions, depth ${depth}, ${seconds.toFixed(1)} s`;
  if (violation !== null) return `${violation.toString()}\nfound in ${size}`;
  const unreached = sometimes.filter(({ reached }) => !reached).map(({ name }) => name);
  if (verdict === "violated") return `violated: never true: ${unreached.join(", ")}\nin ${size}`;
  if (verdict === "holds") return `holds: ${size}`;
  const cut = limitsHit.filter((limit) => limit !== "walks");
  // A limit that was hit is what can be raised; walks alone are never more than walks.
  const why = cut.length === 0 ? "only walks were made, which prove nothing" : `cut short by ${cut.join(", ")}`;
  const open = unreached.length === 0 ? "" : `\nnot true so far: ${unreached.join(", ")}`;
  return `inconclusive (${why}): ${size}${open}`;
}
