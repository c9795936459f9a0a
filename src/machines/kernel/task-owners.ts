import type { TaskRecord } from "./board-state.ts";
import { boardOf, changeTask, mustTask, refreshBlocked, restingStatus, tellTask } from "./board.ts";
import type { Draft } from "./draft.ts";
import { notifyLead } from "./mail.ts";
import { isDissolving } from "./standing.ts";
import { notifyOfTask, readTaskNotices, taskText } from "./task-notices.ts";

/** What a member's end means for its tasks: those of one that delivered are completed, no other one keeps any. */

/** The tasks that a member works on. */
function heldBy(draft: Draft, token: string): readonly TaskRecord[] {
  const board = draft.state.team?.board ?? null;
  return board === null ? [] : board.tasks.filter(({ status, owner }) => status === "in_progress" && owner === token);
}

/** A member delivered: what it works on is done. */
export function completeTasksOf(draft: Draft, token: string): void {
  for (const { id } of heldBy(draft, token)) {
    changeTask(draft, id, { status: "completed" });
    tellTask(draft, id);
    refreshBlocked(draft, id);
  }
}

/** Why a member has its tasks no more, for people. */
type Gone = "failed" | "was cancelled" | "shut down";

/**
 * A member works no more: by the board's policy its tasks are free again, or have failed. While the team is dissolved they
 * stay as they are: `team.dissolved` closes them.
 */
export function dropTasksOf(draft: Draft, token: string, gone: Gone): void {
  if (isDissolving(draft)) return;
  for (const { id } of heldBy(draft, token)) dropTask(draft, id, gone);
}

/** A follow-up turn failed. Its member stays, and is not woken again for what it could not do. */
export function dropTasksOfTurn(draft: Draft, token: string): void {
  if (isDissolving(draft)) return;
  for (const { id } of heldBy(draft, token)) dropTask(draft, id, "failed", [token]);
}

function dropTask(draft: Draft, id: number, gone: Gone, declined: readonly string[] = []): void {
  if (boardOf(draft).onOwnerGone === "release") {
    changeTask(draft, id, { status: restingStatus(draft, mustTask(draft, id)), owner: null, declined });
    tellTask(draft, id);
    return;
  }
  const { owner } = mustTask(draft, id);
  const name = owner === null ? "its owner" : draft.mustMember(owner).name;
  changeTask(draft, id, { status: "failed", note: `interrupted: ${name} ${gone}` });
  tellTask(draft, id);
  tellFailed(draft, id);
}

/** The Lead is told of a task that failed, unless it is the one that made it fail. */
export function tellFailed(draft: Draft, id: number): void {
  const task = mustTask(draft, id);
  const why = task.note === null ? "" : `: ${task.note}`;
  const reason = `${taskText(task)}${why}`.slice(0, 600).toWellFormed();
  notifyLead(draft, "task_failed", { about: task.owner, reason, wakes: draft.input.from !== "lead" });
}

/** Nobody waits for a member that is gone for good: what only it might have taken is free for others. */
export function liftAssignmentsOf(draft: Draft, token: string): void {
  const board = draft.state.team?.board ?? null;
  if (board === null || isDissolving(draft)) return;
  for (const { id, assignee, status } of board.tasks) {
    if (assignee !== token || (status !== "pending" && status !== "blocked")) continue;
    changeTask(draft, id, { assignee: null, offeredTo: null, declined: [] });
    tellTask(draft, id);
  }
}

/** Whoever takes a member's place takes over what was assigned to it or in its hands. */
export function handOver(draft: Draft, from: string, to: string): void {
  const { board } = draft.team;
  if (board === null) return;
  const held = heldBy(draft, from).map(({ id }) => id);
  const assigned = board.tasks.filter(({ id, assignee }) => assignee === from && !held.includes(id));
  for (const id of held) dropTask(draft, id, "was cancelled");
  let last: TaskRecord | null = null;
  for (const id of [...held, ...assigned.map((task) => task.id)]) {
    const { status } = mustTask(draft, id);
    if (status !== "pending" && status !== "blocked") continue;
    last = changeTask(draft, id, { assignee: to, offeredTo: null, declined: [] });
    tellTask(draft, id);
  }
  if (last !== null) notifyOfTask(draft, to, "task_assigned", last);
}

/** A function agent has returned from a follow-up turn: what it worked on is done. */
export function endFollowUp(draft: Draft, token: string): void {
  if ((draft.state.team?.board ?? null) === null) return;
  readTaskNotices(draft, token);
  if (draft.memberFacts(token).work === "completed") completeTasksOf(draft, token);
}
