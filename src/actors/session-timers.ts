import {
  desiredTimers,
  idleTimer,
  type DesiredTimer,
  type FactReader,
  type MemberRecord,
  type SessionState,
} from "../machines/index.ts";
import type { Clock } from "../protocol/clock.ts";
import { TimerBoard } from "./timers.ts";

/** The timers of a session: those of polls, requests and a dissolve, and one for each idle member. */
export class SessionTimers {
  readonly #timers: TimerBoard;
  /** Looked at with their members: there may be as many of them. */
  readonly #idle: TimerBoard;

  constructor(clock: Clock, onDue: (timer: DesiredTimer) => void) {
    this.#timers = new TimerBoard(clock, onDue);
    this.#idle = new TimerBoard(clock, onDue);
  }

  get size(): number {
    return this.#timers.size + this.#idle.size;
  }

  /** Arms what the state wants, but for members. */
  reconcile(state: SessionState): void {
    if (this.#timers.size > 0 || mayHaveTimers(state)) this.#timers.reconcile(desiredTimers(state));
  }

  /** Arms what a member wants. */
  keep(state: SessionState, member: MemberRecord, facts: FactReader): void {
    this.#idle.keep(`idle:${member.token}`, idleTimer(state, member, facts));
  }

  /** Disarms everything. */
  clear(): void {
    this.#timers.clear();
    this.#idle.clear();
  }
}

const mayHaveTimers = ({ polls, requests, outside, team }: SessionState): boolean =>
  polls.length > 0 || requests.length > 0 || outside.length > 0 || (team !== null && team.grace !== null);
