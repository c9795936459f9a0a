import type { KernelRecord, MemberRecord, SessionState } from "../../machines/index.ts";
import type { CommandKey, InputEvent } from "../../protocol/input.ts";
import { canonicalRecipient, collisionKey } from "../../protocol/names.ts";
import type { Plan } from "../../protocol/plan.ts";
import type { TaskChange, TaskSpec } from "../../protocol/task.ts";

/**
 * What an input says to this session, part by part, without names of runs and calls, texts, sizes and times: two inputs with
 * the same parts mean the same thing to the kernel.
 */
export function inputParts(session: SessionState, { input, plan }: KernelRecord): string[] {
  const { actor, from, epoch, event, command } = input;
  const run = runOf(session, actor);
  const parts = [event.type, actorText(event, actor), senderText(session, from)];
  if (epoch !== session.epoch && isFenced(input)) parts.push(epoch < session.epoch ? "older epoch" : "newer epoch");
  if (command !== undefined) parts.push(commandText(session, from, command));
  return [...parts, ...eventText(session, run, event), ...planParts(session, plan)].filter((part) => part !== "");
}

/** Whether the owner's epoch at the time decides: of what a run says, and of what an owner says of it. */
const isFenced = ({ event, command }: KernelRecord["input"]): boolean =>
  "run" in event || (command !== undefined && "call" in command);

type Open = Pick<MemberRecord, "run" | "snapshot" | "unread">;

const runOf = (session: SessionState, token: string): Pick<MemberRecord, "run" | "unread"> & { readonly n: number } => {
  const owner: Open | SessionState["lead"] = session.members.get(token) ?? session.lead;
  return { run: owner.run, unread: owner.unread, n: owner.snapshot.context.run };
};

/** What a run reports is for its actor; whom a command is for stands in it, whatever mailbox it was put into. */
const actorText = (event: InputEvent, actor: string): string => ("run" in event ? actor : "");

/** Without a hosted lead the host speaks as the user and as the Lead. */
function senderText(session: SessionState, from: string): string {
  if (from === "system" || from === "session") return "owner";
  return from === "lead" && session.config?.lead !== "hosted" ? "user" : from;
}

function commandText(session: SessionState, from: string, command: CommandKey): string {
  if ("client" in command) {
    // A host numbers its commands; one without a number says the same.
    const last = session.clients.get(command.client)?.last ?? 0;
    return command.n > last ? "" : "repeated";
  }
  const { run, n } = runOf(session, from);
  const place = run.calls.indexOf(command.call);
  const known = run.remembered.some(({ call }) => call === command.call) ? " again" : "";
  return `call ${place}${known} of run ${command.run - n}`;
}

function eventText(session: SessionState, { run, unread, n }: ReturnType<typeof runOf>, event: InputEvent): string[] {
  const texts: string[] = [];
  if ("run" in event && "k" in event) texts.push(`run ${event.run - n}, report ${event.k - run.k}`);
  else if ("run" in event) texts.push(`run ${event.run - n}`);
  if ("call" in event && event.call !== undefined && event.type !== "poll.ended")
    texts.push(`call ${run.calls.indexOf(event.call)}`);
  if ("hook" in event && event.hook !== undefined)
    texts.push("on" in event.hook ? `kept by a hook on ${event.hook.on}` : "refused by a hook");
  switch (event.type) {
    case "run.failed":
      if (event.stop === true) texts.push("stopped by a hook");
      break;
    case "team.invite":
      texts.push(event.agent === null ? "not offered" : "offered");
      break;
    case "run.injected":
      texts.push(unread.every(({ id }) => event.mail.includes(id)) ? "all mail" : "some mail");
      break;
    case "shutdown.replied":
      texts.push(String(event.accept));
      break;
    case "external.asked":
      texts.push(event.timeoutMs === undefined ? "" : "for a while");
      break;
    case "message.send":
      texts.push(recipientText(session, event.to));
      break;
    case "team.dissolve":
      texts.push(event.mode);
      break;
    case "team.status":
      texts.push(event.since === undefined || event.since < session.notableVersion ? "at once" : "waits");
      break;
    case "task.claim":
      texts.push(event.task === undefined ? "next task" : `#${event.task}`);
      if (event.owner !== undefined) texts.push(recipientText(session, event.owner));
      break;
    case "timer.due":
      texts.push(event.key, String(event.epoch - session.epoch));
      break;
    case "member.interrupt":
      texts.push(collisionKey(event.member));
      break;
    case "permission.ask":
      texts.push(event.kind, event.approver);
      break;
    case "permission.answer":
      texts.push(`request ${session.requests.findIndex(({ id }) => id === event.request)} ${event.approve}`);
      break;
    case "plan.answer":
      texts.push(`${collisionKey(event.member)} ${event.approve}`);
      break;
    case "owner.claimed":
      texts.push(event.epoch > session.epoch ? "newer" : "older");
      break;
    default:
  }
  return texts;
}

function recipientText(session: SessionState, to: string): string {
  const name = canonicalRecipient(to);
  return session.team?.byKey.get(collisionKey(name)) ?? name;
}

/** What steers of a task or of its change. */
function taskText(session: SessionState, { assignee, ...plan }: TaskSpec | TaskChange): string {
  const { subject: _subject, description: _description, ...steering } = plan;
  const whom = typeof assignee === "string" ? recipientText(session, assignee) : assignee;
  const texts = "task" in plan && (plan.subject !== undefined || plan.description !== undefined);
  return JSON.stringify({ ...steering, note: undefined, assignee: whom, texts });
}

/** What a plan does, with added members by their places. */
function planParts(session: SessionState, plan: Plan | undefined): string[] {
  if (plan === undefined) return [];
  if ("agent" in plan) {
    const { agent, as = agent, dependsOn } = plan;
    return [JSON.stringify([collisionKey(agent), collisionKey(as), dependsOn])];
  }
  if ("task" in plan || "subject" in plan) return [taskText(session, plan)];
  if (!("rewire" in plan)) return [];
  const { cancel, retry, add, rewire, shutdown } = plan;
  const added = add.map(({ lifetime, replaces, dependsOn }) => [lifetime, replaces ?? null, dependsOn ?? null]);
  return [JSON.stringify([cancel, retry.map(({ name }) => name), added, rewire, shutdown])];
}
