import { TeamError } from "../../errors/index.ts";
import type { AcknowledgeResult, MailPage } from "../../protocol/mail.ts";
import type { Reply } from "../../protocol/reply.ts";
import type { OwnMailQuery } from "../../tools/port.ts";
import { expectReply } from "../commands/expect-reply.ts";
import type { MailLog } from "./mail-log.ts";
import type { Outgoing } from "../owner/owner.ts";

/** A cursor as it was given out; anything else is refused. */
export function cursorOf(before: string | undefined): number | undefined {
  if (before === undefined) return undefined;
  const n = /^\d{1,15}$/.test(before) ? Number(before) : null;
  if (n === null) throw new TeamError("bad_input", { what: "before", problem: "give `next` of an earlier page" });
  return n;
}

/** A page of one actor's own mail. */
export function ownMail(log: MailLog, box: string, { handle, state, limit, before }: OwnMailQuery): MailPage {
  if (handle !== undefined && log.list({ box, handle, limit: 1 }).total === 0) log.resolve(box, [handle]);
  return log.list({ box, handle, state, limit, before: cursorOf(before) });
}

/** Acknowledges mail of one actor by its handles; `send` sends the command in its name. */
export async function acknowledgeMail(
  log: MailLog,
  { box, handles }: { readonly box: string; readonly handles: readonly string[] },
  send: (outgoing: Pick<Outgoing, "actor" | "event">) => Promise<Reply>,
): Promise<AcknowledgeResult> {
  const { ids, fresh, already } = log.resolve(box, handles);
  if (ids.length > 0)
    expectReply(await send({ actor: box, event: { type: "mail.acknowledge", mail: [...ids] } }), "accepted");
  return { acknowledged: fresh, already };
}
