import type { Refusal } from "../../errors/index.ts";
import type { BodyRef, InputOf } from "../../protocol/input.ts";
import { BROADCAST } from "../../protocol/names.ts";
import type { Limits } from "../../protocol/limits.ts";
import type { SendResult } from "../../protocol/reply.ts";
import type { Draft } from "./draft.ts";
import { deliver } from "./mail.ts";
import { nameOf, resolveRecipient, unknownRecipient } from "./roster.ts";
import { isDissolving, isOpen, statusOf } from "./standing.ts";
import type { MailKind } from "./state.ts";

/** The team's gate for mail: who may say what to whom. Refuses with nothing changed. */

/** What a sender says, resolved and allowed. */
interface Letter {
  readonly from: string;
  readonly kind: Exclude<MailKind, "system">;
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
  const nobody = broadcast ? refuseBroadcast(draft, sender) : null;
  if (nobody !== null) return [nobody];
  const tokens = broadcast ? broadcastRecipients(draft, sender) : [recipient.token];
  if (tokens.length === 0) return [draft.refusal("recipient_closed", { to: BROADCAST, status: "nobody" })];
  const letter = letterOf(draft, sender, send, broadcast);
  for (const token of tokens) {
    const problem = refuseRecipient(draft, sender, token, letter);
    if (problem !== null) return [problem];
  }
  if (broadcast) countBroadcast(draft, sender);
  for (const token of tokens) deliverLetter(draft, token, letter);
  // What comes from outside begins a turn of a lead that waits for its user, as a prompt does.
  if (isWake(letter) && tokens.includes("lead")) draft.postLead(sender, { type: "lead.prompted" });
  return {
    accepted: true,
    to: tokens.map((token) => ({ name: nameOf(draft, token), status: statusOf(draft, token) })),
  };
}

/** Whether it is from outside the team: a schedule, or the result of something that was begun earlier. */
const isWake = ({ kind }: Letter): boolean => kind === "schedule" || kind === "tool_result";

/** A broadcast to a team that isn't there, or by a Lead whose team is going, reaches nobody: say so. */
function refuseBroadcast(draft: Draft, sender: string): Refusal | null {
  const { team } = draft.state;
  if (team === null) return draft.refusal("no_team", {});
  if (sender === "lead" && isDissolving(draft)) return draft.refusal("team_dissolved", { team: team.name });
  const member = draft.member(sender);
  const max = draft.state.config?.limits.broadcastsMax ?? 0;
  if (member === undefined) return null;
  const { broadcasts, broadcastWoken } = member.turn;
  if (broadcasts < max && !broadcastWoken) return null;
  const data = { budget: "broadcastsMax", used: broadcasts, max: broadcastWoken ? 0 : max };
  return draft.refusal("budget_exceeded", data);
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
  const open = isDissolving(draft) ? [] : (draft.state.team?.order ?? []);
  const members = open.filter((token) => token !== sender && isOpen(draft, token));
  return sender === "lead" ? members : ["lead", ...members];
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
  return refuseFull(draft, token, letter, limits);
}

/** A mailbox is bounded by what is unread; the sender is told, nothing is dropped. */
function refuseFull(
  draft: Draft,
  token: string,
  letter: Letter,
  limits: Pick<Limits, "unreadMessagesMax" | "unreadBytesMax">,
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
