import type { DesiredTimer } from "../../machines/index.ts";
import type { Clock, TimerHandle } from "../../protocol/clock.ts";

interface Armed {
  readonly timer: DesiredTimer;
  readonly handle: TimerHandle;
}

/** Keeps exactly the timers armed that the state wants; a takeover neither restarts nor skips one. */
export class TimerBoard {
  readonly #clock: Clock;
  readonly #onDue: (timer: DesiredTimer) => void;
  readonly #armed = new Map<string, Armed>();

  constructor(clock: Clock, onDue: (timer: DesiredTimer) => void) {
    this.#clock = clock;
    this.#onDue = onDue;
  }

  /** How many timers are armed. */
  get size(): number {
    return this.#armed.size;
  }

  /** Arms what is missing and disarms what is not among `desired`; walks every timer that is armed. */
  reconcile(desired: readonly DesiredTimer[]): void {
    if (desired.length === 0 && this.#armed.size === 0) return;
    const wanted = new Map(desired.map((timer) => [timer.key, timer]));
    for (const key of this.#armed.keys()) if (!wanted.has(key)) this.#disarm(key);
    for (const timer of desired) this.keep(timer.key, timer);
  }

  /** The same for one key, at the same cost whatever else is armed. */
  keep(key: string, timer: DesiredTimer | null): void {
    const armed = this.#armed.get(key);
    if (armed?.timer.generation === timer?.generation) return;
    if (armed !== undefined) this.#disarm(key);
    if (timer !== null) this.#arm(timer);
  }

  /** Disarms everything. */
  clear(): void {
    for (const key of this.#armed.keys()) this.#disarm(key);
  }

  #arm(timer: DesiredTimer): void {
    // Clocks of two machines differ: never longer than its whole time, never in the past.
    const remainingMs = Math.min(timer.ms, Math.max(0, timer.armedAt + timer.ms - this.#clock.now()));
    const handle = this.#clock.setTimeout(() => {
      this.#armed.delete(timer.key);
      this.#onDue(timer);
    }, remainingMs);
    this.#armed.set(timer.key, { timer, handle });
  }

  #disarm(key: string): void {
    const armed = this.#armed.get(key);
    this.#armed.delete(key);
    if (armed !== undefined) this.#clock.clearTimeout(armed.handle);
  }
}
