import type { Bus, Checkpoint } from "../bus.ts";
import type { OpenGate } from "../open-gate.ts";

/**
 * Checkpoints by key. Revisions are counted over all keys, so that one of before a delete never fits what came after.
 */
export class MemoryCheckpoints {
  readonly #gate: OpenGate;
  readonly #checkpoints = new Map<string, Checkpoint>();
  #lastRevision = 0;

  constructor(gate: OpenGate) {
    this.#gate = gate;
  }

  readonly port: Bus["checkpoints"] = {
    get: async (key) => {
      this.#gate.requireOpen();
      return this.#checkpoints.get(key) ?? null;
    },
    put: async (key, value, expected) => {
      this.#gate.requireOpen();
      if ((this.#checkpoints.get(key)?.revision ?? 0) !== expected) return null;
      const revision = ++this.#lastRevision;
      this.#checkpoints.set(key, { value, revision });
      return revision;
    },
    delete: async (key) => {
      this.#gate.requireOpen();
      this.#checkpoints.delete(key);
    },
  };

  /** Forgets one; how many there were. */
  purge(key: string): number {
    return this.#checkpoints.delete(key) ? 1 : 0;
  }

  clear(): void {
    this.#checkpoints.clear();
  }
}
