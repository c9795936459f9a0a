import type { EventObject } from "xstate";
import { isClosed, isUnfinished, waitingOn, type BoardRecord, type TaskRecord } from "./board-state.ts";
import type { Draft } from "./draft.ts";
import { nameOf } from "./roster.ts";

/** Changes of a board, the small steps that commands and members' ends are made of. */

/** What a change of one task leaves alone is left out. */
export type TaskPatch = Partial<Omit<TaskRecord, "id" | "addedBy" | "since">>;

/** The board of the team; asking without one is a fault of ours. */
export function boardOf(draft: Draft): BoardRecord {
  const { board } = draft.team;
  if (board === null) throw new Error("no board");
  return board;
}

/** The task of this number, which the caller knows to exist. */
export function mustTask(draft: Draft, id: number): TaskRecord {
  const task = boardOf(draft).tasks[id - 1];
  if (task === undefined) throw new Error(`no task ${id}`);
  return task;
}

/** The board with one task in another's place. */
const withTask = (board: BoardRecord, was: TaskRecord, is: TaskRecord): BoardRecord => ({
  ...board,
  tasks: board.tasks.with(is.id - 1, is),
  unfinished: board.unfinished + Number(isUnfinished(is)) - Number(isUnfinished(was)),
});

/** Puts tasks onto the board behind those that are there. Their numbers follow from their places. */
export function putTasks(draft: Draft, added: readonly TaskRecord[]): void {
  const board = boardOf(draft);
  const unfinished = board.unfinished + added.filter(isUnfinished).length;
  draft.changeTeam({ board: { ...board, tasks: [...board.tasks, ...added], unfinished } });
  draft.boardDue = true;
  draft.visible = true;
}

/** Changes one task. What waits for it is looked at by `refreshBlocked`. */
export function changeTask(draft: Draft, id: number, patch: TaskPatch): TaskRecord {
  const was = mustTask(draft, id);
  const moved = patch.status !== undefined && patch.status !== was.status;
  // An offer is of a pending task: whatever moves it on ends the offer.
  const offers = moved ? { offeredTo: null, declined: [] } : {};
  const is = { ...was, ...offers, ...patch, since: moved ? draft.input.at : was.since };
  draft.changeTeam({ board: withTask(boardOf(draft), was, is) });
  draft.boardDue = true;
  // Who is asked to take a task is shown to nobody: that somebody wakes is.
  if (Object.keys(patch).some((key) => key !== "offeredTo" && key !== "declined")) draft.visible = true;
  if (moved && (is.status === "completed" || is.status === "failed")) draft.notable = true;
  return is;
}

/** Where a task stands that nobody works on: blocked as long as it waits for another one. */
export const restingStatus = (draft: Draft, task: Pick<TaskRecord, "dependsOn">): "pending" | "blocked" =>
  waitingOn(boardOf(draft), task).length === 0 ? "pending" : "blocked";

/** Blocks and unblocks what depends on a task that was completed or opened again; the numbers of those unblocked. */
export function refreshBlocked(draft: Draft, of: number): number[] {
  const unblocked: number[] = [];
  for (const task of boardOf(draft).tasks) {
    if (!task.dependsOn.includes(of) || (task.status !== "pending" && task.status !== "blocked")) continue;
    const status = restingStatus(draft, task);
    if (status === task.status) continue;
    changeTask(draft, task.id, { status });
    tellTask(draft, task.id);
    if (status === "pending") unblocked.push(task.id);
  }
  return unblocked;
}

/** How a task's change is shown in the log: as it stands now. */
export function taskShown(draft: Draft, type: string, id: number): EventObject & Readonly<Record<string, unknown>> {
  const { subject, status, owner, assignee, note } = mustTask(draft, id);
  return {
    type,
    task: id,
    subject,
    status,
    ...(owner === null ? {} : { owner: nameOf(draft, owner) }),
    ...(assignee === null ? {} : { assignee: nameOf(draft, assignee) }),
    ...(note === null ? {} : { note }),
  };
}

/** Writes down what became of a task as a consequence of something else. */
export function tellTask(draft: Draft, id: number): void {
  const { token } = draft.team;
  draft.note(token, token, taskShown(draft, "task.updated", id));
}

/** Closes what is open: the team is dissolved, and nobody will do it. */
export function cancelOpenTasks(draft: Draft): void {
  const { board } = draft.team;
  if (board === null) return;
  for (const task of board.tasks) {
    if (isClosed(task)) continue;
    changeTask(draft, task.id, { status: "cancelled", owner: task.owner });
    tellTask(draft, task.id);
  }
}
