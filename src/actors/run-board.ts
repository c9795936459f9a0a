import type { DesiredRun } from "../machines/index.ts";
import type { SessionRuntime } from "./session-runtime.ts";

/** A run that was started. It reports by itself and never throws. */
export interface StartedRun {
  /** Stops it: nothing more is reported. */
  abort(reason: string): void;
  /** Something changed for its actor: mail may have come. */
  poke(): void;
  /** Settles when the run is over, however it ended. */
  readonly done: Promise<unknown>;
  /** When it failed already while it was started: settles once that is in the log. */
  readonly failed: Promise<unknown> | null;
}

/** Starts the run that an actor's state asks for. Must not throw. */
export type StartRun = (runtime: SessionRuntime, desired: DesiredRun) => StartedRun;

/** How runs are started, and how many at once. */
export interface RunBoardOptions {
  readonly start: (desired: DesiredRun) => StartedRun;
  /** A run is over, but its actor's state still wants it. */
  readonly onLost: (desired: DesiredRun) => void;
  /** Runs of members at once; 0 = unlimited. */
  readonly concurrentRunsMax: number;
}

interface Current {
  readonly desired: DesiredRun;
  readonly run: StartedRun;
}

const isSameRun = (a: DesiredRun, b: DesiredRun): boolean => a.epoch === b.epoch && a.n === b.n;

/** Keeps exactly the runs alive that the state wants, one per actor. */
export class RunBoard {
  readonly #options: RunBoardOptions;
  readonly #runs = new Map<string, Current>();
  /** Wanted, but over the limit; started in this order as others end. */
  readonly #waiting = new Map<string, DesiredRun>();

  constructor(options: RunBoardOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#runs.size;
  }

  /** The lead doesn't count: it may wait for the members whom its own run would hold up. */
  get #memberRuns(): number {
    return this.#runs.size - (this.#runs.has("lead") ? 1 : 0);
  }

  /** Starts or stops the run of one actor. Returns what to wait for when a start failed at once. */
  reconcile(actor: string, desired: DesiredRun | null): Promise<unknown> | null {
    const current = this.#runs.get(actor);
    if (current !== undefined) {
      if (desired !== null && isSameRun(current.desired, desired)) {
        current.run.poke();
        return null;
      }
      this.#runs.delete(actor);
      current.run.abort(desired === null ? "it is no longer wanted" : "another run takes its place");
    }
    if (desired === null) {
      if (this.#waiting.size > 0) {
        this.#waiting.delete(actor);
        this.#startWaiting();
      }
      return null;
    }
    const { concurrentRunsMax } = this.#options;
    if (concurrentRunsMax > 0 && this.#memberRuns >= concurrentRunsMax && actor !== "lead") {
      // One that waits already keeps its place: a key that is set again stays where it was.
      this.#waiting.set(actor, desired);
      return null;
    }
    if (this.#waiting.size > 0) this.#waiting.delete(actor);
    return this.#start(actor, desired);
  }

  /** Stops the runs of everybody whom `keeps` doesn't keep. */
  stopUnless(keeps: (actor: string) => boolean): void {
    for (const [actor, { run }] of this.#runs) {
      if (keeps(actor)) continue;
      this.#runs.delete(actor);
      run.abort("its team is gone");
    }
    for (const actor of this.#waiting.keys()) if (!keeps(actor)) this.#waiting.delete(actor);
  }

  stopAll(reason: string): void {
    this.#waiting.clear();
    for (const { run } of this.#runs.values()) run.abort(reason);
    this.#runs.clear();
  }

  #start(actor: string, desired: DesiredRun): Promise<unknown> | null {
    const run = this.#options.start(desired);
    const current = { desired, run };
    this.#runs.set(actor, current);
    const check = (): void => {
      if (this.#runs.get(actor) === current) this.#options.onLost(desired);
    };
    run.done.then(check, check);
    return run.failed;
  }

  #startWaiting(): void {
    for (const [actor, desired] of this.#waiting) {
      if (this.#memberRuns >= this.#options.concurrentRunsMax) return;
      this.#waiting.delete(actor);
      // Nobody waits for this start: whether it failed is in the log.
      this.#start(actor, desired)?.catch(() => {});
    }
  }
}
