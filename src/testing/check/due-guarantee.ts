import {
  desiredRuns,
  desiredTimers,
  idleTimer,
  shutdownTimer,
  type DesiredRun,
  type RunData,
  type SessionState,
} from "../../machines/index.ts";
import type { JudgedState, JudgedStep } from "./guarantee.ts";

/** What is wanted of a host: a run for whoever works, and a timer for whatever ends by itself; a part of G8. */

/** The runs and timers of a state: what is wrong with them, or null. */
export function dueProblem({ session, facts }: JudgedState): string | null {
  const wanted = new Map(desiredRuns(session, facts).map((run) => [run.actor, run]));
  const actors = [...session.members.values()].map(({ token, name, run, snapshot }) => {
    const isLive = facts.member(snapshot).activity !== null;
    return { token, name, run, isLive, n: snapshot.context.run };
  });
  const { run, snapshot } = session.lead;
  actors.push({ token: "lead", name: "Lead", run, isLive: facts.lead(snapshot).live, n: snapshot.context.run });
  for (const { token, name, run: data, isLive, n } of actors) {
    const due = wanted.get(token);
    if (!isLive && due !== undefined) return `a run of ${name} is wanted, who has none`;
    if (isLive && (due === undefined || !isRun(due, data, n, session.epoch))) return `the run of ${name} is not wanted`;
  }
  return timersProblem(session);
}

const isRun = (due: DesiredRun, run: RunData, n: number, epoch: number): boolean =>
  due.n === n && due.epoch === (run.adopted ?? epoch) && due.kind === (run.closing ? "close" : "work");

/** Whatever has a deadline has a timer. */
function timersProblem(session: SessionState): string | null {
  const armed = new Set(desiredTimers(session).map(({ key, generation }) => `${key} ${generation}`));
  const { requests, polls, outside, team } = session;
  const ends = [
    ...requests.map(({ id, deadline }) => ({ key: `permission:${id}`, deadline })),
    ...polls.map(({ call, deadline }) => ({ key: `poll:${call}`, deadline })),
    ...outside.map(({ actor, call, deadline, answer }) => ({
      key: `external:${actor}:${call}`,
      deadline: answer === null ? deadline : null,
    })),
    { key: "grace", deadline: team?.grace ?? null },
  ].filter(({ deadline }) => deadline !== null);
  for (const { key, deadline } of ends)
    if (!armed.has(`${key} ${deadline?.generation ?? 0}`)) return `nobody counts the time of ${key}`;
  return armed.size === ends.length ? null : "a timer is armed for nothing";
}

/** A timer that was not armed changes nothing, and one that was is over: what is wrong with a step, or null. */
export function timerProblem({ before, after, record, applied, facts }: JudgedStep): string | null {
  const { event } = record.input;
  if (event.type !== "timer.due" || applied.verdict !== "handled") return null;
  const { key, generation } = event;
  const isArmed = (session: SessionState): boolean => {
    const own = [...session.members.values()].flatMap((member) => [
      idleTimer(session, member, facts),
      shutdownTimer(session, member, facts),
    ]);
    return [...desiredTimers(session), ...own].some((timer) => timer?.key === key && timer.generation === generation);
  };
  if (event.epoch !== before.epoch) return `a timer of an older owner was listened to (${key})`;
  if (!isArmed(before)) return `a timer was listened to that was not armed (${key})`;
  return isArmed(after) ? `a timer fired and nothing came of it (${key})` : null;
}
