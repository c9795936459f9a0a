import type { Plan } from "../../protocol/plan.ts";
import type { SessionConfig } from "../../protocol/session-config.ts";
import type { TaskSpec } from "../../protocol/task.ts";
import { seedTasks } from "./new-tasks.ts";

/** A task that a plan would put onto a board, as its host sees it. */
export interface ComingTask {
  /** `dependsOn` holds numbers of the board; `assignee` is a name as it was written. */
  readonly spec: TaskSpec;
  /** `added` by itself, `declared` with a team, or the `seed` of a member's agent type. */
  readonly origin: "added" | "declared" | "seed";
}

/** The tasks that a plan would put onto a board of `count` tasks, in their order. Says nothing of whether it may. */
export function comingTasks(plan: Plan, config: SessionConfig, count: number): readonly ComingTask[] {
  if ("members" in plan) {
    const declared = (plan.tasks ?? []).map((spec): ComingTask => ({ spec, origin: "declared" }));
    return [...declared, ...seedsOf(plan.members, config, declared.length)];
  }
  // Who takes another's place takes over that one's tasks instead.
  if ("rewire" in plan) {
    const bringing = plan.add.filter(({ replaces }) => replaces === undefined);
    return seedsOf(bringing, config, count);
  }
  return "subject" in plan && !("task" in plan) ? [{ spec: plan, origin: "added" }] : [];
}

const seedsOf = (
  members: readonly { readonly name: string; readonly agentType: string }[],
  config: SessionConfig,
  count: number,
): ComingTask[] =>
  seedTasks(
    members.map(({ name, agentType }) => ({ agentType, token: name })),
    config,
    count,
  ).map(({ spec, dependsOn, assignee }) => ({
    spec: { ...spec, dependsOn: [...dependsOn], ...(assignee === null ? {} : { assignee }) },
    origin: "seed",
  }));
