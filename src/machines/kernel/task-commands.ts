import type { Refusal } from "../../errors/index.ts";
import type { InputOf } from "../../protocol/input.ts";
import type { TaskAddResult } from "../../protocol/reply.ts";
import type { TaskSpec } from "../../protocol/task.ts";
import { isClosed, taskName, waitingOn, type BoardRecord, type TaskRecord } from "./board-state.ts";
import { changeTask, mustTask, taskShown } from "./board.ts";
import type { Draft } from "./draft.ts";
import { Faults } from "./faults.ts";
import { checkType, placeTasks } from "./new-tasks.ts";
import { findMember, memberNames, nameOf } from "./roster.ts";
import { isDissolving, statusOf } from "./standing.ts";
import { checkNewTasks, numberTasks } from "./task-checks.ts";
import { notifyOfTask } from "./task-notices.ts";
import { claimable, mayTake, takesTasks } from "./task-offers.ts";
import type { MemberRecord } from "./state.ts";

/** Adding and taking tasks. Every way checks owner, dependencies and cycles; a refusal has changed nothing. */

/** The board that there is to work with, or why not. */
export function openBoard(draft: Draft): BoardRecord | Refusal {
  const { team } = draft.state;
  if (team === null) return draft.refusal("no_team", {});
  if (isDissolving(draft)) return draft.refusal("team_dissolved", { team: team.name });
  if (team.board !== null) return team.board;
  const how = "Declare board or tasks with the team, or give the system a board";
  return draft.refusal("disabled", { what: `the task board of "${team.name}"`, how });
}

/** Whether a board was not to be had. */
export const isRefusal = (board: BoardRecord | Refusal): board is Refusal => "code" in board;

/** The task of this number, or that there is none. */
export const findTask = (draft: Draft, board: BoardRecord, id: number): TaskRecord | Refusal =>
  board.tasks[id - 1] ?? draft.refusal("unknown_task", { task: taskName(id), count: board.tasks.length });

/** The member that a task is to be assigned to, checked; undefined when something is wrong with it. */
export function findAssignee(draft: Draft, id: number, name: string, faults: Faults): MemberRecord | undefined {
  const member = findMember(draft, name);
  if (member === undefined) {
    faults.unknownMember(name, memberNames(draft));
    return undefined;
  }
  const { work, presence } = draft.memberFacts(member.token);
  const isGone = work === "failed" || work === "cancelled" || presence === "shutdown" || presence === "draining";
  if (!isGone) return member;
  const problem = `it is ${statusOf(draft, member.token)}`;
  faults.add("not_assignable", { task: taskName(id), name: member.name, problem });
  return undefined;
}

/** Adds one task. A member may keep it for itself or leave it to all; it gives nobody else work. */
export function addTask(draft: Draft, spec: TaskSpec): readonly Refusal[] | TaskAddResult {
  const board = openBoard(draft);
  if (isRefusal(board)) return [board];
  const { config } = draft.state;
  const { from } = draft.input;
  const id = board.tasks.length + 1;
  const faults = new Faults();
  const added = numberTasks([spec], id);
  const graph = board.tasks.map(({ dependsOn }) => dependsOn);
  if (config !== null) checkNewTasks(added, { count: board.tasks.length, graph, config }, faults);
  const assignee = spec.assignee === undefined ? null : findAssignee(draft, id, spec.assignee, faults);
  if (assignee !== null && assignee !== undefined) {
    if (config !== null) checkType({ id, spec }, assignee, config, faults);
    if (draft.member(from) !== undefined && assignee.token !== from) {
      const reason = "only the Lead or the user gives work to others; leave out assignee";
      faults.add("permission_denied", { tool: "team_task_add", reason });
    }
  }
  if (faults.list.length > 0) return faults.list;
  placeTasks(
    draft,
    added.map((task) => ({ ...task, assignee: assignee?.token ?? null })),
  );
  draft.postTeam(from, { type: "task.added" }, { event: taskShown(draft, "task.added", id) });
  return { task: id, status: mustTask(draft, id).status };
}

type Claim = InputOf<"task.claim">;

