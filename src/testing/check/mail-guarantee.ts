import type { Mail, MailFact, MemberFacts, SessionState } from "../../machines/index.ts";
import { hasMail } from "../../machines/kernel/shutdown.ts";
import { isGone, isLeaving, type JudgedState, type JudgedStep } from "./guarantee.ts";
import { StepToJudge } from "./judged-step.ts";
import { letterProblem } from "./letter-guarantee.ts";

/** What is said of mail is what became of it, as a part of G4: what is wrong with a step, or null. */
export function mailProblem(step: JudgedStep): string | null {
  if (step.before.team?.token !== step.after.team?.token) return null;
  const boxes = mailboxes(step);
  const problem = boxes.length === 0 ? null : (accountProblem(step, boxes) ?? leavingProblem(step, boxes));
  return letterProblem(step) ?? problem ?? deadLetterProblem(step);
}

/** A mailbox around a step. */
interface Mailbox {
  readonly token: string;
  readonly name: string;
  readonly was: readonly Mail[];
  readonly is: readonly Mail[];
}

/** Mailboxes that changed, or of which something is told. Of most steps there are none. */
function mailboxes({ before, after, changed, applied }: JudgedStep): Mailbox[] {
  const boxes: Mailbox[] = [];
  const isTold = (token: string): boolean => applied.mail.some((fact) => "to" in fact && fact.to === token);
  for (const [was, { token, name, unread: is }] of changed)
    if (was?.unread !== is || isTold(token)) boxes.push({ token, name, was: was?.unread ?? [], is });
  const [was, is] = [before.lead.unread, after.lead.unread];
  if (was !== is || isTold("lead")) boxes.push({ token: "lead", name: "Lead", was, is });
  return boxes;
}

/** Facts of mail that left a mailbox. */
type Left = Extract<MailFact, { type: "delivered" | "replaced" | "dead_lettered" }>;

const isLeft = (fact: MailFact): fact is Left =>
  fact.type === "delivered" || fact.type === "replaced" || fact.type === "dead_lettered";

/** Whatever comes to a mailbox, or leaves it, is written down, and nothing else is. */
function accountProblem({ applied: { mail } }: JudgedStep, boxes: readonly Mailbox[]): string | null {
  for (const { token, name, was, is } of boxes) {
    // Mailboxes and accounts of a step are short: they are looked through faster than they are indexed.
    const came = (id: string): boolean =>
      mail.some((fact) => fact.type === "accepted" && fact.to === token && fact.mail.id === id);
    const left = (id: string): boolean =>
      mail.some((fact) => isLeft(fact) && fact.to === token && fact.ids.includes(id));
    for (const { id } of is) if (!has(was, id) && !came(id)) return `${name} has mail that nobody has written down`;
    for (const { id } of was) if (!has(is, id) && !left(id)) return `mail of ${name} is gone, and nobody says why`;
    for (const fact of mail)
      if (fact.type === "accepted" && fact.to === token && !has(is, fact.mail.id) && !left(fact.mail.id))
        return `${name} was sent mail and has none`;
    for (const fact of mail)
      if (isLeft(fact) && fact.to === token && fact.ids.some((id) => has(is, id)))
        return `mail of ${name} is told as gone and is there`;
  }
  return null;
}

const has = (unread: readonly Mail[], wanted: string): boolean => unread.some(({ id }) => id === wanted);

/** Mail leaves a mailbox for a reason: it was read by its name, shown, told anew, or nobody is there who would read it. */
function leavingProblem(step: JudgedStep, boxes: readonly Mailbox[]): string | null {
  const { event, actor } = step.record.input;
  const read = event.type === "run.injected" || event.type === "lead.injected" ? new Set(event.mail) : none;
  const reader = event.type === "lead.injected" ? "lead" : actor;
  for (const { token, name, was, is } of boxes) {
    const facts = step.applied.mail.filter((fact): fact is Left => isLeft(fact) && fact.to === token);
    for (const fact of facts) {
      for (const id of fact.ids) {
        if (token === reader && read.has(id) && fact.type === "delivered") continue;
        const problem = reasonProblem(step, fact, id);
        if (problem !== null) return `${name} ${problem}`;
      }
    }
    if (read === none || token !== reader || step.applied.verdict !== "handled") continue;
    if (is.some(({ id }) => read.has(id))) return `${name} has read mail, and has it unread`;
    const before = step.before.members.get(token)?.turn.hops ?? 0;
    const hops = Math.max(before, ...was.filter(({ id }) => read.has(id)).map((mail) => mail.hops));
    const counted = step.after.members.get(token)?.turn.hops ?? Infinity;
    if (counted < hops) return `${name} has read mail of ${hops} hops and counts ${counted}`;
  }
  return null;
}

const none: ReadonlySet<string> = new Set();

/** Whether nobody is there who would read it: a member that failed or is gone, or one whose follow-up has failed. */
const isResting = (facts: MemberFacts): boolean => isGone(facts) || facts.presence === "idle";

