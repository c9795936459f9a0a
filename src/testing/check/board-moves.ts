import { membersInOrder, type MemberRecord, type TaskRecord } from "../../machines/index.ts";
import type { InputEvent } from "../../protocol/input.ts";
import type { Plan } from "../../protocol/plan.ts";
import { TaskChange, TaskSpec, type TaskSpecInput } from "../../protocol/task.ts";
import { inMove } from "./move-name.ts";
import type { MoveInput, World } from "./move.ts";

/** What may be done to a team's tasks, forbidden things too; nothing without a board. All of it has the budget `task`. */

/** Makes a move of a command of somebody. */
type Say = (name: string, event: InputEvent, plan?: Plan) => void;

const tasksOf = ({ session }: Pick<World, "session">): readonly TaskRecord[] => session.team?.board?.tasks ?? [];

const add = (say: Say, name: string, spec: Omit<TaskSpecInput, "subject">): void =>
  say(name, { type: "task.add", plan: "plan" }, TaskSpec.parse({ ...spec, subject: "task" }));

const change = (say: Say, name: string, spec: TaskChange): void =>
  say(name, { type: "task.update", plan: "plan" }, TaskChange.parse(spec));

/** Whether there is a board, and whether anybody may do anything to it. */
const isAsked = ({ session, wants }: World): boolean => (session.team?.board ?? null) !== null && wants("task");

/** What the user does to the tasks; without a hosted lead the host speaks as the Lead. */
export function addBoardMoves(world: World): void {
  if (!isAsked(world)) return;
  const { session } = world;
  const actor = session.team?.token ?? "session";
  const say: Say = (name, event, plan) => {
    const input: MoveInput = { actor, from: "user", event, ...(plan && { plan }) };
    world.add(`user ${name}`, "task", input);
  };
  add(say, "adds a task", {});
  const last = tasksOf(world).length;
  if (last > 0) add(say, `adds a task behind #${last}`, { dependsOn: [last] });
  const members = membersInOrder(session).map(({ name }) => name);
  for (const name of members) add(say, `adds a task for ${inMove(name)}`, { assignee: name });
  addLeadChanges(world, say);
}

/** What the Lead does to the tasks by an open call. */
export function addLeadBoardMoves(
  world: World,
  input: Omit<MoveInput, "event">,
  called: (text: string) => string,
): void {
  if (!isAsked(world)) return;
  const say: Say = (name, event, plan) =>
    world.add(called(`Lead ${name}`), "task", { ...input, event, ...(plan && { plan }) });
  add(say, "adds a task", {});
  addLeadChanges(world, say);
}

/** What only the Lead and the user may do to tasks that are there. */
function addLeadChanges(world: World, say: Say): void {
  const members = membersInOrder(world.session).map(({ name }) => name);
  for (const { id: task, assignee, status } of tasksOf(world)) {
    for (const owner of members) {
      const shown = inMove(owner);
      say(`gives #${task} to ${shown}`, { type: "task.claim", task, owner });
      change(say, `keeps #${task} for ${shown}`, { task, assignee: owner });
    }
    if (assignee !== null) change(say, `leaves #${task} to all`, { task, assignee: null });
    change(say, `cancels #${task}`, { task, status: "cancelled" });
    change(say, `completes #${task}`, { task, status: "completed" });
    if (status !== "pending" && status !== "blocked") change(say, `opens #${task} again`, { task, status: "pending" });
    if (task > 1) change(say, `puts #${task - 1} behind #${task}`, { task: task - 1, dependsOn: [task] });
  }
}

/** What a member does to the tasks by an open call, or a function agent by itself. */
export function addMemberBoardMoves(
  world: World,
  member: MemberRecord,
  command: (what: string, event: InputEvent, plan?: Plan) => void,
): void {
  if (!isAsked(world)) return;
  command("takes a task", { type: "task.claim" });
  add(command, "adds a task", {});
  for (const { id: task } of tasksOf(world)) {
    command(`takes #${task}`, { type: "task.claim", task });
    change(command, `completes #${task}`, { task, status: "completed" });
    change(command, `fails #${task}`, { task, status: "failed" });
    change(command, `gives #${task} back`, { task, status: "pending" });
    change(command, `tries to cancel #${task}`, { task, status: "cancelled" });
  }
  const other = membersInOrder(world.session).find(({ token }) => token !== member.token);
  if (other !== undefined) add(command, `tries to add a task for ${inMove(other.name)}`, { assignee: other.name });
}
