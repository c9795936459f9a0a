import type { InputEvent } from "./input.ts";
import { InviteSpec, ReplanSpec, TeamSpec } from "./spec.ts";
import { TaskChange, TaskSpec } from "./task.ts";

/** What an input refers to by digest and the kernel reads: a team, a change of it, an invitation, a task, or a change of one. */
export type Plan = TeamSpec | ReplanSpec | InviteSpec | TaskSpec | TaskChange;

/** Which inputs refer to a plan, and of which kind. */
const planSchemas = {
  "team.create": TeamSpec,
  "team.replan": ReplanSpec,
  "team.invite": InviteSpec,
  "task.add": TaskSpec,
  "task.update": TaskChange,
} as const;

type PlannedEvent = Extract<InputEvent, { type: keyof typeof planSchemas }>;

/** Whether an input refers to a plan. */
export const isPlanned = (event: InputEvent): event is PlannedEvent => Object.hasOwn(planSchemas, event.type);

/** The plan of an event from its body, or undefined when that is none of its kind. */
export function parsePlan(event: PlannedEvent, body: unknown): Plan | undefined {
  const parsed = planSchemas[event.type].safeParse(body);
  return parsed.success ? parsed.data : undefined;
}
