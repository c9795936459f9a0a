import type { SessionConfig } from "../../protocol/session-config.ts";
import type { MemberSpec, TeamSpec } from "../../protocol/spec.ts";
import type { BoardSpec, TaskSpec } from "../../protocol/task.ts";
import { findAgentType } from "../../protocol/default-agent-type.ts";
import { boardOf, putTasks, restingStatus } from "./board.ts";
import { taskName, type BoardRecord, type TaskRecord } from "./board-state.ts";
import type { Draft } from "./draft.ts";
import type { Faults } from "./faults.ts";
import { boardOfSpec, checkNewTasks, numberTasks, seedsOf, type NewTask } from "./task-checks.ts";
import { notifyOfTask } from "./task-notices.ts";

/** Tasks that come with a team or with members that are added to it. */

/** A task with the token of its assignee, if there is one. */
export interface AssignedTask extends NewTask {
  readonly assignee: string | null;
}

/** A board without tasks. */
export const emptyBoard = ({ selfClaim, onOwnerGone }: BoardSpec): BoardRecord => ({
  selfClaim,
  onOwnerGone,
  tasks: [],
  unfinished: 0,
});

/** A member that brings seed tasks, by its token. */
type Bringing = Pick<MemberSpec, "agentType"> & { readonly token: string };

/** The seed tasks of these members, behind the tasks that there are. */
export function seedTasks(members: readonly Bringing[], config: SessionConfig, count: number): AssignedTask[] {
  const tasks: AssignedTask[] = [];
  for (const member of members) {
    const before = count + tasks.length;
    for (const task of numberTasks(seedsOf(member, config), before + 1, before))
      tasks.push({ ...task, assignee: member.token });
  }
  return tasks;
}

/**
 * The board of a declared team and the tasks on it, or null for a team without one. `tokenOf` finds a member by the name
 * that a task gives.
 */
export function declaredTasks(
  spec: TeamSpec,
  {
    config,
    tokens,
    tokenOf,
  }: { config: SessionConfig; tokens: readonly string[]; tokenOf: (name: string) => string | null },
  faults: Faults,
): { readonly board: BoardSpec; readonly tasks: readonly AssignedTask[] } | null {
  const board = boardOfSpec(spec, config);
  if (board === null) return null;
  const declared = numberTasks(spec.tasks ?? [], 1).map((task): AssignedTask => {
    const { assignee } = task.spec;
    const token = assignee === undefined ? null : tokenOf(assignee);
    if (assignee !== undefined && token === null) {
      faults.unknownMember(
        assignee,
        spec.members.map(({ name }) => name),
      );
    }
    if (token !== null) checkType(task, spec.members[tokens.indexOf(token)], config, faults);
    return { ...task, assignee: token };
  });
  const bringing = spec.members.map(({ agentType }, index) => ({ agentType, token: tokens[index] ?? "" }));
  const tasks = [...declared, ...seedTasks(bringing, config, declared.length)];
  checkNewTasks(tasks, { count: 0, graph: [], config }, faults);
  return { board, tasks };
}

/** A task for members of one type can't be assigned to one of another. */
export function checkType(
  { id, spec }: Pick<NewTask, "id"> & { readonly spec: Pick<TaskSpec, "agentType"> },
  member: Pick<MemberSpec, "name" | "agentType"> | undefined,
  config: SessionConfig,
  faults: Faults,
): void {
  if (spec.agentType === undefined || member === undefined) return;
  const typeOf = (name: string): string => findAgentType(config.agentTypes, name)?.name ?? name;
  const [wanted, own] = [typeOf(spec.agentType), typeOf(member.agentType)];
  if (wanted === own) return;
  const problem = `it is of type ${own}, and the task is for ${wanted}`;
  faults.add("not_assignable", { task: taskName(id), name: member.name, problem });
}

/** Finds what is wrong with the seed tasks of members that a plan adds. */
export function checkSeeds(draft: Draft, members: readonly Bringing[], faults: Faults): void {
  const { config, team } = draft.state;
  if (config === null || team === null) return;
  const tasks = team.board?.tasks ?? [];
  const graph = tasks.map(({ dependsOn }) => dependsOn);
  checkNewTasks(seedTasks(members, config, tasks.length), { count: tasks.length, graph, config }, faults);
}

/** Puts checked tasks onto the board, and tells their assignees. */
export function placeTasks(draft: Draft, tasks: readonly AssignedTask[]): void {
  if (tasks.length === 0) return;
  const { at, from } = draft.input;
  const types = draft.state.config?.agentTypes ?? [];
  const records = tasks.map(({ spec, id, dependsOn, assignee }): TaskRecord => ({
    id,
    subject: spec.subject,
    description: spec.description ?? null,
    priority: spec.priority,
    dependsOn,
    assignee,
    agentType: spec.agentType === undefined ? null : (findAgentType(types, spec.agentType)?.name ?? spec.agentType),
    // Its dependencies may stand behind it: what waits for nothing is looked for once all are there.
    status: "blocked",
    owner: null,
    note: null,
    addedBy: from,
    since: at,
    offeredTo: null,
    declined: [],
  }));
  const first = boardOf(draft).tasks.length;
  putTasks(draft, records);
  const board = boardOf(draft);
  const settled = board.tasks.map((task, index) =>
    index < first ? task : { ...task, status: restingStatus(draft, task) },
  );
  draft.changeTeam({ board: { ...board, tasks: settled } });
  const told = new Map(settled.slice(first).flatMap((task) => (task.assignee === null ? [] : [[task.assignee, task]])));
  for (const [token, task] of told) {
    // Who is idle is woken when the session is settled, and told then.
    if (token !== from && draft.memberFacts(token).presence !== "idle")
      notifyOfTask(draft, token, "task_assigned", task);
  }
}
