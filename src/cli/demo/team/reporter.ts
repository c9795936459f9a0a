import { z } from "zod";
import { defineAgent, type FunctionAgent, type FunctionRun } from "../../../index.ts";
import { HINT_TOPICS, type Hint } from "../hint.ts";
import { SEVERITIES } from "../finding.ts";
import type { Project } from "../project.ts";
import { combineFindings, countFindings, type ReviewedFinding } from "../report/combine-findings.ts";
import { renderReview } from "../report/render-review.ts";
import type { ReviewFile } from "./reviewer.ts";

const ReviewFileSchema = z.object({
  findings: z.array(
    z.object({
      rule: z.string(),
      severity: z.enum(SEVERITIES),
      path: z.string(),
      line: z.int(),
      message: z.string(),
      evidence: z.string(),
      related: z.string().exactOptional(),
    }),
  ),
  hints: z.array(
    z.object({
      from: z.string(),
      path: z.string(),
      line: z.int().exactOptional(),
      topic: z.enum(HINT_TOPICS),
      text: z.string(),
    }),
  ),
  stats: z.object({ modules: z.int(), tested: z.int() }).nullable(),
});

/** The report that the Reporter writes. */
export const reportPath = "REVIEW.md";

/** What the Reporter needs. */
export interface ReporterOptions {
  readonly title: string;
  readonly project: () => Promise<Project>;
  /** Told the findings that went into the report, for the terminal. */
  readonly onReport: (findings: readonly ReviewedFinding[]) => void;
}

/** The Reporter: reads what the reviewers left in the workspace and writes one report. */
export const reporter = ({ title, project, onReport }: ReporterOptions): FunctionAgent =>
  defineAgent({
    description: "Writes one report from the findings of all reviewers.",
    async run(run: FunctionRun) {
      const files = await Promise.all(
        run.upstream.map(async ({ name, paths }) => ({ name, file: await readReview(run, paths[0] ?? "") })),
      );
      const findings = combineFindings(files.map(({ name, file }) => ({ name, findings: file.findings })));
      const hints: Hint[] = files.flatMap(({ file }) => [...file.hints]);
      const report = renderReview({
        title,
        project: await project(),
        findings,
        stats: files.find(({ file }) => file.stats !== null)?.file.stats ?? null,
        hints,
        reviewers: files.map(({ name }) => ({ name })),
      });
      await run.workspace?.write(reportPath, report);
      onReport(findings);
      const { high, medium, low } = countFindings(findings);
      return { summary: `${high} high, ${medium} medium, ${low} low`, paths: [reportPath] };
    },
  });

/** Reads a whole findings file: a read gives at most one window of lines. */
async function readReview({ workspace }: FunctionRun, path: string): Promise<ReviewFile> {
  const parts: string[] = [];
  for (let fromLine = 1; workspace !== null;) {
    const read = await workspace.read(path, { fromLine });
    if (read.kind !== "text") break;
    parts.push(read.text);
    if (read.toLine >= read.linesTotal || read.toLine < fromLine) break;
    fromLine = read.toLine + 1;
  }
  return ReviewFileSchema.parse(JSON.parse(parts.join("")));
}
