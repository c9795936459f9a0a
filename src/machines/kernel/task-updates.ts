import type { Refusal } from "../../errors/index.ts";
import type { TaskUpdateResult } from "../../protocol/reply.ts";
import type { TaskChange } from "../../protocol/task.ts";
import { findAgentType } from "../../protocol/default-agent-type.ts";
import { isClosed, taskName, waitingOn, type BoardRecord, type TaskRecord } from "./board-state.ts";
import { changeTask, mustTask, refreshBlocked, restingStatus, taskShown, type TaskPatch } from "./board.ts";
import type { Draft } from "./draft.ts";
import { Faults } from "./faults.ts";
import { checkType } from "./new-tasks.ts";
import { nameOf } from "./roster.ts";
import { checkDependencies, checkTask, checkTaskCycle } from "./task-checks.ts";
import { findAssignee, findTask, isRefusal, openBoard } from "./task-commands.ts";
import { notifyOfTask } from "./task-notices.ts";
import { tellFailed } from "./task-owners.ts";

/** Changes of one task, whole or not at all: by its owner how it went, by the Lead and the user everything. */

/** What only the Lead and the user may change. */
const leadFields = ["subject", "description", "dependsOn", "priority", "assignee", "agentType"] as const;

/** Changes a task; what waited for it may go on. */
export function updateTask(draft: Draft, change: TaskChange): readonly Refusal[] | TaskUpdateResult {
  const board = openBoard(draft);
  if (isRefusal(board)) return [board];
  const task = findTask(draft, board, change.task);
  if ("code" in task) return [task];
  const refused = refuseMember(draft, task, change) ?? refuseStatus(draft, board, task, change);
  if (refused !== null) return [refused];
  const faults = new Faults();
  const patch = patchOf(draft, board, task, change, faults);
  if (faults.list.length > 0) return faults.list;
  return carryOut(draft, task, patch, change);
}

/** Why a member may not change this task so; null for the Lead and the user. */
function refuseMember(draft: Draft, task: TaskRecord, change: TaskChange): Refusal | null {
  const { from } = draft.input;
  if (draft.member(from) === undefined) return null;
  const named = taskName(task.id);
  const denied = (reason: string) => draft.refusal("permission_denied", { tool: "team_task_update", reason });
  const others = leadFields.filter((field) => change[field] !== undefined);
  if (isClosed(task)) return draft.refusal("task_closed", { task: named, status: task.status });
  if (task.status !== "in_progress") return denied(`you do not work on ${named}; take it with team_task_claim first`);
  if (task.owner !== from)
    return draft.refusal("task_taken", { task: named, owner: nameOf(draft, task.owner ?? "nobody") });
  if (others.length > 0) return denied(`only the Lead or the user changes ${others.join(", ")}`);
  return change.status === "cancelled"
    ? denied("only the Lead or the user cancels a task; fail it, or give it back")
    : null;
}

/** Why the task can't go from its state into the one asked for, or can't be changed in its state, or null. */
function refuseStatus(draft: Draft, board: BoardRecord, task: TaskRecord, change: TaskChange): Refusal | null {
  const { status } = change;
  const named = taskName(task.id);
  const closed = draft.refusal("task_closed", { task: named, status: task.status });
  const taken = () => draft.refusal("task_taken", { task: named, owner: nameOf(draft, task.owner ?? "nobody") });
  switch (status) {
    case undefined:
      if (isClosed(task) && leadFields.some((field) => change[field] !== undefined)) return closed;
      break;
    case "pending":
      if (task.status === "pending" || task.status === "blocked") break;
      return null;
    case "completed": {
      const open = waitingOn(board, task);
      if (isClosed(task)) return closed;
      if (task.status === "blocked")
        return draft.refusal("task_blocked", { task: named, waitingOn: open.map(taskName) });
      break;
    }
    case "failed":
      if (isClosed(task)) return closed;
      if (task.status === "in_progress") break;
      return draft.refusal("bad_input", {
        what: `task ${named}`,
        problem: `it is ${task.status}, and only a task in progress can fail; cancel it instead`,
      });
    case "cancelled":
      if (task.status === "completed" || task.status === "cancelled") return closed;
      break;
  }
  if (change.assignee === undefined && change.dependsOn === undefined && change.agentType === undefined) return null;
  if (status === "completed" || status === "failed") {
    const problem = "a task that is closed gets no other assignee, agentType or dependsOn; leave them out";
    return draft.refusal("bad_input", { what: `task ${named}`, problem });
  }
  return task.status === "in_progress" && status === undefined ? taken() : null;
}

