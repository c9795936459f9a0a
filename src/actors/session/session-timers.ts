import {
  desiredTimers,
  idleTimer,
  shutdownTimer,
  type DesiredTimer,
  type FactReader,
  type MemberRecord,
  type SessionState,
} from "../../machines/index.ts";
import type { Clock } from "../../protocol/clock.ts";
import { TimerBoard } from "./timers.ts";

/** The timers of a session: those of polls, requests and a dissolve, and those of members. */
export class SessionTimers {
  readonly #timers: TimerBoard;
  /** Looked at with their members: there may be as many of them. */
  readonly #members: TimerBoard;

  constructor(clock: Clock, onDue: (timer: DesiredTimer) => void) {
    this.#timers = new TimerBoard(clock, onDue);
    this.#members = new TimerBoard(clock, onDue);
  }

  get size(): number {
    return this.#timers.size + this.#members.size;
  }

  /** Arms what the state wants, but for members. */
  reconcile(state: SessionState): void {
    if (this.#timers.size > 0 || mayHaveTimers(state)) this.#timers.reconcile(desiredTimers(state));
  }

  /** Arms what a member wants: one that is idle for long, or is asked to shut down. */
  keep(state: SessionState, member: MemberRecord, facts: FactReader): void {
    this.#keep(`idle:${member.token}`, idleTimer(state, member, facts));
    this.#keep(`shutdown:${member.token}`, shutdownTimer(state, member, facts));
  }

  /** Disarms everything. */
  clear(): void {
    this.#timers.clear();
    this.#members.clear();
  }

  #keep(key: string, timer: DesiredTimer | null): void {
    if (timer !== null || this.#members.size > 0) this.#members.keep(key, timer);
  }
}

const mayHaveTimers = ({ polls, requests, outside, team }: SessionState): boolean =>
  polls.length > 0 || requests.length > 0 || outside.length > 0 || (team !== null && team.grace !== null);
