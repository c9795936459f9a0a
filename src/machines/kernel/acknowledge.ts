import type { Refusal } from "../../errors/index.ts";
import type { InputOf } from "../../protocol/input.ts";
import type { Draft } from "./draft.ts";

/**
 * Takes down that a reader has dealt with mail that was delivered to it. What was delivered is no part of the session's
 * state, or it would grow for ever: whose mail it was is for whoever keeps account of it to say.
 */
export function acknowledgeMail(draft: Draft, { mail }: InputOf<"mail.acknowledge">): readonly Refusal[] | null {
  const { from } = draft.input;
  const owner = from === "lead" ? draft.lead : draft.member(from);
  if (owner === undefined) return [draft.refusal("fenced", { reason: `${from} has no mailbox` })];
  const unread = new Set(owner.unread.map(({ id }) => id));
  const early = mail.filter((id) => unread.has(id));
  if (early.length > 0) return [draft.refusal("mail_unread", { mail: early })];
  draft.noteMail({ type: "acknowledged", to: from, ids: mail });
  return null;
}
