import type { FactReader, MemberRecord, SessionState } from "../../machines/index.ts";
import { hasMail } from "../../machines/kernel/shutdown.ts";
import { teamState } from "./guarantee.ts";
import { Interner, ObjectNumbers } from "./interner.ts";

/**
 * Which situations were met. What is tried in a state is tried once in each situation, and a situation is made of one member
 * and of what the session has once. Here both are told apart as far as anything that is tried looks at them: where neither
 * differs from what was met before, no situation is new, and nobody need put any into words.
 */
export class Situations {
  readonly #texts = new Interner();
  readonly #snapshots: ObjectNumbers<MemberRecord["snapshot"]>;
  /** Members that were met, by what their session had then. */
  readonly #met = new Map<string, Set<number>>();

  constructor(facts: FactReader) {
    this.#snapshots = new ObjectNumbers((snapshot) => this.#texts.number(snapshotText(snapshot, facts)));
  }

  /** Whether anything here was not met before; from now on it was. */
  isUntried(session: SessionState, facts: FactReader): boolean {
    const stands = sessionText(session, facts);
    let isUntried = false;
    let met = this.#met.get(stands);
    if (met === undefined) {
      this.#met.set(stands, (met = new Set()));
      isUntried = true;
    }
    for (const member of session.members.values()) {
      const number = this.#numberOf(member, facts);
      if (number !== null && met.has(number)) continue;
      isUntried = true;
      if (number !== null) met.add(number);
    }
    return isUntried;
  }

  /** What is tried with a member looks at this of it, as a number; null for what it does not stand for. */
  #numberOf(member: MemberRecord, facts: FactReader): number | null {
    const { snapshot, run, unread, downstream, idleMs } = member;
    const counts = [run.calls.length, run.externals.length, downstream.length] as const;
    if (counts.some((count) => count >= countsMax)) return null;
    // Whom a plan for it may name depends on others: who was replaced waits for nobody, unless something is wrong.
    if (member.replacedBy !== null && facts.member(snapshot).work === "blocked") return null;
    let flags = run.adopted === null ? 0 : 1;
    if (run.planCall !== null) flags += 2;
    if (unread.length > 1) flags += 4;
    if (hasMail(unread)) flags += 8;
    if (member.revision > 1) flags += 16;
    if (idleMs !== null) flags += 32;
    if (idleMs === 0) flags += 64;
    return counts.reduce((number, count) => number * countsMax + count, this.#snapshots.number(snapshot) * 128 + flags);
  }
}

/** Above this a count is not told apart, and everything is tried. */
const countsMax = 256;

function snapshotText(snapshot: MemberRecord["snapshot"], facts: FactReader): string {
  const { work, presence, activity } = facts.member(snapshot);
  const { lifetime, requirePlan, planned } = snapshot.context;
  return `${work},${presence},${activity},${lifetime},${requirePlan},${planned}`;
}

/** What is tried looks at this of what a session has once. */
function sessionText(session: SessionState, facts: FactReader): string {
  const { config, snapshot, team, lead, requests, polls, outside, members } = session;
  const owner = typeof snapshot.value === "string" ? snapshot.value : snapshot.value.opened;
  const { turn, live } = facts.lead(lead.snapshot);
  const stands = `${owner},${config !== null},${teamState({ session, facts })},${turn},${live},${lead.run.adopted !== null}`;
  const waits = `${requests.length > 0},${polls.length > 0},${lead.questions.length > 0},${lead.unread.length > 0}`;
  let isAwaited = false;
  let isPlanned = false;
  for (const { deadline, answer } of outside) if (deadline !== null && answer === null) isAwaited = true;
  for (const { run } of members.values()) if (run.planCall !== null) isPlanned = true;
  return `${stands},${waits},${(team?.grace ?? null) !== null},${isAwaited},${isPlanned}`;
}
