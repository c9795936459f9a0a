import type { Clock } from "../../protocol/clock.ts";
import type { Bus, Claim } from "../bus.ts";
import type { OpenGate } from "../open-gate.ts";

/** A claim and the time at which its lease has run out. */
interface Lease {
  readonly claim: Claim;
  readonly untilMs: number;
}

/**
 * Leases that nobody watches: one that ran out is seen when the next owner asks, so there is no timer to end.
 *
 * Epochs are counted over all keys. A key that was released needs no memory then, and is still never given an old epoch.
 */
export class MemoryClaims {
  readonly #gate: OpenGate;
  readonly #clock: Pick<Clock, "now">;
  readonly #leases = new Map<string, Lease>();
  #lastEpoch = 0;

  constructor(gate: OpenGate, clock: Pick<Clock, "now">) {
    this.#gate = gate;
    this.#clock = clock;
  }

  readonly port: Bus["claims"] = {
    claim: async (key, owner, leaseMs) => {
      this.#gate.requireOpen();
      const now = this.#clock.now();
      const held = this.#leases.get(key);
      const isOwn = held?.claim.owner === owner;
      if (held !== undefined && !isOwn && now < held.untilMs) return null;
      // Nobody came between while the lease is still on record, even if it ran out: the owner goes on in its epoch.
      const claim = held !== undefined && isOwn ? held.claim : { key, owner, epoch: ++this.#lastEpoch };
      this.#leases.set(key, { claim, untilMs: now + leaseMs });
      return claim;
    },
    release: async ({ key, epoch }) => {
      this.#gate.requireOpen();
      if (this.#leases.get(key)?.claim.epoch === epoch) this.#leases.delete(key);
    },
    holder: async (key) => {
      this.#gate.requireOpen();
      const held = this.#leases.get(key);
      return held !== undefined && this.#clock.now() < held.untilMs ? held.claim : null;
    },
  };

  /** Forgets one, whoever has it. Epochs go on growing. */
  purge(key: string): void {
    this.#leases.delete(key);
  }

  clear(): void {
    this.#leases.clear();
  }
}
