import { turnsMaxOf, type MemberRecord } from "../../machines/index.ts";
import { landingShare } from "../model-run/call-budget.ts";
import { isWorking } from "./member-facts.ts";
import type { SessionRuntime } from "../session/session-runtime.ts";

/** A limit of time that a member's run is held to. */
export interface TimeLimit {
  readonly limit: "attemptMs" | "teamMs";
  /** Since when it is counted, ms of the wall clock. */
  readonly sinceMs: number;
  readonly max: number;
  readonly leftMs: number;
}

/** The limits of time of a member that works: of its attempt, and of its team. */
export function timeLimits(runtime: SessionRuntime, member: MemberRecord): TimeLimit[] {
  const { clock, config } = runtime.options;
  const { attemptMs, teamMs } = config.limits;
  const { team } = runtime.state;
  if (team === null || !isWorking(runtime, member.token)) return [];
  const limitOf = (limit: TimeLimit["limit"], sinceMs: number, max: number): TimeLimit[] =>
    // A clock that has stepped back, or the one of another machine, gives nobody more than all of it.
    max === 0 ? [] : [{ limit, sinceMs, max, leftMs: Math.min(max, sinceMs + max - clock.now()) }];
  return [...limitOf("attemptMs", member.since, attemptMs), ...limitOf("teamMs", team.createdAt, teamMs)];
}

/** The limit of time of which a member has used 80 %, or null. */
export function nearTimeLimit(runtime: SessionRuntime, token: string): TimeLimit["limit"] | null {
  const member = runtime.state.members.get(token);
  if (member === undefined) return null;
  const near = timeLimits(runtime, member).find(({ leftMs, max }) => max - leftMs >= max * landingShare);
  return near?.limit ?? null;
}

/** Whether a member has used 80 % of its turns; who has one turn in all has had no chance to be told. */
export function nearTurnsMax({ state }: SessionRuntime, token: string): boolean {
  const member = state.members.get(token);
  if (member === undefined) return false;
  const { turns } = member.turn;
  return turns > 1 && turns >= turnsMaxOf(state, member) * landingShare;
}
