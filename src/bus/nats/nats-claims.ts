import { randomUUID } from "node:crypto";
import type { Bus, Claim } from "../bus.ts";
import type { OpenGate } from "../open-gate.ts";
import { hasEnded, markThisProcess, type ProcessMark } from "../process-mark.ts";
import type { KeyStore, StoredValue } from "./key-store.ts";

/** A renewal must be answered well within a lease, or its owner can't know in time that it has lost it. */
const answeredMs = 2_500;
const triesMax = 5;

/** A lease as it is stored. */
interface Lease extends ProcessMark {
  readonly owner: string;
  /** 0 = the revision under which it was stored. */
  readonly epoch: number;
  readonly leaseMs: number;
  /** No two writes are alike. */
  readonly nonce: string;
}

interface Held extends Lease {
  readonly revision: number;
  readonly at: Date;
}

/**
 * Leases by compare-and-set; the revision under which one was taken is its epoch. How old one is says the server's clock
 * alone, so that machines whose clocks differ agree. The lease of a process of this machine that has ended is free at
 * once.
 */
export class NatsClaims {
  readonly #store: KeyStore;
  readonly #clock: KeyStore;
  readonly #gate: OpenGate;
  readonly #here: ProcessMark = markThisProcess();

  constructor({ store, clock, gate }: { readonly store: KeyStore; readonly clock: KeyStore; readonly gate: OpenGate }) {
    this.#store = store;
    this.#clock = clock;
    this.#gate = gate;
  }

  readonly port: Bus["claims"] = {
    claim: async (key, owner, leaseMs) => {
      this.#gate.requireOpen();
      return this.#claim(key, owner, leaseMs);
    },
    release: async ({ key, owner, epoch }) => {
      this.#gate.requireOpen();
      const { held } = await this.#leaseOf(key);
      if (held?.epoch !== epoch || held.owner !== owner) return;
      // What is left keeps the count of epochs and holds nobody up.
      await this.#store.replace(key, this.#text({ owner: "", epoch, leaseMs: 0 }), held.revision);
    },
    holder: async (key) => {
      this.#gate.requireOpen();
      const { held } = await this.#leaseOf(key);
      if (held === null || (await this.#isFree(held))) return null;
      return { key, owner: held.owner, epoch: held.epoch };
    },
  };

  async #claim(key: string, owner: string, leaseMs: number): Promise<Claim | null> {
    for (let tries = 0; tries < triesMax; tries += 1) {
      const { held, revision } = await this.#leaseOf(key);
      const isOwn = held?.owner === owner;
      if (held !== null && !isOwn && !(await this.#isFree(held))) return null;
      const epoch = isOwn ? held.epoch : 0;
      const stored = await this.#store.replace(key, this.#text({ owner, epoch, leaseMs }), revision, answeredMs);
      if (stored !== null) return { key, owner, epoch: epoch === 0 ? stored : epoch };
      // Somebody was faster: another one, or this owner by another call of its own.
    }
    return null;
  }

  #text(lease: Pick<Lease, "owner" | "epoch" | "leaseMs">): string {
    return JSON.stringify({ ...this.#here, ...lease, nonce: randomUUID() } satisfies Lease);
  }

  async #leaseOf(key: string): Promise<{ readonly held: Held | null; readonly revision: number }> {
    const stored = await this.#store.get(key, answeredMs);
    const held = stored === null ? null : heldOf(stored);
    return { held, revision: stored?.revision ?? 0 };
  }

  async #isFree(held: Held): Promise<boolean> {
    if (held.owner === "" || hasEnded(held, this.#here)) return true;
    const now = await this.#serverTime();
    return now - held.at.getTime() >= held.leaseMs;
  }

  /** The server's clock: it dates what is stored. Whoever else asks at the same time makes it no earlier. */
  async #serverTime(): Promise<number> {
    await this.#clock.put("now", "");
    return (await this.#clock.get("now", answeredMs))?.at.getTime() ?? 0;
  }
}

/** A lease; null for what is none, which nobody holds then. */
function heldOf({ text, revision, at }: StoredValue): Held | null {
  try {
    // What stands under these keys was written by `#text`.
    const lease = JSON.parse(text) as Lease;
    return { ...lease, epoch: lease.epoch === 0 ? revision : lease.epoch, revision, at };
  } catch {
    return null;
  }
}
