import type { InputOf } from "../../protocol/input.ts";
import type { Draft } from "./draft.ts";
import type { FactReader } from "./facts.ts";
import { outsideTimeOut } from "./outside.ts";
import { answerPoll, endPermission } from "./requests.ts";
import type { Deadline } from "./deadline.ts";
import { requestGeneration } from "./shutdown.ts";
import { isDissolving, isGoing } from "./standing.ts";
import type { MemberRecord, SessionState } from "./state.ts";

/** Timers are a function of the state: which must be armed, and what happens when one is due. */

/** A timer that must be armed. Due at `armedAt + ms` of the wall clock; the remaining time is clamped to [0, ms]. */
export interface DesiredTimer extends Deadline {
  readonly key: string;
}

/** The timers of polls, requests, calls that wait for somebody outside and a dissolve. A member has its own. */
export function desiredTimers(session: SessionState): DesiredTimer[] {
  const timers: DesiredTimer[] = session.polls.map((poll) => ({ key: `poll:${poll.call}`, ...poll.deadline }));
  for (const request of session.requests) timers.push({ key: `permission:${request.id}`, ...request.deadline });
  for (const { actor, call, deadline, answer } of session.outside) {
    if (deadline !== null && answer === null) timers.push({ key: `external:${actor}:${call}`, ...deadline });
  }
  const grace = session.team?.grace ?? null;
  if (grace !== null) timers.push({ key: "grace", ...grace });
  return timers;
}

/** The timer after which an idle member shuts down, or null. Its generation is its run number: a wake disarms it. */
export function idleTimer(session: SessionState, member: MemberRecord, facts: FactReader): DesiredTimer | null {
  const ms = member.idleMs ?? session.config?.limits.idleMs ?? 0;
  if (ms === 0 || facts.member(member.snapshot).presence !== "idle") return null;
  return { key: `idle:${member.token}`, generation: member.snapshot.context.run, armedAt: member.since, ms };
}

/**
 * The timer after which a member that a plan asked to shut down is shut down without its answer, or null. In a dissolve the
 * grace period of the team is that of everybody.
 */
export function shutdownTimer(session: SessionState, member: MemberRecord, facts: FactReader): DesiredTimer | null {
  if (facts.member(member.snapshot).presence !== "draining" || isGoing(session, facts)) return null;
  const ms = session.config?.limits.graceMs ?? 0;
  return { key: `shutdown:${member.token}`, generation: requestGeneration(member), armedAt: member.since, ms };
}

/** Fires a timer; false when it is not armed (any more). */
export function fireTimer(draft: Draft, { key, generation }: InputOf<"timer.due">): boolean {
  const [kind, id] = splitKey(key);
  if (kind === "poll") {
    const poll = draft.state.polls.find((each) => each.call === id && each.deadline.generation === generation);
    if (poll === undefined) return false;
    answerPoll(draft, poll, false);
    return true;
  }
  if (kind === "permission") {
    const request = draft.state.requests.find((each) => each.id === id && each.deadline.generation === generation);
    if (request === undefined) return false;
    endPermission(draft, request, { verdict: "timed_out", note: null });
    return true;
  }
  if (kind === "external") return outsideTimeOut(draft, splitKey(id), generation);
  if (kind === "idle") return shutDownIdle(draft, id, generation);
  if (kind === "shutdown") return shutDownAsked(draft, id, generation);
  if (kind !== "grace" || draft.state.team?.grace?.generation !== generation) return false;
  draft.postTeam("system", { type: "grace.expired" });
  return true;
}

const splitKey = (key: string): [string, string] => {
  const colon = key.indexOf(":");
  return colon < 0 ? [key, ""] : [key.slice(0, colon), key.slice(colon + 1)];
};

function shutDownIdle(draft: Draft, token: string, generation: number): boolean {
  const member = draft.member(token);
  if (member === undefined || member.snapshot.context.run !== generation) return false;
  if (draft.facts.member(member.snapshot).presence !== "idle") return false;
  draft.postMember(token, "system", { type: "member.shutdown" });
  return true;
}

function shutDownAsked(draft: Draft, token: string, generation: number): boolean {
  const member = draft.member(token);
  if (member === undefined || isDissolving(draft) || requestGeneration(member) !== generation) return false;
  if (draft.facts.member(member.snapshot).presence !== "draining") return false;
  draft.postMember(token, "system", { type: "member.shutdown" });
  return true;
}