/** Who is to own a task: the member that asks, or whom the Lead or the user names. */
function ownerOf(draft: Draft, { owner }: Claim): MemberRecord | Refusal[] {
  const member = draft.member(draft.input.from);
  if (member !== undefined) {
    if (owner === undefined || findMember(draft, owner) === member) return member;
    const reason = "a member takes tasks for itself; leave out owner";
    return [draft.refusal("permission_denied", { tool: "team_task_claim", reason })];
  }
  if (owner === undefined) {
    const problem = "it is missing; name the member that is to do it";
    return [draft.refusal("bad_input", { what: "owner", problem })];
  }
  const named = findMember(draft, owner);
  if (named !== undefined) return named;
  const faults = new Faults();
  faults.unknownMember(owner, memberNames(draft));
  return [...faults.list];
}

/** Why a member can take no task now, or null. */
function busyWith(draft: Draft, { token, snapshot }: MemberRecord): string | null {
  if (takesTasks(draft, token)) return null;
  const { requirePlan, planned } = snapshot.context;
  const { activity, presence } = draft.facts.member(snapshot);
  if (activity === "completing") return "it is completing";
  if (requirePlan && !planned && (presence === "running" || presence === "idle")) return "its plan is not approved yet";
  return `it is ${statusOf(draft, token)}`;
}

/** Takes a task: the number of it, or null when there is none to take. */
export function claimTask(draft: Draft, claim: Claim): readonly Refusal[] | { readonly task: number | null } {
  const board = openBoard(draft);
  if (isRefusal(board)) return [board];
  const owner = ownerOf(draft, claim);
  if (Array.isArray(owner)) return owner;
  const task = claim.task === undefined ? undefined : findTask(draft, board, claim.task);
  if (task !== undefined && "code" in task) return [task];
  const problem = busyWith(draft, owner);
  if (problem !== null) {
    const wanted = claim.task === undefined ? "" : taskName(claim.task);
    return [draft.refusal("not_assignable", { task: wanted, name: owner.name, problem })];
  }
  const { from } = draft.input;
  const isOwn = from === owner.token;
  if (task === undefined) {
    // The Lead and the user may give away what members may not help themselves to.
    const open = isOwn ? board : { ...board, selfClaim: true };
    const next = claimable(board).find((each) => mayTake(draft, open, each, owner.token));
    if (next !== undefined) take(draft, next, owner.token);
    return { task: next?.id ?? null };
  }
  const refused = refuseTask(draft, board, task, owner, isOwn);
  if (refused !== null) return [refused];
  if (task.status !== "in_progress") take(draft, task, owner.token);
  return { task: task.id };
}

/** Why this task is not to be had, or null. */
function refuseTask(
  draft: Draft,
  board: BoardRecord,
  task: TaskRecord,
  owner: MemberRecord,
  isOwn: boolean,
): Refusal | null {
  const named = taskName(task.id);
  if (task.status === "in_progress") {
    if (task.owner === owner.token) return null;
    return draft.refusal("task_taken", { task: named, owner: nameOf(draft, task.owner ?? "") });
  }
  if (isClosed(task)) return draft.refusal("task_closed", { task: named, status: task.status });
  if (task.status === "blocked")
    return draft.refusal("task_blocked", { task: named, waitingOn: waitingOn(board, task).map(taskName) });
  if (task.agentType !== null && owner.agentType !== task.agentType) {
    const problem = `it is of type ${owner.agentType}, and the task is for ${task.agentType}`;
    return draft.refusal("not_assignable", { task: named, name: owner.name, problem });
  }
  if (task.assignee !== null && task.assignee !== owner.token)
    return draft.refusal("task_taken", { task: named, owner: nameOf(draft, task.assignee) });
  if (isOwn && task.assignee === null && !board.selfClaim) {
    const reason = "tasks of this team are given out by the Lead (selfClaim is off)";
    return draft.refusal("permission_denied", { tool: "team_task_claim", reason });
  }
  return null;
}

/** Makes the member the owner. Who did not take it itself is told. */
function take(draft: Draft, task: TaskRecord, token: string): void {
  const { from } = draft.input;
  const taken = changeTask(draft, task.id, { status: "in_progress", owner: token });
  draft.postTeam(from, { type: "task.claimed" }, { event: taskShown(draft, "task.claimed", task.id) });
  if (from !== token) notifyOfTask(draft, token, "task_assigned", taken);
}
