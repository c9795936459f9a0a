import { setImmediate as nextTurn } from "node:timers/promises";
import { TeamError } from "../../errors/index.ts";
import { LEAD } from "../../protocol/names.ts";
import { InputLine } from "../../protocol/recording.ts";
import type { SessionSource } from "../sessions/session-source.ts";

/** Records that are looked through at a time. */
const recordsMax = 500;

/** What is said: a message of anybody, or of the user to the lead. */
const isSaid = /^\{"type":"event","seq":\d+,"step":0,[^\n]*"event":\{"type":"(?:message\.send|lead\.prompt)"/;

/** What was said from a sequence on, at most `max` messages, with what each mailbox holds now. */
export async function messagesPage(session: SessionSource, from: number, max: number): Promise<object> {
  const messages: object[] = [];
  let at = from;
  for (;;) {
    const page = session.read(at, recordsMax);
    if (page.type === "gap") throw new TeamError("log_trimmed", { from, first: page.first });
    if (page.type === "end") return { messages, next: null, mailboxes: session.mailboxes() };
    if (page.lines.length === 0) await nextTurn();
    for (const { seq, text } of page.lines) {
      if (messages.length === max) return { messages, next: seq, mailboxes: session.mailboxes() };
      at = seq + 1;
      const message = isSaid.test(text) ? messageOf(text) : null;
      if (message !== null) messages.push(message);
    }
  }
}

function messageOf(text: string): object | null {
  const { seq, at, from, event, verdict, input } = InputLine.parse(JSON.parse(text));
  const said = { seq, at, from, verdict, body: input.body?.digest ?? null, bytes: input.body?.bytes ?? 0 };
  return event.type === "lead.prompt"
    ? { ...said, to: LEAD, kind: "prompt" }
    : { ...said, to: event["to"], kind: event["kind"] };
}
