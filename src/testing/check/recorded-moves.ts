import { displayName, type KernelRecord, type SessionState } from "../../machines/index.ts";
import { isCommand, type Command } from "../../machines/kernel/commands.ts";
import { isRunInput } from "../../machines/kernel/run-inputs.ts";
import type { CommandKey } from "../../protocol/input.ts";
import type { Move, World } from "./move.ts";
import { planText } from "./plan-text.ts";

/**
 * Families of moves that no check explores, because they have a member for every text, size and plan: what anybody may ask
 * for, sensibly or not, and what a run says too late. The parameters come from the recording; who may speak here, and by
 * which run and call, comes from the state.
 */

/** The move of a family that this input is, or null. */
export function recordedMove(world: Omit<World, "add" | "wants">, record: KernelRecord): Move | null {
  const { event } = record.input;
  if (isCommand(event)) return commandMove(world, record, event);
  return isRunInput(event) ? reportMove(world, record) : hostMove(world, record);
}

type Given = Omit<World, "add" | "wants">;

const asMove = (name: string, { input, plan }: KernelRecord): Move => {
  const { actor, from, epoch, event, command } = input;
  return {
    name,
    budget: null,
    input: { actor, from, epoch, event, ...(command && { command }), ...(plan && { plan }) },
  };
};

/** A command of the host, or of a run by a call that is open, or that was when its run was alive. */
function commandMove(world: Given, record: KernelRecord, event: Command): Move | null {
  const { session } = world;
  const { from, command, epoch } = record.input;
  // An owner may be gone by the time its command is stored; none can be of an owner to come.
  if (epoch > session.epoch) return null;
  const speaker = nameOf(session, from);
  const isHostly = isHost(session, from);
  const text = commandText(event, record);
  const what =
    event.type === "team.replan" && isHostly
      ? `a replan ${text}`
      : event.type === "team.replan"
        ? `${speaker} replans: ${text}`
        : `${speaker} ${text}`;
  if (command === undefined || "client" in command)
    return isHostly ? asMove(`${what}${repeatText(session, command)}`, record) : null;
  const run = runOf(world, from);
  if (run === null || command.run > run.n || command.run === 0) return null;
  const isOver = command.run < run.n || !run.isLive;
  if (isOver) return asMove(`${what} too late`, record);
  const isKnown = run.remembered.includes(command.call);
  // What a function agent does by itself has keys of its own: they are calls that no model made.
  const isOwn = ownCommands.has(event.type);
  const isOpen = run.calls.includes(command.call) || isOwn;
  if (isKnown) return asMove(`${what} again`, record);
  return isOpen ? asMove(what, record) : null;
}

const ownCommands: ReadonlySet<Command["type"]> = new Set([
  "message.send",
  "permission.ask",
  "mail.acknowledge",
  "task.add",
  "task.claim",
  "task.update",
]);

/** The host speaks as the user; as the Lead only where no run does. */
const isHost = (session: SessionState, from: string): boolean =>
  from === "user" || (from === "lead" && session.config?.lead !== "hosted");

function repeatText(session: SessionState, command: Extract<CommandKey, { client: string }> | undefined): string {
  if (command === undefined) return "";
  const last = session.clients.get(command.client)?.last ?? 0;
  if (command.n <= last) return " again";
  return command.n === last + 1 ? "" : " ahead of an earlier command";
}

/** What a run reads of its mail, what its sub-agents do, and what it says once it or its owner is over, which changes nothing. */
function reportMove(world: Given, record: KernelRecord): Move | null {
  const { actor, from, event, epoch } = record.input;
  const run = runOf(world, actor);
  if (actor !== from || run === null || !("run" in event) || event.run > run.n || event.run === 0) return null;
  const name = nameOf(world.session, actor);
  const isNext = "k" in event && event.run === run.n && event.k === run.k + 1 && epoch === world.session.epoch;
  if (run.isLive && isNext && event.type === "run.injected" && run.calls.length === 0)
    return asMove(`${name} reads ${event.mail.length} of ${run.unread} messages`, record);
  // A sub-agent works within a call of the run that started it, and its answers count as that run's.
  if (run.isLive && isNext && event.type === "run.answered" && run.calls.length > 0)
    return asMove(`a sub-agent of ${name} is answered`, record);
  const isOver = event.run < run.n || !run.isLive || (epoch < world.session.epoch && epoch !== run.adopted);
  return isOver ? asMove(`${name} reports too late: ${event.type}`, record) : null;
}

