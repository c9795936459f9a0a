import { z } from "zod";

/**
 * A team's task board, as it is declared and changed. The schemas check the shape only: owners, dependencies and sizes are
 * judged by the kernel. A task is known by its number in its team, from 1 on: people say "#3", and so do models.
 */

/** Where a task stands; wire values. `blocked` = it waits for another task. */
export const TaskState = z.enum(["pending", "blocked", "in_progress", "completed", "failed", "cancelled"]);
export type TaskState = z.infer<typeof TaskState>;

/** The highest and the lowest priority. */
const priorityMax = 1_000;
const number = z.int().min(1);
const numbers = z.array(number);
const priority = z.int().min(-priorityMax).max(priorityMax);

/** How the tasks of a team get their owners, and what becomes of a task whose owner is gone. */
export const BoardSpec = z.strictObject({
  selfClaim: z.boolean().default(false).describe("Members may take tasks that are assigned to nobody."),
  onOwnerGone: z
    .enum(["release", "fail"])
    .default("release")
    .describe("What becomes of a task in progress whose owner failed, was cancelled or shut down."),
});
export type BoardSpec = z.infer<typeof BoardSpec>;
/** A board as it is written: what has a default may be left out. */
export type BoardSpecInput = z.input<typeof BoardSpec>;

/** A task as it is declared or added. */
export const TaskSpec = z.strictObject({
  subject: z.string().describe("What is to be done, in one line."),
  description: z.string().optional().describe("All that its owner must know to do it."),
  dependsOn: numbers.default([]).describe("Numbers of the tasks that must be completed first."),
  priority: priority.default(0).describe("Higher ones are taken first; 0 when left out."),
  assignee: z.string().optional().describe("The one member that may take it."),
  agentType: z.string().optional().describe("Only members of this agent type may take it."),
});
export type TaskSpec = z.infer<typeof TaskSpec>;
/** A task as it is written: what has a default may be left out. */
export type TaskSpecInput = z.input<typeof TaskSpec>;

/** A task that every member of an agent type brings with it: assigned to that member. */
export const SeedTask = TaskSpec.omit({ assignee: true, agentType: true });
export type SeedTask = z.infer<typeof SeedTask>;
/** A seed task as it is written. */
export type SeedTaskInput = z.input<typeof SeedTask>;

/** A change of one task, whole or not at all. `null` takes away what was set. */
export const TaskChange = z.strictObject({
  task: number.describe("Its number."),
  status: z
    .enum(["pending", "completed", "failed", "cancelled"])
    .optional()
    .describe("pending = give it back, or open it again."),
  note: z.string().max(600).optional().describe("What came of it, or why it failed; one or two sentences."),
  subject: z.string().optional(),
  description: z.string().nullable().optional(),
  dependsOn: numbers.optional().describe("Numbers of the tasks that it waits for from now on."),
  priority: priority.optional(),
  assignee: z.string().nullable().optional().describe("The one member that may take it; null for nobody."),
  agentType: z.string().nullable().optional(),
});
export type TaskChange = z.infer<typeof TaskChange>;

/** One task as a status shows it. Names only. */
export interface TaskStatus {
  /** Its number in its team. */
  readonly task: number;
  readonly subject: string;
  readonly description?: string;
  readonly status: TaskState;
  /** Who works on it, or did when it was closed. */
  readonly owner?: string;
  /** The one member that may take it. */
  readonly assignee?: string;
  readonly agentType?: string;
  readonly priority: number;
  readonly dependsOn: readonly number[];
  /** Those of `dependsOn` that are not completed. */
  readonly waitingOn: readonly number[];
  readonly note?: string;
  /** A member's name, `Lead` or `user`. */
  readonly addedBy: string;
  /** When it came into this state, ms of the wall clock of the input that moved it. */
  readonly since: number;
}
