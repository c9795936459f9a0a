import type { Bus } from "../bus.ts";
import type { OpenGate } from "../open-gate.ts";

/** Bodies by digest, kept until they are deleted: only their owner knows which sessions still refer to them. */
export class MemoryBlobs {
  readonly #gate: OpenGate;
  readonly #bodies = new Map<string, unknown>();

  constructor(gate: OpenGate) {
    this.#gate = gate;
  }

  readonly port: Bus["blobs"] = {
    put: async (digest, value) => {
      this.#gate.requireOpen();
      if (!this.#bodies.has(digest)) this.#bodies.set(digest, value);
    },
    get: async (digest) => {
      this.#gate.requireOpen();
      return this.#bodies.get(digest) ?? null;
    },
    delete: async (digest) => {
      this.#gate.requireOpen();
      this.#bodies.delete(digest);
    },
  };

  clear(): void {
    this.#bodies.clear();
  }
}
