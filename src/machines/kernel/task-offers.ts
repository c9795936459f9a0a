import type { BoardRecord, TaskRecord } from "./board-state.ts";
import { changeTask } from "./board.ts";
import type { Draft } from "./draft.ts";
import { isDissolving } from "./standing.ts";
import { notifyOfTask } from "./task-notices.ts";

/**
 * Who is woken for a task that may be taken. One member at a time: it takes the task, or rests without it, and then the next
 * one is asked. Nobody is woken twice for the same need, and no task that somebody may take rests beside an idle member
 * that has not been asked.
 */

/** Whether a member is in a state in which it takes tasks, or is given them: there, or to be woken, and not about to deliver. */
export function takesTasks(draft: Draft, token: string): boolean {
  const { snapshot } = draft.mustMember(token);
  const { work, presence, activity } = draft.facts.member(snapshot);
  const { requirePlan, planned } = snapshot.context;
  if (work !== "in_progress" && work !== "completed") return false;
  if (presence !== "running" && presence !== "idle") return false;
  return activity !== "completing" && (planned || !requirePlan);
}

/** Whether a task is this member's to take: assigned to it, or to nobody where members may help themselves. */
export function mayTake(draft: Draft, { selfClaim }: BoardRecord, task: TaskRecord, token: string): boolean {
  if (task.agentType !== null && draft.mustMember(token).agentType !== task.agentType) return false;
  return task.assignee === null ? selfClaim : task.assignee === token;
}

/** Tasks that wait for somebody to take them, in the order in which they are taken: the highest priority first. */
export const claimable = ({ tasks }: BoardRecord): TaskRecord[] =>
  tasks.filter(({ status }) => status === "pending").toSorted((a, b) => b.priority - a.priority || a.id - b.id);

const isThere = (draft: Draft, token: string): boolean => {
  const { presence } = draft.memberFacts(token);
  return presence === "running" || presence === "draining";
};

/** Ends the offers of members that rest, and makes new ones to those that are idle. Only when the session is settled. */
export function offerTasks(draft: Draft): void {
  const { team } = draft;
  if (team.board === null || isDissolving(draft)) return;
  for (const { id, offeredTo, declined } of team.board.tasks) {
    if (offeredTo === null || isThere(draft, offeredTo)) continue;
    changeTask(draft, id, { offeredTo: null, declined: [...declined, offeredTo] });
  }
  if (team.counts.idle === 0) return;
  const { board } = draft.team;
  const due = board === null ? [] : claimable(board).filter(({ offeredTo }) => offeredTo === null);
  if (board === null || due.length === 0) return;
  const idle = new Set(team.order.filter((each) => isIdle(draft, each)));
  for (const task of due) {
    if (idle.size === 0) break;
    const token = candidateOf(draft, board, task, idle);
    if (token === undefined) continue;
    idle.delete(token);
    changeTask(draft, task.id, { offeredTo: token });
    notifyOfTask(draft, token, task.assignee === token ? "task_assigned" : "task_available", task);
  }
  draft.drain();
}

const isIdle = (draft: Draft, token: string): boolean =>
  draft.memberFacts(token).presence === "idle" && takesTasks(draft, token);

function candidateOf(
  draft: Draft,
  board: BoardRecord,
  task: TaskRecord,
  idle: ReadonlySet<string>,
): string | undefined {
  const asked = new Set(task.declined);
  for (const token of idle) if (!asked.has(token) && mayTake(draft, board, task, token)) return token;
  return undefined;
}
