import type { TaskState } from "../../protocol/task.ts";

/** A team's task board: kernel data beside the team's snapshot. Replaced when it changes, never changed in place. */

/** One task. */
export interface TaskRecord {
  /** Its number in its team, from 1 on; also its place in the list, since no task is ever taken off the board. */
  readonly id: number;
  readonly subject: string;
  readonly description: string | null;
  /** Higher ones are taken first. */
  readonly priority: number;
  readonly dependsOn: readonly number[];
  /** Token of the one member that may take it, or null. */
  readonly assignee: string | null;
  /** Only members of this type may take it; null = any. */
  readonly agentType: string | null;
  readonly status: TaskState;
  /** Token of who works on it, or did when it was closed. */
  readonly owner: string | null;
  readonly note: string | null;
  /** Token of who added it. */
  readonly addedBy: string;
  readonly since: number;
  /** Token of the member that was woken for it and has not rested since; only of a pending one. */
  readonly offeredTo: string | null;
  /** Tokens of members that were woken for it and rested without taking it; they are not woken for it again. */
  readonly declined: readonly string[];
}

/** The board of a team. */
export interface BoardRecord {
  /** Members may take what is assigned to nobody. */
  readonly selfClaim: boolean;
  readonly onOwnerGone: "release" | "fail";
  /** By their numbers. */
  readonly tasks: readonly TaskRecord[];
  /** Tasks that keep the team from being finished: all but completed and cancelled ones. */
  readonly unfinished: number;
}

/** A task is over for now: nobody works on it, and nobody may take it. */
export const isClosed = ({ status }: Pick<TaskRecord, "status">): boolean =>
  status === "completed" || status === "failed" || status === "cancelled";

/** Whether a task in this state keeps its team from being finished. A failed one does, as a failed member does. */
export const isUnfinished = ({ status }: Pick<TaskRecord, "status">): boolean =>
  status !== "completed" && status !== "cancelled";

/** A task's number as people write it. */
export const taskName = (id: number): string => `#${id}`;

/** Which of the tasks that it depends on are not completed. */
export const waitingOn = (
  { tasks }: Pick<BoardRecord, "tasks">,
  { dependsOn }: Pick<TaskRecord, "dependsOn">,
): number[] => dependsOn.filter((id) => tasks[id - 1]?.status !== "completed");
