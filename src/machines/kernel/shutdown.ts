import type { Draft } from "./draft.ts";
import { nameOf } from "./roster.ts";
import type { Mail, MemberRecord } from "./state.ts";

/**
 * The handshake of a shutdown. The request is mail of the system, so that it is journalled, shown and redelivered like any
 * other; it steers nothing: whether somebody is asked is a state of its machine.
 */

const isRequest = (mail: Mail): boolean => mail.notice === "shutdown_requested";

/** Whether something is unread that a turn must be taken for; a request to shut down is answered, not worked on. */
export const hasMail = (unread: readonly Mail[]): boolean =>
  unread.length > 0 && unread.some((mail) => !isRequest(mail));

/** Which request a member's time runs for: it may be asked twice in one run. */
export const requestGeneration = ({ snapshot: { context } }: Pick<MemberRecord, "snapshot">): number =>
  2 * context.run + (context.refused ? 1 : 0);

/** Who asks, and why. */
function askedBy(draft: Draft): { readonly from: string; readonly reason: string | null } {
  const { input, plan } = draft.record;
  const planned = plan !== undefined && "rewire" in plan ? plan.reason : undefined;
  const given = input.event.type === "team.dissolve" ? input.event.reason : planned;
  return { from: nameOf(draft, input.from), reason: given ?? null };
}

/** Puts the request into the mailbox of a member that is asked to shut down. */
export function requestShutdown(draft: Draft, token: string): void {
  const { seq, input } = draft.record;
  const own = draft.openMember(token);
  const mail: Mail = {
    number: own.received + 1,
    id: `${input.id}:shutdown_requested:${token}`,
    seq,
    ...askedBy(draft),
    kind: "system",
    notice: "shutdown_requested",
    about: null,
    bytes: 0,
    hops: 0,
    broadcast: false,
    body: null,
    wakes: false,
    at: input.at,
  };
  own.received = mail.number;
  own.unread = [...own.unread, mail];
  draft.noteMail({ type: "accepted", to: token, mail });
  const { id, from, reason } = mail;
  draft.note(token, input.from, {
    type: "notice.shutdown_requested",
    id,
    kind: "system",
    from,
    ...(reason === null ? {} : { reason }),
  });
}

/** A member that refused may not have read what it was asked; nobody asks any more. */
export function withdrawRequest(draft: Draft, token: string): void {
  const { unread } = draft.mustMember(token);
  const requests = unread.filter(isRequest);
  if (requests.length === 0) return;
  draft.changeMember(token, { unread: unread.filter((mail) => !isRequest(mail)) });
  draft.noteMail({ type: "delivered", to: token, ids: requests.map(({ id }) => id) });
}
