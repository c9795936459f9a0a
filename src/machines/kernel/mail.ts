import type { Refusal } from "../../errors/index.ts";
import type { BodyRef, InputOf } from "../../protocol/input.ts";
import type { SendResult } from "../../protocol/reply.ts";
import type { Draft } from "./draft.ts";
import { nameOf, resolveRecipient, unknownRecipient } from "./roster.ts";
import type { Mail, MemberRecord, NoticeKind } from "./state.ts";

/** Mail: the team's gate, delivery, dead letters and the Lead's notices. Counted per copy of `text` and `instruction`. */

/** What a sender says, resolved and allowed. */
interface Letter {
  readonly from: string;
  readonly kind: "text" | "instruction";
  readonly bytes: number;
  readonly hops: number;
  readonly broadcast: boolean;
  readonly body: BodyRef | null;
}

type Send = InputOf<"message.send">;

/** The gate: refuses with nothing changed, or delivers and says to whom. */
export function sendMessage(draft: Draft, send: Send): readonly Refusal[] | SendResult {
  const sender = draft.input.from;
  const refused = refuseSender(draft, sender, send);
  if (refused !== null) return [refused];
  const recipient = resolveRecipient(draft, send.to);
  if (recipient === null) return [unknownRecipient(draft, send.to)];
  const broadcast = "broadcast" in recipient;
  const tokens = broadcast ? broadcastRecipients(draft, sender) : [recipient.token];
  const letter = letterOf(draft, sender, send, broadcast);
  for (const token of tokens) {
    const problem = refuseRecipient(draft, sender, token, letter);
    if (problem !== null) return [problem];
  }
  if (broadcast) countBroadcast(draft, sender);
  for (const token of tokens) deliverLetter(draft, token, letter);
  return {
    accepted: true,
    to: tokens.map((token) => ({ name: nameOf(draft, token), status: statusOf(draft, token) })),
  };
}

function refuseSender(draft: Draft, sender: string, send: Send): Refusal | null {
  const { team, config } = draft.state;
  const member = draft.member(sender);
  const limits = config?.limits;
  if (limits === undefined) return null;
  if (team !== null && member !== undefined && isDissolving(draft)) {
    return draft.refusal("team_dissolved", { team: team.name });
  }
  if (send.bytes > limits.messageBytesMax) {
    return draft.refusal("message_too_large", { bytes: send.bytes, messageBytesMax: limits.messageBytesMax });
  }
  const hops = senderHops(draft, sender) + 1;
  if (hops > limits.hopsMax) return draft.refusal("hop_limit", { hops: hops - 1, hopsMax: limits.hopsMax });
  return null;
}

const senderHops = (draft: Draft, sender: string): number =>
  sender === "lead" ? draft.lead.turn.hops : (draft.member(sender)?.turn.hops ?? 0);

/** From the dissolve on, members neither send nor get messages. */
export function isDissolving(draft: Draft): boolean {
  const { team } = draft.state;
  if (team === null) return false;
  const state = draft.facts.team(team.snapshot);
  return state !== "running" && state !== "stalled" && state !== "finished" && state !== "forming";
}

function letterOf(draft: Draft, sender: string, send: Send, broadcast: boolean): Letter {
  const fromMember = draft.member(sender) !== undefined;
  return {
    from: sender === "user" ? "user" : nameOf(draft, sender),
    // A member can mint only text, whatever it asks for.
    kind: fromMember ? "text" : send.kind,
    bytes: send.bytes,
    hops: senderHops(draft, sender) + 1,
    broadcast,
    body: draft.input.body ?? null,
  };
}

/** The Lead and every other member that isn't failed, draining or shut down. */
function broadcastRecipients(draft: Draft, sender: string): string[] {
  const members = (draft.state.team?.order ?? []).filter((token) => token !== sender && isOpen(draft, token));
  return sender === "lead" ? members : ["lead", ...members];
}

function isOpen(draft: Draft, token: string): boolean {
  const { work, presence } = draft.memberFacts(token);
  return work !== "failed" && presence !== "draining" && presence !== "shutdown";
}

function refuseRecipient(draft: Draft, sender: string, token: string, letter: Letter): Refusal | null {
  if (token === sender) return draft.refusal("self_recipient", { to: nameOf(draft, token) });
  const { team, config } = draft.state;
  const limits = config?.limits;
  if (limits === undefined) return null;
  const member = draft.member(token);
  if (member !== undefined && team !== null) {
    if (isDissolving(draft)) return draft.refusal("team_dissolved", { team: team.name });
    if (!isOpen(draft, token)) {
      return draft.refusal("recipient_closed", { to: member.name, status: statusOf(draft, token) });
    }
  }
  const right = refuseComms(draft, sender, token);
  if (right !== null) return right;
  if (letter.broadcast && draft.member(sender) !== undefined) {
    const { turn } = draft.mustMember(sender);
    const max = turn.broadcastWoken ? 1 : limits.broadcastsMax;
    if (turn.broadcasts >= max) {
      return draft.refusal("budget_exceeded", { budget: "broadcastsMax", used: turn.broadcasts, max });
    }
  }
  return refuseFull(draft, token, letter, limits);
}

