import type { Append, Bus } from "../bus/bus.ts";
import type { Clock } from "../protocol/clock.ts";
import { sleep } from "./sleep.ts";

const triesMax = 9;
const pauseBaseMs = 50;
const pauseMaxMs = 5_000;

/** What appends need. */
export interface SteadyAppendOptions {
  readonly bus: Bus;
  readonly clock: Clock;
  /** Told of an append that was given up; its caller is told too, but a run may have nobody to tell. */
  readonly onFault: (fault: unknown) => void;
  /** What is thrown when it was stopped meanwhile. */
  readonly stopped: () => Error;
}

/**
 * Appends that outlast a fault of the bus: one that is refused is repeated with the same id, and whatever is appended
 * meanwhile waits behind it, so that the order of the calls stays. Gives up after about 20 s.
 */
export class SteadyAppend {
  readonly #options: SteadyAppendOptions;
  readonly #ended = new AbortController();
  /** Settles when the last of the appends that are being repeated is through; null while there is none. */
  #repairs: Promise<unknown> | null = null;

  constructor(options: SteadyAppendOptions) {
    this.#options = options;
  }

  append(append: Append): Promise<number> {
    if (this.#repairs !== null) return this.#repair(append);
    try {
      return this.#options.bus.append(append).catch((fault: unknown) => this.#repair(append, fault));
    } catch (fault) {
      return this.#repair(append, fault);
    }
  }

  /** Gives up what is being repeated. */
  stop(): void {
    this.#ended.abort();
  }

  #repair(append: Append, fault?: unknown): Promise<number> {
    const repair = this.#repeat(append, this.#repairs, fault);
    // Whoever comes next waits for this one, however it ends.
    const settled: Promise<unknown> = repair.then(
      () => this.#endRepair(settled),
      () => this.#endRepair(settled),
    );
    this.#repairs = settled;
    return repair;
  }

  #endRepair(repair: Promise<unknown>): void {
    if (this.#repairs === repair) this.#repairs = null;
  }

  async #repeat(append: Append, before: Promise<unknown> | null, first: unknown): Promise<number> {
    await before;
    const { bus, onFault, stopped } = this.#options;
    let fault = first;
    for (let tries = fault === undefined ? 0 : 1; tries < triesMax && !this.#ended.signal.aborted; tries += 1) {
      try {
        if (tries > 0) await this.#pause(tries);
        return await bus.append(append);
      } catch (error) {
        fault = error;
      }
    }
    if (this.#ended.signal.aborted) throw stopped();
    onFault(fault);
    throw fault;
  }

  #pause(tries: number): Promise<void> {
    return sleep(this.#options.clock, Math.min(pauseMaxMs, pauseBaseMs * 2 ** tries), this.#ended.signal);
  }
}
