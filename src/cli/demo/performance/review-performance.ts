import { applyHints, type HintEffects } from "../apply-hints.ts";
import { compareFindings, lowered, type Finding } from "../finding.ts";
import type { Hint } from "../hint.ts";
import { performanceLineFindings } from "../lines/performance-lines.ts";
import type { Project } from "../project.ts";
import type { Review, ReviewOptions } from "../review.ts";
import { runRules, type Rule } from "../rule.ts";
import type { Node } from "../syntax/node.ts";
import { blockingRules } from "./blocking-rules.ts";
import { hotFunctions, type HotFunction } from "./hot-functions.ts";
import { loopRules } from "./loop-rules.ts";
import { memoryRules } from "./memory-rules.ts";
import { patternRules } from "./pattern-rules.ts";
import type { PerformanceRule } from "./performance-rule.ts";
import { scanRules } from "./scan-rules.ts";

const RULES: readonly PerformanceRule[] = [
  ...blockingRules,
  ...loopRules,
  ...scanRules,
  ...memoryRules,
  ...patternRules,
];

const bound = (hot: ReadonlyMap<Node, HotFunction>): Rule[] =>
  RULES.map(({ name, check }) => ({ name, check: (module) => check(module, hot) }));

/** One hint for each file on the way of requests: its handler, or the function that one calls. */
const hotHints = (hot: ReadonlyMap<Node, HotFunction>, from: string): Hint[] => {
  const hints = new Map<string, Hint>();
  for (const { fn, module, label, place, isHandler } of hot.values()) {
    const { path } = module.file;
    if (hints.has(path)) continue;
    const text = isHandler ? `serves requests (${label})` : `runs for every request (${label} at ${place})`;
    hints.set(path, { from, topic: "hot_path", path, line: module.lineAt(fn.start), text });
  }
  return [...hints.values()];
};

/** Tests are left out: nobody waits for one longer than once. */
const parsedFindings = (project: Project): Finding[] => {
  const rules = bound(project.once(hotFunctions));
  return project.modules.flatMap((module) => {
    if (module.role === "test") return [];
    const findings = runRules(rules, module);
    return module.role === "example" ? findings.map(lowered) : findings;
  });
};

const otherFindings = (project: Project): Finding[] =>
  project.smaller.flatMap(({ file, role }) => performanceLineFindings(file, role));

const EFFECTS: HintEffects = { entry_point: "raises", untested: "relates", auth: "relates" };

/**
 * Looks for what costs time and memory: blocking calls, loops that do too much, collections that grow for ever. What
 * runs for every request counts more. Told by others, it judges findings where requests enter worse, and says which
 * are in untested or credential-handling code.
 */
export const reviewPerformance = (project: Project, options: ReviewOptions = {}): Review => {
  const { hints = [], from = "PerfAnalyzer" } = options;
  const hot = project.once(hotFunctions);
  const parsed = project.once(parsedFindings);
  const others = project.once(otherFindings);
  const judged = applyHints(parsed, hints, () => EFFECTS);
  return {
    findings: [...judged, ...others].toSorted(compareFindings),
    hints: hotHints(hot, from),
    smaller: project.smaller.map(({ file }) => file.path),
  };
};