/** What the owner finds too late: a run that is over, a timer that is disarmed, an owner that others have followed. */
function hostMove({ session, facts }: Given, record: KernelRecord): Move | null {
  const { actor, from, event, epoch } = record.input;
  if (from !== "system") return null;
  switch (event.type) {
    case "session.opened":
      return asMove(session.config === null ? "the session is opened" : "the session is opened again", record);
    case "run.lost": {
      const run = runOf({ session, facts }, actor);
      const isLate = run !== null && (event.run < run.n || !run.isLive || epoch < session.epoch);
      return isLate ? asMove(`the run of ${nameOf(session, actor)} is lost too late`, record) : null;
    }
    case "timer.due":
      return event.epoch <= session.epoch && epoch <= session.epoch
        ? asMove(`a timer fires too late: ${event.key.split(":")[0] ?? ""}`, record)
        : null;
    case "owner.claimed":
      // Epochs come from a lease and may leave numbers out.
      return asMove(event.epoch > session.epoch ? "the owner changes" : "an old owner claims the session", record);
    case "owner.released":
      return event.epoch <= session.epoch ? asMove("the owner leaves", record) : null;
    case "worktree.opened":
    case "worktree.closed": {
      // Where somebody works on files steers nobody.
      const does = event.type === "worktree.opened" ? "gets a worktree" : "leaves its worktree";
      return epoch <= session.epoch ? asMove(`${event.member.slice(0, 80)} ${does}`, record) : null;
    }
    case "session.closed":
      return asMove("the session is closed", record);
    default:
      return null;
  }
}

interface RunInView {
  readonly n: number;
  readonly isLive: boolean;
  readonly adopted: number | null;
  readonly k: number;
  readonly unread: number;
  readonly calls: readonly string[];
  readonly remembered: readonly string[];
}

function runOf({ session, facts }: Pick<Given, "session" | "facts">, token: string): RunInView | null {
  const member = session.members.get(token);
  if (member === undefined && (token !== "lead" || session.config?.lead !== "hosted")) return null;
  const { run, snapshot, unread } = member ?? session.lead;
  const isLive =
    member === undefined ? facts.lead(session.lead.snapshot).live : facts.member(member.snapshot).activity !== null;
  const { calls, remembered, adopted, k } = run;
  return {
    n: snapshot.context.run,
    isLive,
    adopted,
    k,
    unread: unread.length,
    calls,
    remembered: remembered.map(({ call }) => call),
  };
}

const nameOf = (session: SessionState, token: string): string =>
  displayName(session, (each) => session.members.get(each), token);

/** Names and notes can be long; a move's name is for a person. */
const shown = (text: string): string => JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);

function commandText(event: Command, { plan }: KernelRecord): string {
  switch (event.type) {
    case "team.create":
      return plan !== undefined && "members" in plan
        ? `creates a team of ${plan.members
            .map(({ name }) => name)
            .join(", ")
            .slice(0, 200)}`
        : "creates a team without a plan";
    case "team.replan":
      return plan !== undefined && "rewire" in plan ? planText(plan) : "without a plan";
    case "team.invite":
      return plan !== undefined && "agent" in plan ? `invites ${shown(plan.agent)}` : "invites nobody";
    case "team.dissolve":
      return event.mode === "abort" ? "aborts the team" : "dissolves the team";
    case "message.send":
      return `sends ${event.bytes} bytes to ${shown(event.to)}`;
    case "team.status":
      return event.since === undefined ? "looks at the team" : "waits for news";
    case "poll.ended":
      return "waits no longer";
    case "task.add":
      return "adds a task";
    case "task.claim":
      return `takes ${event.task === undefined ? "a task" : `#${event.task}`}${event.owner === undefined ? "" : ` for ${shown(event.owner)}`}`;
    case "task.update":
      return plan !== undefined && "task" in plan ? `changes #${plan.task}` : "changes a task";
    case "work.complete":
      return "completes";
    case "plan.submit":
      return "submits a plan";
    case "plan.answer":
      return `${event.approve ? "approves" : "rejects"} the plan of ${shown(event.member)}`;
    case "permission.ask":
      return `asks for a permission: ${event.kind}, ${event.approver}`;
    case "permission.answer":
      return `${event.approve ? "approves" : "denies"} a request`;
    case "external.answer":
      return "finishes a call from outside";
    case "question.ask":
      return "asks the user";
    case "question.answer":
      return "answers a question";
    case "lead.prompt":
      return `prompts with ${event.bytes} bytes`;
    case "lead.injected":
      return `reads ${event.mail.length} messages`;
    case "member.interrupt":
      return `interrupts ${shown(event.member)}`;
    case "mail.acknowledge":
      return `acknowledges ${event.mail.length} messages`;
  }
}
