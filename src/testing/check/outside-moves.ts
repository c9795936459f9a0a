import { displayName, type RunData, type SessionState } from "../../machines/index.ts";
import type { InputEvent } from "../../protocol/input.ts";
import type { Budget } from "./budgets.ts";
import { inMove, numbered } from "./move-name.ts";
import type { MoveInput, World } from "./move.ts";

/** What reaches a session from outside: results of calls that wait for them, in time or not, and wake-ups. */

const fromUser = (actor: string, event: InputEvent): MoveInput => ({ actor, from: "user", event });

/** Whether a call waits for somebody outside, or has a result from there. */
export const isOutside = ({ outside }: SessionState, actor: string, call: string): boolean =>
  outside.some((each) => each.actor === actor && each.call === call);

/** How an open call may say that it waits for somebody outside. */
export function addOutsideAsks(
  { session, wants }: World,
  { actor, run, call }: { readonly actor: string; readonly run: RunData; readonly call: string },
  report: (name: string, budget: Budget | null, event: AskEvent) => void,
): void {
  const asked: AskEvent = { type: "external.asked", call, tool: "tool" };
  const known = session.outside.find((each) => each.actor === actor && each.call === call);
  if (known !== undefined && known.answer === null) {
    // The run that asked is over; the one that took its place waits on.
    if (!run.externals.includes(call)) report("waits on for outside", null, asked);
    return;
  }
  if (!wants("outside")) return;
  report("asks outside", "outside", asked);
  if (wants("timer") && known === undefined)
    report("asks outside for a while", "outside", { ...asked, timeoutMs: 1_000 });
}

interface AskEvent {
  readonly type: "external.asked";
  readonly call: string;
  readonly tool: string;
  readonly timeoutMs?: number;
}

/** Results from outside. One in time is the ordinary course of things; the others are interventions. */
export function addOutsideAnswers(world: World): void {
  const { session, wants, add } = world;
  for (const { actor, call, answer } of session.outside) {
    if (answer === null)
      add(`${callName(session, actor, call)} hears from outside`, null, answerOf(session, actor, call));
    else if (wants("outside"))
      add(`${callName(session, actor, call)} hears from outside again`, "outside", answerOf(session, actor, call));
  }
  if (!wants("outside")) return;
  const event: InputEvent = { type: "external.answer", call: "old", verdict: "ok" };
  add("a call that is over hears from outside", "outside", fromUser("session", event));
  for (const { token, run } of workersOf(session)) {
    for (const call of run.calls) {
      if (isOutside(session, token, call)) continue;
      const name = `${callName(session, token, call)} hears from outside too early`;
      add(name, "outside", answerOf(session, token, call));
    }
  }
  if (session.config?.lead !== "hosted") return;
  const wake: InputEvent = { type: "message.send", to: "Lead", kind: "schedule", bytes: 1 };
  add("a schedule wakes Lead", "outside", fromUser("lead", wake));
}

const workersOf = (session: SessionState): readonly { readonly token: string; readonly run: RunData }[] => [
  ...session.members.values(),
  { token: "lead", run: session.lead.run },
];

function answerOf(session: SessionState, actor: string, call: string): MoveInput {
  const member = nameOf(session, actor);
  return fromUser(actor, { type: "external.answer", call, member, verdict: "ok" });
}

const nameOf = (session: SessionState, actor: string): string =>
  displayName(session, (token) => session.members.get(token), actor);

/** A call in a trace: by whose it is, with a number when it is not the first one. */
export function callName(session: SessionState, actor: string, call: string): string {
  const { run } = session.members.get(actor) ?? session.lead;
  const index = run.calls.indexOf(call);
  const name = inMove(nameOf(session, actor));
  return index < 0 ? `a call of ${name}` : numbered(`call of ${name}`, index);
}
