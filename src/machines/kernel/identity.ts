import type { CommandKey } from "../../protocol/input.ts";
import type { Reply } from "../../protocol/reply.ts";
import type { Draft } from "./draft.ts";
import type { ClientRecord, CommandRef, RunData } from "./state.ts";

/**
 * Commands are done once: one of a tool call is known by its call id while the call is open, one of a client by its
 * number, accepted only in order. Whoever repeats one gets the first reply again.
 */

/** Replies remembered per client. */
const repliesMax = 16;
/** Replies remembered per run beside those of open calls: a function agent's calls have no end of their own. */
const rememberedMax = 16;

/** Who is to be answered. */
export function commandRef(draft: Draft): CommandRef {
  const { command, from, id } = draft.input;
  if (command === undefined) return { from, id };
  return "call" in command ? { from, id: command.call } : { from: `client:${command.client}`, id: String(command.n) };
}

/** What is known of this command: new, a repetition with its reply (null while that is pending), or out of order. */
export type Known = { readonly known: "new" | "gap" } | { readonly known: "repeated"; readonly reply: Reply | null };

/** Looks a command up in the memory of its run or client. */
export function recognise(draft: Draft, command: CommandKey | undefined): Known {
  if (command === undefined) return { known: "new" };
  if ("call" in command) {
    const remembered = runOf(draft)?.remembered.find((each) => each.call === command.call);
    return remembered === undefined ? { known: "new" } : { known: "repeated", reply: remembered.reply };
  }
  const client = draft.client(command.client);
  const last = client?.last ?? 0;
  if (command.n === last + 1) return { known: "new" };
  if (command.n > last + 1) return { known: "gap" };
  return { known: "repeated", reply: client?.replies.find((each) => each.n === command.n)?.reply ?? null };
}

function runOf(draft: Draft): RunData | undefined {
  const { from } = draft.input;
  return from === "lead" ? draft.lead.run : draft.member(from)?.run;
}

/** Remembers a command with its reply, or as pending. */
export function remember(draft: Draft, command: CommandKey | undefined, reply: Reply | null): void {
  if (command === undefined) return;
  if ("client" in command) {
    const client: ClientRecord = draft.client(command.client) ?? { last: 0, replies: [] };
    const replies = [...client.replies, { n: command.n, reply }].slice(-repliesMax);
    draft.putClient(command.client, { last: command.n, replies });
    return;
  }
  const run = runOf(draft);
  if (run === undefined) return;
  const open = new Set(run.calls);
  const others = run.remembered.filter((each) => each.call !== command.call);
  const kept =
    others.length < rememberedMax
      ? others
      : others.filter((each, index) => open.has(each.call) || index >= others.length - rememberedMax);
  putRun(draft, { ...run, remembered: [...kept, { call: command.call, reply }] });
}

function putRun(draft: Draft, run: RunData): void {
  const { from } = draft.input;
  if (from === "lead") draft.changeLead({ run });
  else draft.changeMember(from, { run });
}

/** Writes a late reply into the memory of its command, so that a repetition gets it too. */
export function rememberLate(draft: Draft, to: CommandRef, reply: Reply): void {
  if (to.from.startsWith("client:")) {
    const id = to.from.slice("client:".length);
    const client = draft.client(id);
    if (client === undefined) return;
    const replies = client.replies.map((each) => (String(each.n) === to.id ? { n: each.n, reply } : each));
    draft.putClient(id, { ...client, replies });
    return;
  }
  const fill = (run: RunData): RunData => ({
    ...run,
    remembered: run.remembered.map((each) => (each.call === to.id ? { call: each.call, reply } : each)),
  });
  if (to.from === "lead") draft.changeLead({ run: fill(draft.lead.run) });
  else {
    const member = draft.member(to.from);
    if (member !== undefined) draft.putMember({ ...member, run: fill(member.run) });
  }
}
