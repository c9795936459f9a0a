import {
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
export function dueProblem(state: JudgedState): string | null {
  const { session, facts, runs } = state;
  const { run, snapshot } = session.lead;
  for (const { token, name, run: data, snapshot: is } of session.members.values()) {
    const isLive = facts.member(is).activity !== null;
    const problem = wantProblem(runs, { token, name, run: data, isLive, n: is.context.run }, session.epoch);
    if (problem !== null) return problem;
  }
  const lead = { token: "lead", name: "Lead", run, isLive: facts.lead(snapshot).live, n: snapshot.context.run };
  return wantProblem(runs, lead, session.epoch) ?? timersProblem(state);
}

interface Worker {
  readonly token: string;
  readonly name: string;
  readonly run: RunData;
  readonly isLive: boolean;
  readonly n: number;
}

function wantProblem(runs: JudgedState["runs"], { token, name, run, isLive, n }: Worker, epoch: number): string | null {
  const due = runs.find(({ actor }) => actor === token);
  if (!isLive) return due === undefined ? null : `a run of ${name} is wanted, who has none`;
  return due === undefined || !isRun(due, run, n, epoch) ? `the run of ${name} is not wanted` : null;
}

const isRun = (due: DesiredRun, run: RunData, n: number, epoch: number): boolean =>
  due.n === n && due.epoch === (run.adopted ?? epoch) && due.kind === (run.closing ? "close" : "work");

/** Whatever has a deadline has a timer. */
function timersProblem({ session, timers }: JudgedState): string | null {
  const { requests, polls, outside, team } = session;
  const grace = team?.grace ?? null;
  if (requests.length + polls.length + outside.length === 0 && grace === null)
    return timers.length === 0 ? null : "a timer is armed for nothing";
  const armed = new Set(timers.map(({ key, generation }) => `${key} ${generation}`));
  const ends = [
    ...requests.map(({ id, deadline }) => ({ key: `permission:${id}`, deadline })),
    ...polls.map(({ call, deadline }) => ({ key: `poll:${call}`, deadline })),
    ...outside.map(({ actor, call, deadline, answer }) => ({
      key: `external:${actor}:${call}`,
      deadline: answer === null ? deadline : null,
    })),
    { key: "grace", deadline: grace },
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
