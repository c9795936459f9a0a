import { outsideHooks } from "../hooks/hook-depth.ts";
import type { DesiredRun } from "../../machines/index.ts";
import type { Clock, TimerHandle } from "../../protocol/clock.ts";
import type { SessionRuntime } from "../session/session-runtime.ts";

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
  /** Resolves when all that runs have reported is in their actors' states. */
  readonly applied: () => Promise<void>;
  /** A run is over, but its actor's state still wants it. */
  readonly onLost: (desired: DesiredRun) => void;
  /** Runs of members at once; 0 = unlimited. */
  readonly concurrentRunsMax: number;
  /** Pause between the starts of two members' runs; 0 = none. */
  readonly startStaggerMs: number;
  readonly clock: Clock;
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
  /** When the last run of a member was started; null = none was. */
  #startedAt: number | null = null;
  #timer: TimerHandle | null = null;

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

  /** Runs of members that are alive. */
  get running(): number {
    return this.#memberRuns;
  }

  /** Runs that wait for a place, or for the pause between two starts. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** Timers that are armed. */
  get timers(): number {
    return this.#timer === null ? 0 : 1;
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
      if (this.#waiting.size > 0) this.#waiting.delete(actor);
      return null;
    }
    if (actor !== "lead" && !this.#mayStart()) {
      // One that waits already keeps its place: a key that is set again stays where it was.
      this.#waiting.set(actor, desired);
      this.#awaitTurn();
      return null;
    }
    if (this.#waiting.size > 0) this.#waiting.delete(actor);
    return this.#start(actor, desired);
  }

  /** Gives places that have become free to those that wait. Called once everybody is reconciled: one of them may be next. */
  startWaiting(): void {
    if (this.#waiting.size > 0) this.#startWaiting();
    if (this.#waiting.size === 0) this.#disarm();
  }

  /** Stops the runs of everybody whom `keeps` doesn't keep. */
  stopUnless(keeps: (actor: string) => boolean): void {
    for (const [actor, { run }] of this.#runs) {
      if (keeps(actor)) continue;
      this.#runs.delete(actor);
      run.abort("its team is gone");
    }
    for (const actor of this.#waiting.keys()) if (!keeps(actor)) this.#waiting.delete(actor);
    if (this.#waiting.size === 0) this.#disarm();
  }

  stopAll(reason: string): void {
    this.#waiting.clear();
    this.#disarm();
    for (const { run } of this.#runs.values()) run.abort(reason);
    this.#runs.clear();
  }

  #start(actor: string, desired: DesiredRun): Promise<unknown> | null {
    if (actor !== "lead" && this.#options.startStaggerMs > 0) this.#startedAt = this.#options.clock.now();
    const run = outsideHooks(() => this.#options.start(desired));
    const current = { desired, run };
    this.#runs.set(actor, current);
    const check = (): void => {
      if (this.#runs.get(actor) === current) this.#options.onLost(desired);
    };
    // Its outcome may be stored and not delivered yet.
    const look = (): Promise<void> => this.#options.applied().then(check, check);
    run.done.then(look, look);
    return run.failed;
  }

  /** How long the next start has to wait for its pause; 0 = not at all. */
  get #pauseMs(): number {
    const { startStaggerMs, clock } = this.#options;
    if (this.#startedAt === null) return 0;
    // A clock that was set back must not hold a start up for longer than its pause.
    return Math.min(startStaggerMs, this.#startedAt + startStaggerMs - clock.now());
  }

  /** Whether there is a place for the run of one more member, and its pause is over. */
  #mayStart(): boolean {
    const { concurrentRunsMax } = this.#options;
    return (concurrentRunsMax === 0 || this.#memberRuns < concurrentRunsMax) && this.#pauseMs <= 0;
  }

  /** Comes back when the pause is over. */
  #awaitTurn(): void {
    const ms = this.#pauseMs;
    if (ms <= 0 || this.#timer !== null) return;
    const since = this.#startedAt;
    this.#timer = this.#options.clock.setTimeout(() => {
      this.#timer = null;
      // It has been waited for: what a clock says that was set back meanwhile is nothing to it.
      if (this.#startedAt === since) this.#startedAt = null;
      this.#startWaiting();
    }, ms);
  }

  #disarm(): void {
    if (this.#timer !== null) this.#options.clock.clearTimeout(this.#timer);
    this.#timer = null;
  }

  #startWaiting(): void {
    for (const [actor, desired] of this.#waiting) {
      if (!this.#mayStart()) {
        this.#awaitTurn();
        return;
      }
      this.#waiting.delete(actor);
      // Nobody waits for this start: whether it failed is in the log.
      this.#start(actor, desired)?.catch(() => {});
    }
  }
}
