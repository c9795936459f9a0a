import type { Bus } from "../../bus/bus.ts";
import { TeamError } from "../../errors/index.ts";
import type { Clock } from "../../protocol/clock.ts";
import { SessionLease } from "./session-lease.ts";

/** Whose claims they are. */
export interface ClaimsOptions {
  readonly bus: Bus;
  readonly clock: Clock;
  readonly namespace: string;
  /** Random per process. */
  readonly node: string;
  /** Throws once nothing may be claimed any more. */
  readonly requireOpen: () => void;
}

/** The sessions that a system has taken for itself: those that are being opened, are open or are being closed. */
export class SessionClaims {
  readonly #options: ClaimsOptions;
  readonly #taken = new Set<string>();
  /** Leases that could not be given back, by session. */
  readonly #left = new Map<string, SessionLease>();

  constructor(options: ClaimsOptions) {
    this.#options = options;
  }

  /**
   * Takes a session for this system. An id is taken from here until its lease is given back: a claim of our own would
   * only renew that lease, which the session before is about to give up.
   */
  async take(session: string): Promise<SessionLease> {
    const { requireOpen } = this.#options;
    requireOpen();
    if (this.#taken.has(session)) {
      throw new TeamError("fenced", { reason: `the session "${session}" is open here, or closing` });
    }
    this.#taken.add(session);
    let lease: SessionLease | null = null;
    try {
      await this.#giveBack(session);
      lease = await SessionLease.take({ ...this.#options, session });
      requireOpen();
      return lease;
    } catch (fault) {
      await this.release(session, lease);
      throw fault;
    }
  }

  /** Gives a session's lease back, and with it its id: only then may somebody open it again. */
  async release(session: string, lease: SessionLease | null): Promise<void> {
    try {
      if (lease === null) return;
      this.#left.set(session, lease);
      if (await lease.release()) this.#left.delete(session);
    } finally {
      this.#taken.delete(session);
    }
  }

  /** A lease that was left behind would be renewed by the next claim, and its epoch be the one that has ended. */
  async #giveBack(session: string): Promise<void> {
    const left = this.#left.get(session);
    if (left === undefined) return;
    if (!(await left.release())) throw notGivenBack(session);
    this.#left.delete(session);
  }
}

const notGivenBack = (session: string): TeamError =>
  new TeamError("bus_unavailable", {
    reason: `the lease of the session "${session}" could not be given back, nor taken anew`,
    next: "Try again when the bus is there",
  });
