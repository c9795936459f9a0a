import { displayName, type MailFact, type SessionState } from "../../machines/index.ts";
import type { InputOf } from "../../protocol/input.ts";
import { BROADCAST, canonicalRecipient, collisionKey, LEAD } from "../../protocol/names.ts";
import { isGone, isLeaving, type JudgedStep } from "./guarantee.ts";

/** Who gets a message, as a part of G4: whom its sender has named, from its sender, once; of a broadcast everybody who can be reached. */

type Accepted = Extract<MailFact, { type: "accepted" }>;

/** What is wrong with the messages of a step, or null. */
export function letterProblem(step: JudgedStep): string | null {
  const { before, record, applied, facts } = step;
  const { event, from } = record.input;
  if (event.type !== "message.send" && applied.mail.length === 0) return null;
  const sent = applied.mail.filter((fact): fact is Accepted => fact.type === "accepted" && fact.mail.kind !== "system");
  if (event.type !== "message.send" || applied.verdict !== "handled")
    return sent.length === 0 ? null : `${event.type} sent a message`;
  const recipients = recipientsOf(step, event);
  const got = sent.map(({ to }) => to);
  for (const token of recipients) {
    if (!got.includes(token)) return `${nameOf(before, token)} did not get a message to ${event.to}`;
    if (token === from) return `${nameOf(before, token)} wrote to itself`;
    const barred = rightProblem(before, from, token) ?? fullProblem(before, token);
    if (barred !== null) return barred;
    const member = before.members.get(token);
    if (member === undefined) continue;
    const is = facts.member(member.snapshot);
    if (isGone(is) || is.presence === "draining")
      return `${member.name} is ${is.work}/${is.presence} and got a message`;
    if (isLeaving(before, facts)) return `${member.name} got a message while its team goes`;
  }
  const name = from === "user" ? from : nameOf(before, from);
  const isOfMember = before.members.has(from);
  if (isOfMember && isLeaving(before, facts)) return `${name} sent a message while its team goes`;
  if (got.length !== recipients.length)
    return `a message to ${event.to} went to ${got.length}, not ${recipients.length}`;
  for (const { mail } of sent) {
    if (mail.from !== name) return `a message of ${name} is said to be from ${mail.from}`;
    if (isOfMember ? mail.kind !== "text" : mail.kind !== event.kind) return `${name} sent ${mail.kind}`;
    if (!mail.wakes) return `a message of ${name} wakes nobody`;
    if (mail.hops !== hopsOf(before, from) + 1) return `a message of ${name} counts ${mail.hops} hops`;
  }
  return limitProblem(before, from, event) ?? receiptProblem(step, recipients);
}

function recipientsOf({ before, record, facts }: JudgedStep, { to }: InputOf<"message.send">): string[] {
  const { from } = record.input;
  const name = canonicalRecipient(to);
  if (name === LEAD) return ["lead"];
  const { team } = before;
  if (name !== BROADCAST) return [team?.byKey.get(collisionKey(name.normalize("NFC"))) ?? name];
  const members = [...before.members.values()].filter(({ token, snapshot }) => {
    const is = facts.member(snapshot);
    return token !== from && !isGone(is) && is.presence !== "draining";
  });
  const open = isLeaving(before, facts) ? [] : members.map(({ token }) => token);
  return from === "lead" ? open : ["lead", ...open];
}

/** Members write to whom their team lets them: `comms`. */
function rightProblem({ members, team }: SessionState, from: string, to: string): string | null {
  const [sender, recipient] = [members.get(from), members.get(to)];
  const comms = team?.comms ?? "all";
  if (sender === undefined || recipient === undefined || comms === "all") return null;
  if (comms === "dag" && (sender.dependsOn.includes(to) || sender.downstream.includes(to))) return null;
  return `${sender.name} wrote to ${recipient.name} (comms: ${comms})`;
}

/** A mailbox that is full takes nothing. */
function fullProblem({ members, lead, config }: SessionState, token: string): string | null {
  const { unread } = members.get(token) ?? lead;
  const count = unread.filter(({ kind }) => kind !== "system").length;
  const max = config?.limits.unreadMessagesMax ?? Infinity;
  return count < max ? null : `${members.get(token)?.name ?? LEAD} has ${count} unread and got one more`;
}

const hopsOf = ({ members, lead }: SessionState, token: string): number =>
  token === "lead" ? lead.turn.hops : (members.get(token)?.turn.hops ?? 0);

/** Nobody sends farther, or to all more often, than the limits let it: or members could write to each other for ever. */
function limitProblem(before: SessionState, from: string, { to }: InputOf<"message.send">): string | null {
  const limits = before.config?.limits;
  const sender = before.members.get(from);
  if (limits === undefined || sender === undefined) return null;
  const { name, turn } = sender;
  if (turn.hops + 1 > limits.hopsMax) return `${name} sent a message of ${turn.hops + 1} hops`;
  if (canonicalRecipient(to) !== BROADCAST) return null;
  if (turn.broadcastWoken) return `${name} was woken by a broadcast and sent one`;
  return turn.broadcasts < limits.broadcastsMax ? null : `${name} sent ${turn.broadcasts + 1} broadcasts`;
}

/** The receipt names everybody who got it. */
function receiptProblem({ before, applied }: JudgedStep, recipients: readonly string[]): string | null {
  for (const { reply } of applied.replies) {
    if (!("ok" in reply) || reply.ok.type !== "sent") continue;
    const named = reply.ok.to.map(({ name }) => name).toSorted();
    const got = recipients.map((token) => nameOf(before, token)).toSorted();
    if (named.join() !== got.join()) return `a receipt names ${named.join(", ")}, should name ${got.join(", ")}`;
  }
  return null;
}

const nameOf = (session: SessionState, token: string): string =>
  displayName(session, (each) => session.members.get(each), token);
