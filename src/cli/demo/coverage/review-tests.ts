import { applyHints, type HintEffects } from "../apply-hints.ts";
import { evidenceOf } from "../evidence.ts";
import { compareFindings, type Finding } from "../finding.ts";
import type { Hint } from "../hint.ts";
import { testLineFindings } from "../lines/test-lines.ts";
import type { Project, UnparsableFile } from "../project.ts";
import type { Review, ReviewOptions } from "../review.ts";
import { runRules } from "../rule.ts";
import { testFileRules } from "./test-file-rules.ts";
import { testReach } from "./test-reach.ts";
import { moduleCoverage, unnamedExports, untestedModule, type ModuleCoverage } from "./untested-modules.ts";

/** A review of the tests, with how many modules do something and how many of them a test imports. */
export interface TestReview extends Review {
  readonly modules: number;
  readonly tested: number;
}

const unparsableTest = ({ file, line, message }: UnparsableFile): Finding => ({
  rule: "unparsable",
  severity: "high",
  path: file.path,
  line,
  message: `The parser gave up here, so this test can't run: ${message}`,
  evidence: evidenceOf(file.text.split(/\r\n|\n|\r/)[line - 1] ?? "", []),
});

/** One finding in place of one per module, when there is no test at all. */
const noTests = (coverage: readonly ModuleCoverage[], findings: readonly Finding[]): Finding[] => {
  const [first] = findings;
  if (first === undefined) return [];
  const message = `No test was found for ${coverage.length} modules that export something to test. The first of them is named here.`;
  return [{ ...first, rule: "no-tests", severity: "medium", message }];
};

const hintOf = ({ module, own }: ModuleCoverage, from: string): Hint => ({
  from,
  topic: "untested",
  path: module.file.path,
  line: module.lineAt(own[0]?.node.start ?? 0),
  text: "no test imports it",
});

/** What doesn't depend on what others say. */
const coverageOf = (project: Project) => {
  const reach = testReach(project);
  const coverage = moduleCoverage(project, reach);
  const rules = testFileRules(project);
  const others = [
    ...coverage.flatMap((one) => (one.reach === "direct" ? (unnamedExports(one, reach.names) ?? []) : [])),
    ...project.modules.filter(({ role }) => role === "test").flatMap((module) => runRules(rules, module)),
    ...project.unparsable.filter(({ role }) => role === "test").map(unparsableTest),
    ...testLineFindings(project.smaller),
  ];
  return { reach, coverage, untested: coverage.filter((one) => one.reach !== "direct"), others };
};

/**
 * The modules that no test imports. A part of a tested module is tested with it, unless others say that it matters;
 * and in a project without any test, modules are named one by one only if they matter.
 */
const untestedFindings = (project: Project, hints: readonly Hint[]): Finding[] => {
  const { reach, coverage, untested } = project.once(coverageOf);
  const judged = applyHints(untested.map(untestedModule), hints, () => EFFECTS);
  const mattering = judged.filter(({ related }) => related !== undefined);
  const hasTests = [...project.modules, ...project.unparsable].some(({ role }) => role === "test");
  if (!hasTests) return [...noTests(coverage, judged), ...mattering];
  return judged.filter(({ path, related }) => related !== undefined || !reach.parts.has(path));
};

const EFFECTS: HintEffects = { auth: "raises", secret: "raises", entry_point: "raises", hot_path: "raises" };

/**
 * Looks for what no test would notice: modules and functions that no test imports, and tests that assert nothing or do
 * not run. Told by others, it judges untested code that handles credentials or serves requests worse.
 */
export const reviewTests = (project: Project, options: ReviewOptions = {}): TestReview => {
  const { hints = [], from = "TestReviewer" } = options;
  const { coverage, untested, others } = project.once(coverageOf);
  const findings = [...untestedFindings(project, hints), ...others];
  return {
    findings: findings.toSorted(compareFindings),
    hints: untested.map((one) => hintOf(one, from)),
    smaller: project.smaller.map(({ file }) => file.path),
    modules: coverage.length,
    tested: coverage.length - untested.length,
  };
};