/** What is wrong with mail leaving a mailbox that was not read, or null. */
function reasonProblem(step: JudgedStep, { type, to }: Left, id: string): string | null {
  const { before, after, applied, facts } = step;
  const [fresh] = applied.mail.flatMap((each) => (each.type === "accepted" && each.mail.id === id ? each.mail : []));
  const mail = fresh ?? mailOf(before, to).find((each) => each.id === id);
  if (mail === undefined) return "lost mail that was never there";
  if (type === "dead_lettered") {
    const [was, is] = [before.members.get(to), after.members.get(to)];
    if (is === undefined || was === undefined) return "is nobody, and its mail is dead";
    // One whose follow-up has failed may have been woken for a task at once.
    const isAnother = is.snapshot.context.run !== was.snapshot.context.run;
    return isAnother || isResting(facts.member(is.snapshot)) ? null : "reads on, and its mail is dead";
  }
  if (type === "replaced") {
    const isAnew = applied.mail.some(
      (each) => each.type === "accepted" && each.to === to && isSameNews(each.mail, mail) && each.mail.id !== id,
    );
    return isAnew ? null : `has lost a notice of ${mail.notice ?? mail.kind}`;
  }
  // Without a lead the host is told at once.
  if (to === "lead" && before.config?.lead === "none") return null;
  // Who is not asked any more need not read that it was, nor of a task who has had a turn for it.
  if (mail.notice === "shutdown_requested" || mail.notice?.startsWith("task_") === true) return null;
  const isShown = applied.replies.some(({ reply }) => "ok" in reply && reply.ok.type === "status");
  const showsIt = mail.kind === "system" && mail.notice !== "dead_letter" && mail.notice !== "user_said";
  return to === "lead" && isShown && showsIt ? null : `has not read what counts as read (${mail.notice ?? mail.kind})`;
}

const isSameNews = (a: Mail, b: Mail): boolean =>
  a.notice === b.notice && (a.about === b.about || a.notice === "dead_letter");

const mailOf = ({ lead, members }: SessionState, token: string): readonly Mail[] =>
  token === "lead" ? lead.unread : (members.get(token)?.unread ?? []);

/** Of dead letters the Lead is told, and the sender who could still do something about it. */
function deadLetterProblem(step: JudgedStep): string | null {
  const { before, after, applied, facts } = step;
  if (isLeaving(after, facts)) return null;
  for (const fact of applied.mail) {
    if (fact.type !== "dead_lettered") continue;
    const about = after.members.get(fact.to)?.name ?? "";
    const isTold = (token: string): boolean =>
      applied.mail.some(
        (each) =>
          each.type === "accepted" &&
          each.to === token &&
          each.mail.notice === "dead_letter" &&
          each.mail.about === about,
      );
    for (const dead of mailOf(before, fact.to)) {
      if (!fact.ids.includes(dead.id) || dead.kind === "system" || dead.broadcast) continue;
      if (!isTold("lead")) return `mail of ${about} is dead and the Lead was not told`;
      const sender = [...before.members.values()].find(({ name }) => name === dead.from);
      if (sender === undefined) continue;
      const is = after.members.get(sender.token) ?? sender;
      const isThere = [sender, is].every(({ snapshot }) => isOpen(facts.member(snapshot)));
      if (isThere && !isTold(sender.token)) return `mail to ${about} is dead and ${sender.name} was not told`;
    }
  }
  return null;
}

const isOpen = (facts: MemberFacts): boolean => !isGone(facts) && facts.presence !== "draining";

/**
 * What no move does is tried on a copy: a run reads a part of its mail, as when more comes while it reads; and a member asks
 * for mail of another kind than it may mint. What is wrong with what follows, or null.
 */
export function mailTrialProblem(state: JudgedState): string | null {
  if (!state.isUntried) return null;
  const { session, facts } = state;
  for (const { token, name, snapshot, unread, run } of session.members.values()) {
    const { work, presence, activity } = facts.member(snapshot);
    if (activity === null) continue;
    const isReader = activity !== "completing" && hasMail(unread);
    if (isReader && state.isNew(`reads a part: ${activity},${unread.length > 1}`)) {
      const mail = unread.length > 1 ? [unread[0]?.id ?? ""] : [];
      const event = { type: "run.injected", run: snapshot.context.run, k: run.k + 1, mail } as const;
      const problem = triedProblem(state, { actor: token, from: token, event });
      if (problem !== null) return `${problem}, when ${name} reads ${mail.length} of ${unread.length}`;
    }
    if (!state.isNew(`mints: ${work},${presence},${activity}`)) continue;
    const command = { call: "minted", run: snapshot.context.run };
    const event = { type: "message.send", to: "Lead", kind: "instruction", bytes: 1 } as const;
    const minted = triedProblem(state, { actor: "lead", from: token, event, command });
    if (minted !== null) return `${minted}, when ${name} asks for an instruction`;
    const own = triedProblem(state, { actor: token, from: token, event: { ...event, to: name }, command });
    if (own !== null) return own;
  }
  return null;
}

function triedProblem({ session, facts, probe }: JudgedState, input: Parameters<JudgedState["probe"]>[0]) {
  const { session: after, step } = probe(input);
  return mailProblem(new StepToJudge({ before: session, after, facts, ...step }));
}
