import { sessionKeyText, type Bus, type Claim } from "../../bus/bus.ts";
import { isTeamError, TeamError } from "../../errors/index.ts";
import type { Clock, TimerHandle } from "../../protocol/clock.ts";

/** How long a session belongs to a node that says nothing. */
const leaseMs = 10_000;
/** A session in memory lives and dies with this process. */
const foreverMs = Number.MAX_SAFE_INTEGER;

/** Whose lease it is. */
export interface LeaseOptions {
  readonly bus: Bus;
  readonly clock: Clock;
  readonly namespace: string;
  readonly session: string;
  /** Random per process. */
  readonly node: string;
}

/**
 * The lease of a node on a session. On a durable bus it is renewed as long as it is held; one that could not be renewed in
 * its time, or was taken by somebody else, is lost, and whoever holds it must stop.
 */
export class SessionLease {
  readonly #options: LeaseOptions;
  readonly #claim: Claim;
  #timer: TimerHandle | null = null;
  #renewedAt: number;
  #isHeld = true;

  private constructor(options: LeaseOptions, claim: Claim) {
    this.#options = options;
    this.#claim = claim;
    this.#renewedAt = options.clock.now();
  }

  /** Takes the lease; `fenced` while somebody else holds it. */
  static async take(options: LeaseOptions): Promise<SessionLease> {
    const { bus, namespace, session, node } = options;
    const ms = bus.kind === "memory" ? foreverMs : leaseMs;
    const claim = await bus.claims.claim(sessionKeyText({ namespace, session }), node, ms);
    if (claim === null) throw new TeamError("fenced", { reason: `the session "${session}" is open elsewhere` });
    return new SessionLease(options, claim);
  }

  get epoch(): number {
    return this.#claim.epoch;
  }

  /** Renews it from now on; `onLost` is called once when that is no longer possible. */
  keep(onLost: () => void): void {
    const { bus, clock } = this.#options;
    if (bus.kind === "memory" || !this.#isHeld) return;
    this.#timer = clock.setTimeout(() => {
      this.#renew(onLost).catch(() => onLost());
    }, leaseMs / 3);
  }

  /** Gives it up. False when the bus is away: then it may still be held, by a node that no longer uses it. */
  async release(): Promise<boolean> {
    this.#stop();
    try {
      await this.#options.bus.claims.release(this.#claim);
      return true;
    } catch (fault) {
      if (!isTeamError(fault, "bus_unavailable")) throw fault;
      return false;
    }
  }

  async #renew(onLost: () => void): Promise<void> {
    const { bus, clock, node } = this.#options;
    const askedAt = clock.now();
    let claim: Claim | null | undefined;
    try {
      claim = await bus.claims.claim(this.#claim.key, node, leaseMs);
    } catch {
      // The bus is away: the lease lasts as long as it lasts, and the next try may find it back.
    }
    if (!this.#isHeld) return;
    if (claim?.epoch === this.#claim.epoch) this.#renewedAt = askedAt;
    const isLost = claim === undefined ? clock.now() >= this.#renewedAt + leaseMs : claim?.epoch !== this.#claim.epoch;
    if (!isLost) {
      this.keep(onLost);
      return;
    }
    this.#stop();
    // One that was taken anew by this late request belongs to nobody here.
    if (claim !== null && claim !== undefined) await bus.claims.release(claim);
    onLost();
  }

  #stop(): void {
    this.#isHeld = false;
    if (this.#timer !== null) this.#options.clock.clearTimeout(this.#timer);
    this.#timer = null;
  }
}
