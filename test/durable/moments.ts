import { writeSync } from "node:fs";
import type { Bus } from "../../src/bus/bus.ts";

/** The moment in which a process dies, and the file in which it counts how many moments there were. */
export interface Death {
  /** Number of the moment, from 1; null = it lives. */
  readonly at: number | null;
}

/**
 * The moments of a process in which it may be killed, counted: right before and right after everything that a bus is told
 * to store, and whatever else a team calls one (within a tool, within a hook). A kill is a SIGKILL of the process by itself,
 * as a power cut would be: by no exception and no handler.
 */
export class Moments {
  #count = 0;
  readonly #at: number | null;

  constructor({ at }: Death) {
    this.#at = at;
  }

  /** How many there were. */
  get count(): number {
    return this.#count;
  }

  /** One moment. Its name is said to whoever started a process that dies in it. */
  pass(name: string): void {
    this.#count += 1;
    if (this.#count !== this.#at) return;
    writeSync(1, name);
    process.kill(process.pid, "SIGKILL");
  }

  /** A bus whose every write is two moments. */
  watch(bus: Bus): Bus {
    const around = async <Value>(name: string, write: () => Promise<Value>): Promise<Value> => {
      this.pass(`before ${name}`);
      const value = await write();
      this.pass(`after ${name}`);
      return value;
    };
    const { claims, checkpoints } = bus;
    return {
      ...bus,
      append: (append) => around(`${append.input.event.type} of ${append.subject.actor}`, () => bus.append(append)),
      claims: {
        ...claims,
        claim: (...given) => around("the claim", () => claims.claim(...given)),
        release: (claim) => around("the release of the claim", () => claims.release(claim)),
      },
      checkpoints: { ...checkpoints, put: (...given) => around("the checkpoint", () => checkpoints.put(...given)) },
    };
  }
}
