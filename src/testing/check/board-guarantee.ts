import { findCycle, type BoardRecord, type MemberRecord, type TaskRecord } from "../../machines/index.ts";
import { isOver, teamState, type Guarantee, type JudgedState } from "./guarantee.ts";
import { boardStepProblem } from "./board-step-guarantee.ts";

/** G13: what holds for the tasks of a team with a board, in every settled state and for every step. */

/** The member of a token, or what is wrong with it. */
type Whose = (token: string) => MemberRecord | undefined;

const isDone = (board: BoardRecord, id: number): boolean => board.tasks[id - 1]?.status === "completed";

/** What is wrong with a task by itself, or null. */
function taskProblem(
  { facts }: Pick<JudgedState, "facts">,
  board: BoardRecord,
  task: TaskRecord,
  whose: Whose,
  isGoing: boolean,
): string | null {
  const { id, status, owner, assignee, offeredTo, dependsOn } = task;
  const isOpen = status === "pending" || status === "blocked";
  if (isOpen && owner !== null) return `#${id} is ${status} and has an owner`;
  if (offeredTo !== null && status !== "pending") return `#${id} is ${status} and offered`;
  // Nobody is woken twice for the same need.
  if (offeredTo !== null && task.declined.includes(offeredTo)) return `#${id} woke somebody twice`;
  if (isOpen && dependsOn.every((up) => isDone(board, up)) !== (status === "pending")) return `#${id} is ${status}`;
  if (isGoing) return null;
  if (status === "in_progress") {
    const member = owner === null ? undefined : whose(owner);
    if (member === undefined) return `#${id} is in progress and nobody's`;
    const { work, presence } = facts.member(member.snapshot);
    const isThere = presence === "running" || presence === "idle" || presence === "draining";
    if (!isThere || (work !== "in_progress" && work !== "completed")) return `#${id} is left with ${member.name}`;
  }
  const awaited = isOpen && assignee !== null ? whose(assignee) : undefined;
  if (awaited === undefined) return null;
  const { work, presence } = facts.member(awaited.snapshot);
  return work === "cancelled" || presence === "shutdown" ? `#${id} waits for ${awaited.name}, who is gone` : null;
}

/** Who should have been woken for a task and was not, or null. */
function sleeper({ session, facts }: JudgedState, board: BoardRecord, task: TaskRecord): string | null {
  if (task.status !== "pending") return null;
  if (task.offeredTo !== null) {
    const member = session.members.get(task.offeredTo);
    const presence = member === undefined ? "gone" : facts.member(member.snapshot).presence;
    return presence === "running" || presence === "draining" ? null : `#${task.id} is offered to nobody who is there`;
  }
  for (const { token, name, agentType, snapshot } of session.members.values()) {
    const { work, presence } = facts.member(snapshot);
    const { requirePlan, planned } = snapshot.context;
    const mayWork = (work === "in_progress" || work === "completed") && (planned || !requirePlan);
    const isItsOwn = task.assignee === null ? board.selfClaim : task.assignee === token;
    const isOfType = task.agentType === null || task.agentType === agentType;
    if (presence !== "idle" || !mayWork || !isItsOwn || !isOfType || task.declined.includes(token)) continue;
    return `${name} may take #${task.id} and sleeps`;
  }
  return null;
}

/** No task is orphaned, has two owners or is taken before its time, and none that somebody may take is slept over. */
export const boardGuarantee: Guarantee = {
  name: "G13 a task has one owner who works, is taken in its turn, and is not slept over",
  state(state) {
    const { session, facts } = state;
    const board = session.team?.board ?? null;
    if (board === null) return null;
    const standing = teamState(state);
    const isGoing = standing === "dissolving" || isOver(standing);
    let unfinished = 0;
    for (const [index, task] of board.tasks.entries()) {
      if (task.id !== index + 1) return `#${task.id} stands in the place of #${index + 1}`;
      if (task.status !== "completed" && task.status !== "cancelled") unfinished++;
      const problem =
        taskProblem({ facts }, board, task, (token) => session.members.get(token), isGoing) ??
        (isGoing ? null : sleeper(state, board, task));
      if (problem !== null) return problem;
      const isOpen = task.status === "pending" || task.status === "blocked" || task.status === "in_progress";
      if (isOver(standing) && isOpen) return `the team is over and #${task.id} is ${task.status}`;
    }
    if (unfinished !== board.unfinished) return `${unfinished} are unfinished and the board counts ${board.unfinished}`;
    if (standing === "finished" && unfinished > 0) return "the team is finished with a task to be done";
    const graph = board.tasks.map(({ dependsOn }) => dependsOn.map((id) => id - 1));
    return findCycle(graph) === null ? null : "the tasks have a cycle";
  },
  step: boardStepProblem,
};
