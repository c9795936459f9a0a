import type { TeamModelOptions } from "../../testing/index.ts";
import type { CheckedTeam } from "./checked-team.ts";
import type { Explorer } from "./explorer.ts";
import { planNext, type PlanOptions } from "./plan-stages.ts";
import type { Stage, StageDone, StageProgress } from "./stage.ts";

/** What was found of one team. */
export interface TeamReport {
  readonly team: CheckedTeam;
  readonly done: readonly StageDone[];
  /** Stages that were left out for their size. */
  readonly left: readonly string[];
  /** Whether nothing more was to be looked at. */
  readonly isEnded: boolean;
}

/** Told while a check runs. */
export interface CheckWatcher {
  team(team: CheckedTeam): void;
  progress(stage: Stage, progress: StageProgress): void;
  stage(team: CheckedTeam, done: StageDone): void;
  teamDone(report: TeamReport): void;
}

/** What is checked, and how far. */
export interface CheckPlan {
  readonly teams: readonly CheckedTeam[];
  /** How far each team is looked at. */
  readonly stagesOf: (model: TeamModelOptions) => PlanOptions;
  /** Time of everything together. */
  readonly ms: number;
}

/** Collects what was found, so that an interrupt finds it. */
export interface CheckRun {
  /** What is known by now, the team that is being looked at included. */
  readonly reports: readonly TeamReport[];
  /** Resolves when there is nothing more to look at. */
  readonly ended: Promise<void>;
}

/** Checks teams one after the other, each in growing stages, until one is violated or the time is over. */
export function runStages(explorer: Explorer, plan: CheckPlan, watcher: CheckWatcher): CheckRun {
  const reports: TeamReport[] = [];
  const deadline = performance.now() + plan.ms;
  const explore = async (team: CheckedTeam, stage: Stage): Promise<StageDone> => {
    const { limits } = stage.options;
    const ms = Math.max(1, Math.min(limits?.ms ?? Infinity, deadline - performance.now()));
    watcher.progress(stage, { states: 0, transitions: 0 });
    const options = { ...stage.options, limits: { ...limits, ms } };
    const result = await explorer.explore(team.model, options, (progress) => watcher.progress(stage, progress));
    return { stage, result };
  };
  const checkTeam = async (team: CheckedTeam): Promise<TeamReport> => {
    const options = plan.stagesOf(team.model);
    const done: StageDone[] = [];
    const at = reports.length;
    for (;;) {
      const { next, left } = planNext(done, options);
      // The list goes on growing, so that an interrupt finds in the report what is done by then.
      const report: TeamReport = { team, done, left, isEnded: next === null };
      reports[at] = report;
      if (next === null || (done.length > 0 && performance.now() >= deadline)) return report;
      const looked = await explore(team, next);
      watcher.stage(team, looked);
      done.push(looked);
    }
  };
  const run = async (): Promise<void> => {
    for (const team of plan.teams) {
      if (performance.now() >= deadline) return;
      watcher.team(team);
      const report = await checkTeam(team);
      watcher.teamDone(report);
      if (report.done.at(-1)?.result.verdict === "violated") return;
    }
  };
  return { reports, ended: run() };
}