/** What is to be changed, by token and number; what is wrong with it goes into `faults`. */
function patchOf(draft: Draft, board: BoardRecord, task: TaskRecord, change: TaskChange, faults: Faults): TaskPatch {
  const { config } = draft.state;
  const { subject, description, dependsOn, priority, assignee, agentType, note } = change;
  const named = `task ${taskName(task.id)}`;
  if (config !== null) {
    const texts = { ...(subject !== undefined && { subject }), ...(description && { description }) };
    checkTask(named, { ...texts, ...(agentType && { agentType }) }, config, faults);
  }
  const upstreams = dependsOn === undefined ? undefined : [...new Set(dependsOn)];
  if (upstreams !== undefined) {
    checkDependencies(named, upstreams, board.tasks.length, faults);
    checkTaskCycle(
      board.tasks.map((each) => (each.id === task.id ? upstreams : each.dependsOn)),
      faults,
    );
  }
  const member = typeof assignee === "string" ? findAssignee(draft, task.id, assignee, faults) : undefined;
  const type = agentType === undefined ? task.agentType : agentType;
  const whom =
    member ?? (assignee === undefined && task.assignee !== null ? draft.mustMember(task.assignee) : undefined);
  if (config !== null && type !== null) checkType({ id: task.id, spec: { agentType: type } }, whom, config, faults);
  const types = config?.agentTypes ?? [];
  return {
    ...(subject !== undefined && { subject }),
    ...(description !== undefined && { description }),
    ...(upstreams !== undefined && { dependsOn: upstreams }),
    ...(priority !== undefined && { priority }),
    ...(assignee !== undefined && { assignee: member?.token ?? null }),
    ...(agentType !== undefined && {
      agentType: agentType === null ? null : (findAgentType(types, agentType)?.name ?? agentType),
    }),
    ...(note !== undefined && { note }),
  };
}

/** Fields whose change makes another task of it: whoever was asked before is asked anew. */
const needs = ["subject", "description", "assignee", "agentType"] as const;

function carryOut(draft: Draft, task: TaskRecord, patch: TaskPatch, change: TaskChange): TaskUpdateResult {
  const { from } = draft.input;
  const { id } = task;
  const isAnother = needs.some((need) => change[need] !== undefined);
  changeTask(draft, id, { ...patch, ...(isAnother && { offeredTo: null, declined: [] }) });
  const next = nextStatus(draft, task, change);
  if (next !== null) changeTask(draft, id, next);
  draft.postTeam(from, { type: "task.updated" }, { event: taskShown(draft, "task.updated", id) });
  const { status } = mustTask(draft, id);
  const wasDone = task.status === "completed";
  const unblocked = wasDone || status === "completed" ? refreshBlocked(draft, id) : [];
  if (status === "failed" && task.status !== "failed" && from !== "lead") tellFailed(draft, id);
  tellMembers(draft, task, patch);
  return { task: id, status, unblocked };
}

/** What the status that is asked for changes; null = nothing. */
function nextStatus(draft: Draft, before: TaskRecord, { status }: TaskChange): TaskPatch | null {
  const { from } = draft.input;
  const task = mustTask(draft, before.id);
  const rests = task.status === "pending" || task.status === "blocked";
  if (status === undefined || (status === "pending" && rests)) {
    // What it waits for may have changed.
    return rests ? { status: restingStatus(draft, task) } : null;
  }
  if (status !== "pending") return { status };
  // Whoever gives a task back is not woken for it again, and nobody waits for one that is gone.
  const declined = task.owner === from ? [from] : [];
  const isAwaited = task.assignee !== null && !isGone(draft, task.assignee);
  return { status: restingStatus(draft, task), owner: null, declined, assignee: isAwaited ? task.assignee : null };
}

function isGone(draft: Draft, token: string): boolean {
  const { work, presence } = draft.memberFacts(token);
  return work === "cancelled" || presence === "shutdown";
}

/** Tells whom a task was taken from, and who got one. Who is idle and may take it is woken when the session is settled. */
function tellMembers(draft: Draft, before: TaskRecord, patch: TaskPatch): void {
  const task = mustTask(draft, before.id);
  const { from } = draft.input;
  const presenceOf = (token: string) => draft.memberFacts(token).presence;
  const { owner } = before;
  const lost = before.status === "in_progress" && task.status !== "in_progress";
  if (lost && owner !== null && owner !== from && presenceOf(owner) === "running")
    notifyOfTask(draft, owner, "task_withdrawn", task);
  const { assignee } = task;
  const isNew = patch.assignee !== undefined && assignee !== null && assignee !== before.assignee;
  if (isNew && assignee !== from && presenceOf(assignee) !== "idle")
    notifyOfTask(draft, assignee, "task_assigned", task);
}
