import { isDeepStrictEqual } from "node:util";
import type { CommandRef, RunData, SessionState } from "../../machines/index.ts";
import { isCommand } from "../../machines/kernel/commands.ts";
import type { Reply } from "../../protocol/reply.ts";
import type { JudgedStep } from "./guarantee.ts";

/** A command is done once, and whoever repeats it gets the first answer; a part of G10: what is wrong with a step, or null. */
export function commandProblem(step: JudgedStep): string | null {
  return repetitionProblem(step) ?? memoryProblem(step) ?? lateProblem(step);
}

const runOf = ({ lead, members }: SessionState, token: string): RunData | null =>
  token === "lead" ? lead.run : (members.get(token)?.run ?? null);

/** What is known of the command of a step: its answer (null = none yet), or that an earlier one is missing. */
function knownOf({ before, record: { input } }: JudgedStep): { readonly reply: Reply | null } | "gap" | null {
  const { command, from } = input;
  if (command === undefined) return null;
  if ("call" in command) return runOf(before, from)?.remembered.find(({ call }) => call === command.call) ?? null;
  const client = before.clients.get(command.client);
  const last = client?.last ?? 0;
  if (command.n > last + 1) return "gap";
  if (command.n === last + 1) return null;
  return { reply: client?.replies.find(({ n }) => n === command.n)?.reply ?? null };
}

function repetitionProblem(step: JudgedStep): string | null {
  const { record, applied } = step;
  const { event } = record.input;
  if (!isCommand(event)) return null;
  const known = knownOf(step);
  if (known === null) return null;
  const what = known === "gap" ? "without an earlier one" : "a second time";
  if (applied.verdict !== "stale") return `${event.type} was taken ${what}`;
  if (known === "gap") return null;
  const [answer] = applied.replies;
  if (known.reply === null) return answer === undefined ? null : `${event.type} was answered before it was done`;
  return answer !== undefined && isDeepStrictEqual(answer.reply, known.reply)
    ? null
    : `${event.type} was repeated, and answered otherwise`;
}

/** A command that was judged is remembered, as long as it can be repeated. */
function memoryProblem({ before, after, record, applied }: JudgedStep): string | null {
  const { command, from, event } = record.input;
  const isJudged = applied.verdict === "handled" || applied.verdict === "refused";
  if (command === undefined || !isCommand(event) || !isJudged) return null;
  if ("client" in command)
    return after.clients.get(command.client)?.last === command.n ? null : `${event.type} was not counted`;
  if (runNumber(before, from) !== command.run || runNumber(after, from) !== command.run) return null;
  return runOf(after, from)?.remembered.some(({ call }) => call === command.call) === true
    ? null
    : `${event.type} was forgotten`;
}

/** The number of a live run, or null. */
function runNumber({ lead, members }: SessionState, token: string): number | null {
  if (token === "lead") return typeof lead.snapshot.value.turn === "string" ? null : lead.snapshot.context.run;
  const member = members.get(token);
  return member === undefined || member.snapshot.value.run === "none" ? null : member.snapshot.context.run;
}

/** An answer that comes later is remembered as well. */
function lateProblem({ after, applied }: JudgedStep): string | null {
  for (const { to } of applied.replies)
    if (isPending(after, to)) return `${to.from} ${to.id} was answered, and a repetition would not be`;
  return null;
}

function isPending({ lead, members, clients }: SessionState, { from, id }: CommandRef): boolean {
  if (from.startsWith("client:")) {
    const replies = clients.get(from.slice("client:".length))?.replies ?? [];
    return replies.some(({ n, reply }) => String(n) === id && reply === null);
  }
  const run = from === "lead" ? lead.run : members.get(from)?.run;
  return run?.remembered.some(({ call, reply }) => call === id && reply === null) === true;
}
