import type { TaskAddResult, TaskUpdateResult } from "../../protocol/reply.ts";
import type { z } from "zod";
import type { TaskChange, TaskSpecInput, TaskStatus } from "../../protocol/task.ts";

/** A change of a task as it is written. */
export type TaskChangeInput = z.input<typeof TaskChange>;

/**
 * A team's task board in somebody's hands. Every call but `list` resolves when it is durable and done, and rejects with a
 * TeamError that changed nothing: `task_blocked`, `task_taken`, `task_closed`, `unknown_task`, `cycle`,
 * `unknown_dependency`, `unknown_member`, `not_assignable`, `permission_denied`, `too_many_tasks`, `payload_too_large`,
 * `team_dissolved`, `no_team`, or `disabled` in a team without a board.
 */
export interface TaskBoard {
  /** The tasks as they are now, by their numbers. */
  readonly list: () => readonly TaskStatus[];
  /** Adds a task; resolves with its number. */
  readonly add: (task: TaskSpecInput) => Promise<TaskAddResult>;
  /** Changes a task: how it went, what it is, who may take it. */
  readonly update: (change: TaskChangeInput) => Promise<TaskUpdateResult>;
}

/** The board of a member that works. */
export interface MemberBoard extends TaskBoard {
  /** Takes the task of this number, or the next one that is open to it; null = there is none. */
  readonly claim: (task?: number) => Promise<TaskStatus | null>;
}
