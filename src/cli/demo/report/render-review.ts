import { compareTexts, SEVERITIES, type Severity } from "../finding.ts";
import type { Hint } from "../hint.ts";
import type { Project } from "../project.ts";
import { countFindings, type ReviewedFinding } from "./combine-findings.ts";
import { codeSpan, escapeText, tableRow } from "./markdown.ts";

/** All that a report is made of. */
export interface ReviewReport {
  /** What was reviewed, for the heading. */
  readonly title: string;
  readonly project: Project;
  readonly findings: readonly ReviewedFinding[];
  /** What the test reviewer counted; null when it did not deliver. */
  readonly stats: { readonly modules: number; readonly tested: number } | null;
  /** What the reviewers told each other. */
  readonly hints: readonly Hint[];
  /** Everyone who was asked, in order; with the reason if one did not deliver. */
  readonly reviewers: readonly { readonly name: string; readonly failure?: string }[];
}

/** Paths listed for each reason; the rest is counted. */
const LISTED_MAX = 20;

const HEADINGS: Readonly<Record<Severity, string>> = { high: "High", medium: "Medium", low: "Low" };

const place = (path: string, line: number): string => codeSpan(`${path}:${line}`);

const count = (amount: number, one: string, many = `${one}s`): string => `${amount} ${amount === 1 ? one : many}`;

const summaryTable = ({ findings, reviewers }: ReviewReport): string[] => {
  const row = (name: string, found: readonly ReviewedFinding[]): string =>
    tableRow([name, ...SEVERITIES.map((severity) => String(countFindings(found)[severity])), String(found.length)]);
  return [
    tableRow(["Reviewer", ...SEVERITIES.map((severity) => HEADINGS[severity]), "All"]),
    "| --- | ---: | ---: | ---: | ---: |",
    ...reviewers.map(({ name, failure }) =>
      failure === undefined
        ? row(
            escapeText(name),
            findings.filter(({ reviewer }) => reviewer === name),
          )
        : tableRow([`${escapeText(name)}: did not deliver (${escapeText(failure)})`, "-", "-", "-", "-"]),
    ),
    row("**All**", findings),
  ];
};

const overview = ({ project, stats }: ReviewReport): string[] => {
  const read = `${count(project.files.length, "file")} read: ${project.modules.length} parsed, ${project.smaller.length} looked at line by line, ${project.unanalysed.length} not analysed. ${count(project.skipped.length, "file")} skipped.`;
  const tests =
    stats === null
      ? "Tests were not reviewed."
      : `Tests import ${stats.tested} of ${count(stats.modules, "module")} that export something to test.`;
  return [read, tests, "Made by static analysis. No language model has read this code."];
};

const finding = ({ path, line, rule, reviewer, message, evidence, related }: ReviewedFinding): string[] => [
  `- ${place(path, line)} ${escapeText(message)} (${escapeText(rule)}, ${escapeText(reviewer)})`,
  `  - ${codeSpan(evidence)}`,
  ...(related === undefined ? [] : [`  - Related: ${escapeText(related)}`]),
];

const findingSections = ({ findings }: ReviewReport): string[] =>
  SEVERITIES.flatMap((severity) => {
    const found = findings.filter((one) => one.severity === severity);
    return found.length === 0 ? [] : ["", `## ${HEADINGS[severity]} (${found.length})`, "", ...found.flatMap(finding)];
  });

/** Groups by a key, in the order of keys. */
const grouped = <Item>(items: readonly Item[], keyOf: (item: Item) => string): [string, Item[]][] => {
  const groups = new Map<string, Item[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return [...groups].toSorted(([a], [b]) => compareTexts(a, b));
};

const hintSection = ({ hints }: ReviewReport): string[] => {
  if (hints.length === 0) return [];
  const lines = grouped(hints, ({ from }) => from).map(([from, sent]) => {
    const topics = grouped(sent, ({ topic }) => topic).map(
      ([topic, some]) => `${some.length} ${topic.replace("_", " ")}`,
    );
    return `- ${escapeText(from)}: ${topics.join(", ")}`;
  });
  return ["", "## What the reviewers told each other", "", ...lines];
};

const unparsableSection = ({ project }: ReviewReport): string[] =>
  project.unparsable.length === 0
    ? []
    : [
        "",
        `## Could not be parsed (${project.unparsable.length})`,
        "",
        ...project.unparsable.map(({ file, line, message }) => `- ${place(file.path, line)} ${escapeText(message)}`),
      ];

/** Paths by reason, each with a number and the first of them. */
const reasons = (items: readonly { readonly path: string; readonly reason: string }[]): string[] =>
  grouped(items, ({ reason }) => reason).map(([reason, some]) => {
    const shown = some.slice(0, LISTED_MAX).map(({ path }) => codeSpan(path));
    const rest = some.length > LISTED_MAX ? ` and ${some.length - LISTED_MAX} more` : "";
    return `- ${escapeText(reason)} (${some.length}): ${shown.join(", ")}${rest}`;
  });

const notAnalysed = ({ project }: ReviewReport): string[] => {
  const smaller = project.smaller.map(({ file }) => ({
    path: file.path,
    reason: `looked at line by line only, for secrets and a few dangerous calls: ${file.language}`,
  }));
  return [
    "",
    "## What was not analysed",
    "",
    ...reasons(project.skipped),
    ...reasons(project.unanalysed),
    ...reasons(smaller),
    "- Dependencies, what happens at run time, and values that travel through more than a few names or files.",
  ];
};

/**
 * The report as Markdown: counts, every finding with its place and its line of code, and what was not looked at.
 * The same input gives the same bytes. Nothing from the reviewed files is Markdown in it.
 */
export const renderReview = (report: ReviewReport): string =>
  `${[
    `# Review of ${escapeText(report.title)}`,
    "",
    ...summaryTable(report),
    "",
    ...overview(report),
    ...findingSections(report),
    ...unparsableSection(report),
    ...hintSection(report),
    ...notAnalysed(report),
  ].join("\n")}\n`;
