import { sessionKeyText, type Bus, type SessionKey } from "../bus.ts";
import type { OpenGate } from "../open-gate.ts";

/** A body, and the sessions that hold it. */
interface Held {
  readonly value: unknown;
  readonly holders: Set<string>;
}

/** Bodies by digest, kept until they are deleted, or until the last session that holds them is purged. */
export class MemoryBlobs {
  readonly #gate: OpenGate;
  readonly #bodies = new Map<string, Held>();

  constructor(gate: OpenGate) {
    this.#gate = gate;
  }

  readonly port: Bus["blobs"] = {
    put: async (digest, value, holder) => {
      this.#gate.requireOpen();
      let body = this.#bodies.get(digest);
      if (body === undefined) this.#bodies.set(digest, (body = { value, holders: new Set() }));
      if (holder !== undefined) body.holders.add(sessionKeyText(holder));
    },
    get: async (digest) => {
      this.#gate.requireOpen();
      return this.#bodies.get(digest)?.value ?? null;
    },
    delete: async (digest) => {
      this.#gate.requireOpen();
      this.#bodies.delete(digest);
    },
  };

  /** Lets go of what a session holds; how many bodies nobody holds any more, and are gone. */
  purge(session: SessionKey): number {
    const key = sessionKeyText(session);
    let gone = 0;
    for (const [digest, { holders }] of this.#bodies) {
      if (!holders.delete(key) || holders.size > 0) continue;
      this.#bodies.delete(digest);
      gone += 1;
    }
    return gone;
  }

  clear(): void {
    this.#bodies.clear();
  }
}
