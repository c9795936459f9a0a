import type { BoardRecord, MemberRecord, TaskRecord } from "../../machines/index.ts";
import { collisionKey } from "../../protocol/names.ts";
import { isOver, teamState, type JudgedStep } from "./guarantee.ts";

/** How tasks may change: what is wrong with a step, or null. */
export function boardStepProblem(step: JudgedStep): string | null {
  const { before, after, applied } = step;
  const is = after.team?.board ?? null;
  const was = before.team?.token === after.team?.token ? (before.team?.board ?? null) : null;
  if (is === null || was === is) return null;
  if (was !== null && applied.verdict !== "handled") return `the board changed by an input that was ${applied.verdict}`;
  if (was !== null && was.tasks.length > is.tasks.length) return "a task is gone from the board";
  for (const task of is.tasks) {
    const problem = changeProblem(step, was, is, task);
    if (problem !== null) return `#${task.id} ${problem}`;
  }
  return null;
}

function changeProblem(step: JudgedStep, was: BoardRecord | null, is: BoardRecord, task: TaskRecord): string | null {
  const old = was?.tasks[task.id - 1];
  if (old === task) return null;
  if (old === undefined) {
    const isNew = task.status === "pending" || task.status === "blocked";
    return isNew && task.owner === null ? null : `was added ${task.status}`;
  }
  if (task.status === "in_progress") return takenProblem(step, was ?? is, old, task);
  if (old.status === task.status) return null;
  if (task.status === "completed") return completedProblem(step, old);
  if (task.status === "failed" || (old.status === "in_progress" && task.status !== "cancelled"))
    return leftProblem(step, old);
  if (task.status === "cancelled") return cancelledProblem(step);
  const isReopened = old.status === "completed" || old.status === "failed" || old.status === "cancelled";
  return isReopened && !isByLead(step) ? "was opened again by nobody who may" : null;
}

const isByLead = ({ before, record }: JudgedStep): boolean => !before.members.has(record.input.from);

/** Taken by a claim alone: in its turn, by or for somebody who may, and from nobody. */
function takenProblem(step: JudgedStep, board: BoardRecord, old: TaskRecord, task: TaskRecord): string | null {
  const { before, record } = step;
  const { event, from } = record.input;
  if (old.status === "in_progress") return old.owner === task.owner ? null : "has two owners";
  if (event.type !== "task.claim") return `was taken by ${event.type}`;
  if (old.status !== "pending") return `was taken when it was ${old.status}`;
  if (old.dependsOn.some((id) => board.tasks[id - 1]?.status !== "completed")) return "was taken before its time";
  const owner = task.owner === null ? undefined : before.members.get(task.owner);
  if (owner === undefined) return "was taken by nobody";
  if (before.members.has(from) ? from !== owner.token : !isNamed(event.owner, owner))
    return "was taken for somebody else";
  if (old.assignee !== null && old.assignee !== owner.token) return "was taken by another than its assignee";
  if (old.assignee === null && from === owner.token && !board.selfClaim) return "was taken without being given";
  return old.agentType !== null && old.agentType !== owner.agentType ? "was taken by another agent type" : null;
}

const isNamed = (name: string | undefined, { name: own }: MemberRecord): boolean =>
  name !== undefined && collisionKey(name) === collisionKey(own);

/** Completed by its owner, the Lead or the user, or by its owner's delivery. */
function completedProblem(step: JudgedStep, old: TaskRecord): string | null {
  const { event, from, actor } = step.record.input;
  if (old.status === "blocked") return "was completed while it was blocked";
  if (event.type === "task.update") return isByLead(step) || old.owner === from ? null : "was completed by another";
  if (old.status !== "in_progress" || old.owner === null) return `was completed by ${event.type}`;
  const owner = step.after.members.get(old.owner);
  const isDelivered = owner !== undefined && step.facts.member(owner.snapshot).work === "completed";
  const isOwn = actor === old.owner || event.type === "owner.claimed";
  return isDelivered && isOwn ? null : "was completed by nobody's delivery";
}

/** Given back or failed: by whoever may, or because its owner works no more. */
function leftProblem(step: JudgedStep, old: TaskRecord): string | null {
  const { event, from, actor } = step.record.input;
  if (event.type === "task.update") return isByLead(step) || old.owner === from ? null : "was left by another";
  const owner = old.owner === null ? undefined : step.after.members.get(old.owner);
  if (owner === undefined) return "failed, and was nobody's";
  const { work, presence } = step.facts.member(owner.snapshot);
  // A later turn that failed has not done its task.
  if (
    actor === old.owner &&
    work === "completed" &&
    ["run.failed", "run.lost", "turn.ended", "member.interrupt"].includes(event.type)
  )
    return null;
  const isGone = work === "failed" || work === "cancelled" || presence === "shutdown" || owner.replacedBy !== null;
  return isGone || presence === "idle" ? null : `was left by ${owner.name}, who works on`;
}

/** Cancelled by the Lead or the user, or with the team. */
function cancelledProblem(step: JudgedStep): string | null {
  if (step.record.input.event.type === "task.update" && isByLead(step)) return null;
  return isOver(teamState({ session: step.after, facts: step.facts })) ? null : "was cancelled by nobody who may";
}
