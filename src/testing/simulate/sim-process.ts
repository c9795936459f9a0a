import type { Clock } from "../../protocol/clock.ts";
import type { SimScheduler, SimTask } from "./sim-scheduler.ts";

/**
 * A process of the simulated world: something that can be stopped, go on later as if nothing had been, and die. What of it
 * is still under way when it dies never happens: no timer, no delivery, no confirmation.
 */
export class SimProcess {
  readonly name: string;
  /** Its own wall clock, which is not quite that of the others. */
  readonly clock: Clock;
  readonly #scheduler: SimScheduler;
  #held: SimTask[] = [];
  #state: "running" | "stopped" | "dead" = "running";

  constructor(name: string, scheduler: SimScheduler, skewMs = 0) {
    this.name = name;
    this.#scheduler = scheduler;
    this.clock = {
      now: () => scheduler.now() + skewMs,
      setTimeout: (callback, ms) => scheduler.schedule(callback, ms, { process: this, label: "timer" }),
      clearTimeout: (handle) => scheduler.clearTimeout(handle),
    };
  }

  get state(): "running" | "stopped" | "dead" {
    return this.#state;
  }

  /** Keeps a task that came due while it was stopped. */
  hold(task: SimTask): void {
    this.#held.push(task);
  }

  /** Stops it: it does nothing until `resume`, and doesn't notice. */
  stop(): void {
    if (this.#state === "running") this.#state = "stopped";
  }

  resume(): void {
    if (this.#state !== "stopped") return;
    this.#state = "running";
    const held = this.#held;
    this.#held = [];
    for (const task of held) this.#scheduler.requeue(task);
  }

  kill(): void {
    this.#state = "dead";
    this.#held = [];
  }
}
