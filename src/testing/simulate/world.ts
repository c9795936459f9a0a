import type { Stored } from "../../bus/bus.ts";
import type { Observation } from "./evidence.ts";
import { LinkFates, calmLink, type LinkQuality } from "./link-fates.ts";
import { SeededRandom } from "./seeded-random.ts";
import { SimConnection } from "./sim-connection.ts";
import { SimProcess } from "./sim-process.ts";
import { SimScheduler } from "./sim-scheduler.ts";
import { SimStore } from "./sim-store.ts";

/** The one session of a simulated world. */
export const place = { namespace: "default", session: "simulated" } as const;

type Seen = Observation extends infer Each ? (Each extends Observation ? Omit<Each, "atMs" | "node"> : never) : never;

/** How many lines of a trace are kept: a world that doesn't come to rest must not fill the memory. */
const traceLinesMax = 200_000;

/**
 * A simulated world: one queue, one store, processes with their ways to it, and a record of all that happened. Nothing in it
 * asks for the time or for chance elsewhere.
 */
export class World {
  readonly random: SeededRandom;
  readonly scheduler: SimScheduler;
  readonly store: SimStore;
  /** Every task in its order. */
  readonly trace: string[] = [];
  /** The log, as it was stored. */
  readonly records: Stored[] = [];
  readonly observations: Observation[] = [];
  /** Faults that no fault of this world explains. */
  readonly unexpected: unknown[] = [];
  /** How often which fault of the world came. */
  readonly faults = new Map<string, number>();
  #quality: LinkQuality = calmLink;
  #marks = 0;

  constructor(seed: number) {
    this.random = new SeededRandom(seed);
    this.scheduler = new SimScheduler(this.random.fork("scheduler"), (nowMs, { process, label }) =>
      this.note(`${nowMs} ${process?.name ?? "-"} ${label}`),
    );
    this.store = new SimStore({ clock: this.scheduler, onFault: (fault) => void this.unexpected.push(fault) });
    this.store.watch(place, (stored) => {
      this.records.push(stored);
      this.note(`${this.scheduler.now()} = ${stored.seq} ${JSON.stringify(stored.input)}`);
    });
  }

  /** Adds a line to the trace. */
  note(line: string): void {
    if (this.trace.length < traceLinesMax) this.trace.push(line);
  }

  /** How all ways to the store are from now on. */
  set quality(quality: LinkQuality) {
    this.#quality = quality;
  }

  /** A process with its own clock and its own way to the store. */
  process(name: string, skewMs: number, onFault: (fault: unknown) => void) {
    const process = new SimProcess(name, this.scheduler, skewMs);
    const fates = new LinkFates(this.random.fork(`link of ${name}`), () => this.#quality, this.faults);
    const connection = new SimConnection({ scheduler: this.scheduler, process, store: this.store, fates, onFault });
    return { process, connection };
  }

  /** Writes down what was seen; of a process that is dead nothing is seen any more. */
  observe(process: SimProcess, seen: Seen): void {
    if (process.state === "dead") return;
    const observation: Observation = { ...seen, atMs: this.scheduler.now(), node: process.name };
    this.observations.push(observation);
    this.note(`${this.scheduler.now()} ${process.name} saw ${JSON.stringify(seen)}`);
  }

  /** Notes that a fault has come. */
  count(fault: string): void {
    this.faults.set(fault, (this.faults.get(fault) ?? 0) + 1);
    this.note(`${this.scheduler.now()} ! ${fault}`);
  }

  /** A text that nobody has used before, to know something by. */
  mark(of: string): string {
    this.#marks += 1;
    return `${of} ${this.#marks}`;
  }
}