/** A mailbox is bounded by what is unread; the sender is told, nothing is dropped. */
function refuseFull(
  draft: Draft,
  token: string,
  letter: Letter,
  limits: { unreadMessagesMax: number; unreadBytesMax: number },
): Refusal | null {
  const owner = draft.member(token) ?? draft.lead;
  const to = nameOf(draft, token);
  const unread = owner.unread.filter((mail) => mail.kind !== "system").length;
  if (unread >= limits.unreadMessagesMax) {
    return draft.refusal("mailbox_full", { to, unread, unreadMax: limits.unreadMessagesMax, unit: "messages" });
  }
  if (owner.unreadBytes + letter.bytes > limits.unreadBytesMax) {
    const { unreadBytes } = owner;
    return draft.refusal("mailbox_full", { to, unread: unreadBytes, unreadMax: limits.unreadBytesMax, unit: "bytes" });
  }
  return null;
}

/** Who may write to whom: everybody, neighbours in the graph, or the Lead alone. */
function refuseComms(draft: Draft, sender: string, token: string): Refusal | null {
  const from = draft.member(sender);
  const comms = draft.state.team?.comms ?? "all";
  if (from === undefined || token === "lead" || comms === "all") return null;
  const neighbours = comms === "dag" && (from.dependsOn.includes(token) || from.downstream.includes(token));
  if (neighbours) return null;
  return draft.refusal("permission_denied", {
    tool: "team_send_message",
    reason: `${from.name} may not write to ${nameOf(draft, token)} (comms: ${comms})`,
  });
}

function countBroadcast(draft: Draft, sender: string): void {
  const member = draft.member(sender);
  if (member === undefined) return;
  draft.changeMember(sender, { turn: { ...member.turn, broadcasts: member.turn.broadcasts + 1 } });
}

/** The state that a receipt names. */
function statusOf(draft: Draft, token: string): string {
  if (token === "lead") return draft.facts.lead(draft.lead.snapshot).turn;
  const { work, presence } = draft.memberFacts(token);
  return work === "blocked" || work === "failed" || presence === "parked" ? work : presence;
}

function deliverLetter(draft: Draft, token: string, letter: Letter): void {
  const { seq, input } = draft.record;
  draft.set({ mail: { ...draft.state.mail, accepted: draft.state.mail.accepted + 1 } });
  deliver(draft, token, {
    id: letter.broadcast ? `${input.id}:${token}` : input.id,
    seq,
    ...letter,
    notice: null,
    about: null,
    reason: null,
    wakes: true,
    at: input.at,
  });
}

/** Puts mail into a mailbox and wakes who may be woken. */
function deliver(draft: Draft, token: string, mail: Mail): void {
  const shown = { type: "mail.arrived", id: mail.id, kind: mail.kind, from: mail.from };
  draft.visible = true;
  if (token === "lead") {
    deliverToLead(draft, mail);
    return;
  }
  const member = draft.mustMember(token);
  draft.putMember({
    ...member,
    unread: [...member.unread, mail],
    unreadBytes: member.unreadBytes + mail.bytes,
  });
  draft.postMember(
    token,
    draft.input.from,
    (current) => {
      if (draft.facts.member(current.snapshot).presence === "idle") return { type: "mail.arrived" };
      draft.note(token, draft.input.from, shown);
      return null;
    },
    { event: shown },
  );
}

function deliverToLead(draft: Draft, mail: Mail): void {
  const counted = mail.kind !== "system";
  if (mail.wakes) draft.notable = true;
  draft.note("lead", mail.about ?? draft.input.from, {
    type: mail.notice === null ? "mail.arrived" : `notice.${mail.notice}`,
    id: mail.id,
    kind: mail.kind,
    from: mail.from,
    ...(mail.reason === null ? {} : { reason: mail.reason }),
  } as { type: string });
  if (draft.state.config?.lead === "none") {
    // The host is the Lead: what it subscribes to is its own business, the mail is here.
    if (counted) draft.set({ mail: { ...draft.state.mail, delivered: draft.state.mail.delivered + 1 } });
    return;
  }
  const { lead } = draft;
  draft.changeLead({ unread: [...lead.unread, mail], unreadBytes: lead.unreadBytes + mail.bytes });
}

/** Tells the Lead something: `about` a member (token) or the team. */
export function notifyLead(
  draft: Draft,
  notice: NoticeKind,
  { about = null, reason = null, wakes = true }: { about?: string | null; reason?: string | null; wakes?: boolean },
): void {
  const { seq, input } = draft.record;
  deliverToLead(draft, {
    id: `${input.id}:${notice}:${about ?? "team"}`,
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
  draft.visible = true;
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
  for (const dead of counted) {
    draft.note(token, "system", { type: "message.dead_lettered", id: dead.id, reason } as { type: string });
    if (dead.broadcast || isDissolving(draft)) continue;
    notifyLead(draft, "dead_letter", { about: token, reason: `${dead.from} to ${member.name}: ${reason}` });
    const sender = findSender(draft, dead.from);
    if (sender !== undefined && isOpen(draft, sender.token)) notifyMember(draft, sender, member, dead, reason);
  }
}

const findSender = (draft: Draft, name: string): MemberRecord | undefined =>
  (draft.state.team?.order ?? []).map((token) => draft.member(token)).find((member) => member?.name === name);

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
  const hops = Math.max(owner.turn.hops, ...taken.map((mail) => mail.hops));
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
  if (token === "lead") draft.changeLead(change);
  else draft.changeMember(token, change);
  const counted = taken.filter((mail) => mail.kind !== "system").length;
  const { mail } = draft.state;
  draft.set({ mail: { ...mail, delivered: mail.delivered + counted } });
  draft.visible = true;
}
