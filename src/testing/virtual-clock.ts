import type { Clock, TimerHandle } from "../protocol/clock.ts";

/** How many timers one `advance` or `runUntilIdle` may fire: more means that timers set each other for ever. */
const firingsMax = 100_000;

/** How often the event loop turns between two timers. One turn empties the promise queue; the rest is for immediates. */
const settleTurns = 3;

interface VirtualTimer {
  readonly at: number;
  readonly callback: () => void;
}

/** A clock that stands still until it is moved. */
export interface VirtualClock extends Clock {
  /**
   * Moves the time on by `ms`: every timer due by then fires at its own time, in order (timers of one time in the order
   * in which they were set), those set on the way included. Before and after each, promises settle.
   */
  advance(ms: number): Promise<void>;
  /** Moves the time from timer to timer until none is armed. Refuses when timers set each other without end. */
  runUntilIdle(): Promise<void>;
  /** How many timers are armed. */
  readonly pending: number;
}

/** Lets what is already under way go on: promises, and what was put off to the next turn of the event loop. */
const settle = async (): Promise<void> => {
  for (let turn = 0; turn < settleTurns; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

/** The state of one virtual clock: its time, and its timers by time and by the order in which they were set. */
class Timeline implements VirtualClock {
  #nowMs: number;
  #isMoving = false;
  readonly #timers: VirtualTimer[] = [];

  constructor(startMs: number) {
    this.#nowMs = startMs;
  }

  get pending(): number {
    return this.#timers.length;
  }

  now(): number {
    return this.#nowMs;
  }

  setTimeout(callback: () => void, ms: number): TimerHandle {
    const timer = { at: this.#nowMs + Math.max(ms || 0, 0), callback };
    this.#timers.splice(this.#indexAfter(timer.at), 0, timer);
    return timer;
  }

  clearTimeout(handle: TimerHandle): void {
    const index = this.#timers.findIndex((timer) => timer === handle);
    if (index >= 0) this.#timers.splice(index, 1);
  }

  async advance(ms: number): Promise<void> {
    if (!(ms >= 0) || ms === Infinity) throw new RangeError(`A clock advances by a number of milliseconds, not ${ms}.`);
    const target = this.#nowMs + ms;
    await this.#move(target);
    this.#nowMs = target;
  }

  async runUntilIdle(): Promise<void> {
    await this.#move(Infinity);
  }

  /** Fires, one by one, what is due by `target`. */
  async #move(target: number): Promise<void> {
    if (this.#isMoving) throw new Error("This clock is moving already; await the first move.");
    this.#isMoving = true;
    try {
      await settle();
      for (let firings = 0; (this.#timers[0]?.at ?? Infinity) <= target; firings += 1) {
        const timer = this.#timers.shift();
        if (timer === undefined) break;
        if (firings >= firingsMax) throw new Error(`${firingsMax} timers fired: they set each other without end.`);
        this.#nowMs = timer.at;
        timer.callback();
        await settle();
      }
    } finally {
      this.#isMoving = false;
    }
  }

  /** Where a timer of this time belongs: behind every timer that is due no later. */
  #indexAfter(at: number): number {
    let low = 0;
    let high = this.#timers.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#timers[middle]?.at ?? Infinity) <= at) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/**
 * A clock for tests: hand it to whatever takes a Clock, then move it. Nothing sleeps, and the same moves give the same
 * order every time. What waits for a real socket or file is not its business: await that yourself.
 */
export const createVirtualClock = (startMs = 0): VirtualClock => new Timeline(startMs);
