import { displayName, type FactReader, type RunData, type SessionState } from "../../machines/index.ts";

/** Calls that wait for somebody outside, as a part of G10: each gets one answer, and nobody waits for one that came. */

const nameOf = (session: SessionState, actor: string): string =>
  displayName(session, (token) => session.members.get(token), actor);

/** The run of an actor, where one is live. */
function liveRun({ lead, members }: SessionState, facts: FactReader, actor: string): RunData | null {
  if (actor === "lead") return facts.lead(lead.snapshot).live ? lead.run : null;
  const member = members.get(actor);
  return member === undefined || facts.member(member.snapshot).activity === null ? null : member.run;
}

/** What waits is open, and what a run waits for has no answer yet: what is wrong with a state, or null. */
export function outsideProblem(session: SessionState, facts: FactReader): string | null {
  const { outside } = session;
  for (const { actor, call } of outside) {
    const run = liveRun(session, facts, actor);
    if (run === null) return `a call of ${nameOf(session, actor)} outlived its run`;
    if (!run.calls.includes(call)) return `a call of ${nameOf(session, actor)} has ended and waits for an answer`;
  }
  for (const [token, run] of [["lead", session.lead.run] as const, ...runsOf(session)]) {
    for (const call of run.externals) {
      const known = outside.find((each) => each.actor === token && each.call === call);
      if (known === undefined) return `${nameOf(session, token)} waits for what nobody can answer`;
      if (known.answer !== null) return `${nameOf(session, token)} waits for what was answered`;
    }
  }
  return null;
}

const runsOf = ({ members }: SessionState): (readonly [string, RunData])[] =>
  [...members.values()].filter(({ run }) => run.externals.length > 0).map(({ token, run }) => [token, run]);

/** The first answer stands, until its call ends: what is wrong with a step, or null. */
export function outsideStepProblem(before: SessionState, after: SessionState): string | null {
  if (before.outside === after.outside) return null;
  for (const was of before.outside) {
    const is = after.outside.find(({ actor, call }) => actor === was.actor && call === was.call);
    const isOpen = isStillOpen(after, was.actor, was.call) && isStillOpen(before, was.actor, was.call);
    if (is === undefined && isOpen && isSameRun(before, after, was.actor))
      return `an open call of ${nameOf(before, was.actor)} is forgotten outside`;
    if (is !== undefined && was.answer !== null && is.answer !== was.answer)
      return `a call of ${nameOf(before, was.actor)} was answered twice`;
  }
  return null;
}

const isStillOpen = ({ lead, members }: SessionState, actor: string, call: string): boolean =>
  (actor === "lead" ? lead.run : members.get(actor)?.run)?.calls.includes(call) === true;

/** Whether no other run has taken its place; one that only closes what its delivery left open waits for nobody. */
function isSameRun(before: SessionState, after: SessionState, actor: string): boolean {
  if (actor === "lead") return true;
  const [was, is] = [before.members.get(actor), after.members.get(actor)];
  return is?.run.closing === false && was?.run.closing === false;
}
