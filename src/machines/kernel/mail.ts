import type { NoticeKind } from "../../protocol/notice.ts";
import type { Draft } from "./draft.ts";
import { keepNotice } from "./keep-notice.ts";
import { findMember, nameOf } from "./roster.ts";
import { isDissolving, isOpen, statusOf } from "./standing.ts";
import type { Mail, MemberRecord } from "./state.ts";

/** Mail: delivery, dead letters and the Lead's notices. Counted per copy of `text` and `instruction`. */

/** Mail that has no place in a mailbox yet. */
type NewMail = Omit<Mail, "number">;

/** Puts mail into a mailbox and wakes who may be woken. */
export function deliver(draft: Draft, token: string, given: NewMail): void {
  if (token === "lead") {
    deliverToLead(draft, given);
    return;
  }
  const member = draft.mustMember(token);
  const mail = { ...given, number: member.received + 1 };
  const shown = { type: "mail.arrived", id: mail.id, kind: mail.kind, from: mail.from };
  const from = mail.kind === "system" ? "system" : draft.input.from;
  draft.visible = true;
  draft.putMember({
    ...member,
    received: mail.number,
    unread: [...member.unread, mail],
    unreadBytes: member.unreadBytes + mail.bytes,
  });
  draft.noteMail({ type: "accepted", to: token, mail });
  draft.postMember(
    token,
    from,
    (current) => {
      if (draft.facts.member(current.snapshot).presence === "idle") return { type: "mail.arrived" };
      draft.note(token, from, shown);
      return null;
    },
    { event: shown },
  );
}

function deliverToLead(draft: Draft, given: NewMail): void {
  const mail = { ...given, number: draft.lead.received + 1 };
  draft.visible = true;
  draft.changeLead({ received: mail.number });
  const counted = mail.kind !== "system";
  if (mail.wakes) draft.notable = true;
  draft.noteMail({ type: "accepted", to: "lead", mail });
  draft.note("lead", mail.about ?? draft.input.from, {
    type: mail.notice === null ? "mail.arrived" : `notice.${mail.notice}`,
    id: mail.id,
    kind: mail.kind,
    from: mail.from,
    ...(mail.reason === null ? {} : { reason: mail.reason }),
  });
  if (draft.state.config?.lead === "none") {
    // The host is the Lead: what it subscribes to is its own business, the mail is here.
    if (counted) draft.set({ mail: { ...draft.state.mail, delivered: draft.state.mail.delivered + 1 } });
    draft.noteMail({ type: "delivered", to: "lead", ids: [mail.id] });
    return;
  }
  const { lead } = draft;
  const kept = keepNotice(lead, mail, draft.state.config?.limits.unreadMessagesMax ?? 0);
  noteReplaced(draft, kept.unread);
  draft.changeLead({ ...kept, unreadBytes: lead.unreadBytes + mail.bytes });
}

/** Notices that a newer one has taken the place of. */
function noteReplaced(draft: Draft, kept: readonly Mail[]): void {
  const { unread } = draft.lead;
  if (kept.length > unread.length) return;
  const still = new Set(kept);
  const ids = unread.filter((mail) => !still.has(mail)).map(({ id }) => id);
  draft.noteMail({ type: "replaced", to: "lead", ids });
}

/** Tells the Lead something: `about` a member (token) or the team; `of` = the id of the mail that it speaks of. */
export function notifyLead(
  draft: Draft,
  notice: NoticeKind,
  {
    about = null,
    reason = null,
    wakes = true,
    of = null,
  }: { about?: string | null; reason?: string | null; wakes?: boolean; of?: string | null },
): void {
  const { seq, input } = draft.record;
  deliverToLead(draft, {
    id: `${of ?? input.id}:${notice}:${about ?? "team"}`,
    seq,
    from: "system",
    kind: "system",
    notice,
    about: about === null ? null : nameOf(draft, about),
    reason,
    bytes: 0,
    hops: 0,
    broadcast: false,
    body: null,
    wakes,
    at: input.at,
  });
}

/** Empties a mailbox whose owner reads no more. Senders of direct mail and the Lead are told. */
export function deadLetterMail(draft: Draft, token: string): void {
  const member = draft.mustMember(token);
  if (member.unread.length === 0) return;
  draft.putMember({ ...member, unread: [], unreadBytes: 0 });
  const counted = member.unread.filter((mail) => mail.kind !== "system");
  const { mail } = draft.state;
  draft.set({ mail: { ...mail, deadLettered: mail.deadLettered + counted.length } });
  const reason = `${member.name} is ${statusOf(draft, token)}`;
  draft.noteMail({ type: "dead_lettered", to: token, ids: member.unread.map(({ id }) => id), reason });
  for (const dead of counted) {
    draft.note(token, "system", { type: "message.dead_lettered", id: dead.id, reason });
    if (dead.broadcast || isDissolving(draft)) continue;
    notifyLead(draft, "dead_letter", {
      about: token,
      reason: `${dead.from} to ${member.name}: ${reason}`,
      of: dead.id,
    });
    const sender = findMember(draft, dead.from);
    if (sender !== undefined && isOpen(draft, sender.token)) notifyMember(draft, sender, member, dead, reason);
  }
}

function notifyMember(draft: Draft, sender: MemberRecord, about: MemberRecord, dead: Mail, reason: string): void {
  deliver(draft, sender.token, {
    ...dead,
    id: `${dead.id}:dead`,
    seq: draft.record.seq,
    from: "system",
    kind: "system",
    notice: "dead_letter",
    about: about.name,
    reason,
    bytes: 0,
    hops: 0,
    broadcast: false,
    body: null,
    at: draft.input.at,
  });
}

/** Marks mail as read by a run: unknown ids are mail that was read before. */
export function markInjected(draft: Draft, token: string, ids: readonly string[]): void {
  const owner = token === "lead" ? draft.lead : draft.mustMember(token);
  const read = new Set(ids);
  const taken = owner.unread.filter((mail) => read.has(mail.id));
  if (taken.length === 0) return;
  const unread = owner.unread.filter((mail) => !read.has(mail.id));
  // A lead with its own loop has no turn that would end a chain; like a person, it starts a new one.
  const counts = token !== "lead" || draft.state.config?.lead === "hosted";
  const hops = counts ? Math.max(owner.turn.hops, ...taken.map((mail) => mail.hops)) : 0;
  const change = {
    unread,
    unreadBytes: unread.reduce((sum, mail) => sum + mail.bytes, 0),
    turn: {
      ...owner.turn,
      hops,
      // Direct mail renews the allowance of a member that was woken by broadcasts alone.
      broadcastWoken: owner.turn.broadcastWoken && taken.every((mail) => mail.broadcast || mail.kind === "system"),
    },
  };
  if (token === "lead") {
    const countIsRead = taken.some((mail) => mail.notice === "dead_letter");
    draft.changeLead(countIsRead ? { ...change, deadLettersLeftOut: 0 } : change);
  } else draft.changeMember(token, change);
  draft.noteMail({ type: "delivered", to: token, ids: taken.map(({ id }) => id) });
  const counted = taken.filter((mail) => mail.kind !== "system").length;
  const { mail } = draft.state;
  draft.set({ mail: { ...mail, delivered: mail.delivered + counted } });
  draft.visible = true;
}
