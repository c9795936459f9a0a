import { refusal } from "../../errors/index.ts";
import { TaskState, type TaskStatus } from "../../protocol/task.ts";
import { collisionKey } from "../../protocol/names.ts";
import type { Answer } from "./model-input.ts";

/** How many tasks are in which state. */
export type TaskCounts = Readonly<Partial<Record<TaskState, number>>>;

/** Counts tasks by their states; states that no task is in are left out. */
export function countTasks(tasks: readonly TaskStatus[]): TaskCounts {
  const counts = TaskState.options.map(
    (state) => [state, tasks.filter(({ status }) => status === state).length] as const,
  );
  // Entries of the states alone.
  return Object.fromEntries(counts.filter(([, count]) => count > 0)) as TaskCounts;
}

/** A task in a list: without its description, which a look at the task itself shows. */
export type ListedTask = Omit<TaskStatus, "description" | "since">;

/** What a list of tasks is asked for. */
export interface TaskQuery {
  readonly task?: number | undefined;
  readonly status?: TaskState | undefined;
  readonly owner?: string | undefined;
}

/** The tasks that were asked for, the next to be taken first; or the one of a number, whole. */
export interface TaskListResult {
  readonly counts: TaskCounts;
  readonly tasks: readonly (ListedTask | TaskStatus)[];
  /** What was left out of a very long list. */
  readonly note?: string;
}

const shownMax = 100;

const listed = ({ description: _, since: __, ...task }: TaskStatus): ListedTask => task;

/** Open ones first, in the order in which they are taken; then what is over, the latest first. */
const rank: Readonly<Record<TaskState, number>> = {
  in_progress: 0,
  pending: 1,
  blocked: 2,
  failed: 3,
  completed: 4,
  cancelled: 5,
};

/** Answers a query over the tasks of a board. */
export function listTasks(
  tasks: readonly TaskStatus[],
  { task: wanted, status, owner }: TaskQuery,
): Answer<TaskListResult> {
  const counts = countTasks(tasks);
  if (wanted !== undefined) {
    const found = tasks.find(({ task }) => task === wanted);
    if (found !== undefined) return { ok: { counts, tasks: [found] } };
    return { refused: [refusal("unknown_task", { task: `#${wanted}`, count: tasks.length })] };
  }
  const key = owner === undefined ? null : collisionKey(owner);
  const isOf = (each: TaskStatus): boolean =>
    key === null || [each.owner, each.assignee].some((name) => name !== undefined && collisionKey(name) === key);
  const found = tasks
    .filter((each) => (status === undefined || each.status === status) && isOf(each))
    .toSorted((a, b) => rank[a.status] - rank[b.status] || b.priority - a.priority || a.task - b.task);
  const left = found.length - shownMax;
  return {
    ok: {
      counts,
      tasks: found.slice(0, shownMax).map(listed),
      ...(left > 0 ? { note: `${left} more are not shown; give status or owner to see certain ones` } : {}),
    },
  };
}
