import type { z } from "zod";
import { TeamError } from "../../errors/index.ts";
import { displayName } from "../../machines/index.ts";
import type { InputOf } from "../../protocol/input.ts";
import { BROADCAST, byteLength, canonicalRecipient } from "../../protocol/names.ts";
import type { SendResult } from "../../protocol/reply.ts";
import type { PendingCallStatus } from "../../protocol/status.ts";
import { expectReply } from "./expect-reply.ts";
import { parseInput } from "../parse-input.ts";
import { AnswerText, CallOutcome, WakeInput } from "./session-inputs.ts";
import type { SessionRuntime } from "../session/session-runtime.ts";
import { toJson } from "../model-run/tool-calls.ts";

/** What comes into a session from outside, as the user's: wake-ups, and results of calls that wait for them. */

/** Puts something from outside into one mailbox. */
export async function sendWake(
  runtime: SessionRuntime,
  name: string,
  wake: z.input<typeof WakeInput>,
): Promise<SendResult> {
  const to = parseInput(AnswerText, name, "name");
  const { kind, content } = parseInput(WakeInput, wake, "wake");
  if (canonicalRecipient(to) === BROADCAST) {
    throw new TeamError("bad_input", { what: "name", problem: "name one member, or Lead: a wake-up is for one" });
  }
  const event = { type: "message.send", to: to.slice(0, 400), kind, bytes: byteLength(content) } as const;
  const actor = runtime.mailboxOf(to);
  return expectReply(await runtime.owner.command({ actor, from: "user", event, body: content }), "sent");
}

/** Ends a call that waits for somebody outside. */
export async function finishCall(
  runtime: SessionRuntime,
  call: string,
  given: z.input<typeof CallOutcome>,
): Promise<void> {
  const id = parseInput(AnswerText, call, "call");
  const { member, ...outcome } = parseInput(CallOutcome, given, "outcome");
  const event: InputOf<"external.answer"> = {
    type: "external.answer",
    call: id.slice(0, 2_000),
    verdict: "error" in outcome ? "error" : "ok",
    ...(member === undefined ? {} : { member: member.slice(0, 400) }),
  };
  const body = "error" in outcome ? outcome : { result: toJson(outcome.result) };
  const actor = actorOf(runtime, id, member);
  expectReply(await runtime.owner.command({ actor, from: "user", event, body }), "accepted");
}

/** Whose mailbox the result goes to: who waits for it, else whoever is named, else the session, which answers. */
function actorOf(runtime: SessionRuntime, call: string, member: string | undefined): string {
  if (member !== undefined) return runtime.mailboxOf(member);
  return runtime.state.outside.find((each) => each.call === call)?.actor ?? "session";
}

/** Calls that wait for somebody outside, the oldest first. */
export function pendingCalls({ state, owner }: SessionRuntime): readonly PendingCallStatus[] {
  return state.outside
    .filter(({ answer }) => answer === null)
    .map(({ actor, call, tool, note, since, deadline }) => {
      const body = note === null ? undefined : owner.bodies.get(note.digest);
      const said = typeof body === "object" && body !== null && "note" in body ? String(body.note) : undefined;
      return {
        call,
        member: displayName(state, (token) => state.members.get(token), actor),
        tool,
        ...(said === undefined ? {} : { note: said }),
        since,
        until: deadline === null ? null : deadline.armedAt + deadline.ms,
      };
    });
}
