import { z } from "zod";
import type { InputOf } from "../../protocol/input.ts";
import type { DissolveSpec } from "../../protocol/spec.ts";
import { parseInput } from "../parse-input.ts";

/** What callers of a session give it. Checked at the door: inside, inputs of this process are trusted. */

/** A session's id: a short text without control characters. */
export const SessionId = z
  .string()
  .min(1)
  .max(200)
  .regex(/^[^\p{Cc}\p{Cs}]*$/u, "expected no control characters");

/** Something said to a hosted lead. */
export const PromptText = z.string().min(1);

/** A message. */
export const MessageInput = z.strictObject({
  to: z.string(),
  content: z.string().min(1),
  kind: z.enum(["text", "instruction"]).default("text"),
});

const PermissionAnswerInput = z.strictObject({
  request: z.string().max(2_000),
  approve: z.boolean(),
  note: z.string().max(600).optional(),
});

/** An answer to a permission request; `note` is told to whoever asked. Nothing but `true` approves. */
export type PermissionAnswer = z.input<typeof PermissionAnswerInput>;

/** An answer as it is given: whole, or the id of the request and the rest. */
type PermissionAnswerArguments =
  | [answer: PermissionAnswer]
  | [request: string, answer: Omit<PermissionAnswer, "request">];

/** The event of an answer. */
export function permissionAnswer(...[first, second]: PermissionAnswerArguments): InputOf<"permission.answer"> {
  const given = second === undefined ? first : { ...(typeof second === "object" ? second : {}), request: first };
  const { request, approve, note } = parseInput(PermissionAnswerInput, given, "answer");
  return { type: "permission.answer", request, approve, ...(note === undefined ? {} : { note }) };
}

/** An answer to a plan. */
export const PlanAnswerInput = z.strictObject({ approve: z.boolean(), feedback: z.string().default("") });

/** Why a member is interrupted; told to the Lead. */
export const InterruptInput = z.strictObject({ reason: z.string().max(500).optional() });
export type InterruptInput = z.infer<typeof InterruptInput>;

/** The event that interrupts a member. */
export function interruptEvent(name: string, options: z.input<typeof InterruptInput>): InputOf<"member.interrupt"> {
  const { reason } = parseInput(InterruptInput, options, "interrupt");
  const member = parseInput(AnswerText, name, "member").slice(0, 400);
  return { type: "member.interrupt", member, ...(reason === undefined ? {} : { reason }) };
}

/** An answer to a question, or the id or name that something is answered by. */
export const AnswerText = z.string();

/** Something from outside for a mailbox. */
export const WakeInput = z.strictObject({
  /** `schedule`: a time has come; `tool_result`: something that was begun earlier is done. */
  kind: z.enum(["schedule", "tool_result"]),
  content: z.string().min(1),
});

/** How a call ended that waited for somebody outside: with a result (JSON; nothing = null) or with an error. */
export const CallOutcome = z.union([
  z.strictObject({ result: z.unknown(), member: z.string().optional() }),
  z.strictObject({ error: z.string().min(1).max(2_000), member: z.string().optional() }),
]);

/** Which teams of a session are listed. */
export const TeamsQuery = z.strictObject({ dissolved: z.boolean().default(false) });

/** The event of a dissolve. */
export const dissolveEvent = ({ mode, graceMs, reason }: DissolveSpec): InputOf<"team.dissolve"> => ({
  type: "team.dissolve",
  mode,
  ...(graceMs === undefined ? {} : { graceMs }),
  ...(reason === undefined ? {} : { reason }),
});
