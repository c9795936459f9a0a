import { defineAgent, type FunctionAgent, type FunctionRun } from "../../../index.ts";
import type { Hint } from "../hint.ts";
import type { Finding } from "../finding.ts";
import type { Project } from "../project.ts";
import type { Review, ReviewOptions } from "../review.ts";
import { countFindings } from "../report/combine-findings.ts";
import { hearPeers, tellPeers, type HintExchange } from "./hint-exchange.ts";

/** What a reviewer leaves in the team's workspace for the Reporter. */
export interface ReviewFile {
  readonly findings: readonly Finding[];
  readonly hints: readonly Hint[];
  readonly stats: { readonly modules: number; readonly tested: number } | null;
}

/** What makes one reviewer differ from another. */
export interface ReviewerOptions {
  readonly name: string;
  readonly description: string;
  readonly review: (
    project: Project,
    options: ReviewOptions,
  ) => Review & { readonly modules?: number; readonly tested?: number };
  readonly project: () => Promise<Project>;
  readonly exchange: HintExchange;
}

/** Where a reviewer's findings lie in the team's workspace. */
const reviewPath = (name: string): string => `findings/${name}.json`;

const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;

/**
 * A reviewer: looks at the project, tells the other two what it noticed, hears what they noticed, and judges again with
 * that. Its findings go into a file of the workspace; its summary says how many there are.
 */
export const reviewer = ({ name, description, review, project, exchange }: ReviewerOptions): FunctionAgent =>
  defineAgent({
    description,
    async run(run: FunctionRun) {
      const opened = await project();
      const alone = review(opened, { from: name });
      await tellPeers(run, alone.hints, exchange);
      const hints = await hearPeers(run, exchange);
      const { findings, modules, tested } = review(opened, { from: name, hints });
      const stats = modules === undefined || tested === undefined ? null : { modules, tested };
      const file: ReviewFile = { findings, hints: alone.hints, stats };
      const path = reviewPath(name);
      await run.workspace?.write(path, `${JSON.stringify(file, null, 1)}\n`);
      const { high } = countFindings(findings);
      const changed = findings.filter(({ related }) => related !== undefined).length;
      const told = changed === 0 ? "" : `, ${changed} judged with the others' hints`;
      return { summary: `${plural(findings.length, "finding")}, ${high} high${told}`, paths: [path] };
    },
  });
