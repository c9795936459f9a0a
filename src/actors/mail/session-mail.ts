import { z } from "zod";
import { TeamError } from "../../errors/index.ts";
import { memberByName, membersInOrder } from "../../machines/index.ts";
import { unknownMember } from "../../machines/kernel/faults.ts";
import { MailState, type AcknowledgeResult, type MailPage } from "../../protocol/mail.ts";
import { canonicalRecipient, LEAD } from "../../protocol/names.ts";
import { acknowledgeMail, cursorOf } from "./own-mail.ts";
import { parseInput } from "../parse-input.ts";
import type { SessionRuntime } from "../session/session-runtime.ts";

const limitMax = 200;

/** Which mail is asked for. */
export const SessionMailQuery = z.strictObject({
  /** Whose mailbox: a member's, or `Lead`. Left out = all of them. */
  member: z.string().max(400).optional(),
  /** Display name of the sender. */
  from: z.string().max(400).optional(),
  state: MailState.optional(),
  /** Pieces of mail on a page, at most 200. */
  limit: z.int().min(1).max(limitMax).default(50),
  /** `next` of the page before. */
  before: z.string().optional(),
});
/** Which mail is asked for; nothing at all means the newest of everybody. */
export type SessionMailQuery = z.input<typeof SessionMailQuery>;

const Handles = z.array(z.string().max(100)).min(1).max(100);

/** A page of a session's mail. */
export function sessionMail(runtime: SessionRuntime, given: SessionMailQuery): MailPage {
  const { member, before, ...query } = parseInput(SessionMailQuery, given, "mail");
  const box = member === undefined ? undefined : boxOf(runtime, member);
  return runtime.mail.list({ ...query, box, before: cursorOf(before) });
}

/** Token of a mailbox; unlike a recipient's name one that is nobody's is refused. */
function boxOf({ state }: SessionRuntime, name: string): string {
  if (canonicalRecipient(name) === LEAD) return "lead";
  const member = memberByName(state, name);
  if (member !== undefined) return member.token;
  const known = [LEAD, ...membersInOrder(state).map((each) => each.name)];
  throw TeamError.from(unknownMember(name, known));
}

/** Acknowledges mail of the Lead, where the caller is the Lead. */
export async function acknowledgeAsLead(runtime: SessionRuntime, given: readonly string[]): Promise<AcknowledgeResult> {
  const handles = parseInput(Handles, given, "handles");
  const { owner, mail, options } = runtime;
  if (options.config.lead === "hosted")
    throw new TeamError("fenced", { reason: "the mail of a hosted lead is its own to acknowledge (team_mail)" });
  return acknowledgeMail(mail, { box: "lead", handles }, (outgoing) => owner.command({ ...outgoing, from: "lead" }));
}
