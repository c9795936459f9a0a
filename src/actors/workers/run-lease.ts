import type { Bus, Claim } from "../../bus/bus.ts";
import { isTeamError } from "../../errors/index.ts";
import type { Clock } from "../../protocol/clock.ts";

/** Whose lease on a run it is. */
export interface RunLeaseOptions {
  readonly bus: Bus;
  readonly clock: Clock;
  readonly key: string;
  /** Names the worker and the run: the same worker has another one for its next run. */
  readonly holder: string;
  readonly leaseMs: number;
}

/** A worker's lease on one run: while it is held, nobody else takes the run. Renewed by whoever holds it. */
export class RunLease {
  readonly #options: RunLeaseOptions;
  readonly #claim: Claim;
  #renewedAt: number;
  #isAsking = false;
  #isHeld = true;

  private constructor(options: RunLeaseOptions, claim: Claim) {
    this.#options = options;
    this.#claim = claim;
    this.#renewedAt = options.clock.now();
  }

  /** Takes the lease; null while somebody else has it. */
  static async take(options: RunLeaseOptions): Promise<RunLease | null> {
    const { bus, key, holder, leaseMs } = options;
    const claim = await bus.claims.claim(key, holder, leaseMs);
    return claim === null ? null : new RunLease(options, claim);
  }

  /** Renews it when a third of its time is over; false when it is lost. */
  async keep(): Promise<boolean> {
    const { bus, clock, key, holder, leaseMs } = this.#options;
    const askedAt = clock.now();
    if (!this.#isHeld || this.#isAsking || askedAt - this.#renewedAt < leaseMs / 3) return true;
    this.#isAsking = true;
    let claim: Claim | null;
    try {
      claim = await bus.claims.claim(key, holder, leaseMs);
    } catch {
      // The bus is away: the lease lasts as long as it lasts, and the next try may find it back.
      return clock.now() < this.#renewedAt + leaseMs;
    } finally {
      this.#isAsking = false;
    }
    if (!this.#isHeld) {
      // Given up meanwhile: what this late request has taken belongs to nobody.
      if (claim !== null) await bus.claims.release(claim);
      return true;
    }
    if (claim?.epoch === this.#claim.epoch) {
      this.#renewedAt = askedAt;
      return true;
    }
    if (claim !== null) await bus.claims.release(claim);
    return false;
  }

  /** Gives it up. A bus that is closed has let go of it, or will. */
  async release(): Promise<void> {
    if (!this.#isHeld) return;
    this.#isHeld = false;
    try {
      await this.#options.bus.claims.release(this.#claim);
    } catch (fault) {
      if (!isTeamError(fault, "bus_unavailable")) throw fault;
    }
  }
}
