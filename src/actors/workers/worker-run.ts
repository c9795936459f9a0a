import { outsideHooks } from "../hooks/hook-depth.ts";
import { desiredRun, type DesiredRun } from "../../machines/index.ts";
import type { StartedRun } from "../runs/run-board.ts";
import type { SessionRuntime } from "../session/session-runtime.ts";
import { endWithin } from "../runs/end-within.ts";
import type { RunStarter } from "../runs/start-run.ts";
import type { RunLease } from "./run-lease.ts";
import { WorkerLine, type Standing } from "./worker-line.ts";

/** What one run on a worker is made of. */
export interface WorkerRunOptions {
  /** The session, followed. */
  readonly runtime: SessionRuntime;
  readonly desired: DesiredRun;
  readonly lease: RunLease;
  readonly starter: RunStarter;
  /** Reports of this run that were accepted before: of one that another worker gave back. */
  readonly k: number;
  /** Called once when it is over here. */
  readonly onEnd: (how: EndOfRun) => void;
}

/** How a run ended here: by its outcome or because nobody wants it, without an outcome, or given back for others. */
export type EndOfRun = "ended" | "lost" | "given_back";

/** How long a run of an earlier owner waits to be adopted by the next one. */
const betweenMs = 10_000;
/** How long reports that are under way are waited for before a run is given back. */
const reportsMs = 2_000;

/**
 * One run that a worker carries out for the owner of a session. Whether it is still wanted is read from the log, as its
 * owner does: a cancel, a dissolve or an interrupt stops it here when it is read.
 */
export class WorkerRun {
  readonly #options: WorkerRunOptions;
  readonly #line: WorkerLine;
  readonly #started: StartedRun;
  #epoch: number;
  #takeovers = 0;
  #k: number;
  #betweenSince: number | null = null;
  #isOver = false;

  constructor(options: WorkerRunOptions) {
    this.#options = options;
    const { runtime, desired, starter, k } = options;
    this.#k = k;
    this.#epoch = runtime.state.epoch;
    this.#line = new WorkerLine({
      owner: runtime.owner,
      epoch: desired.epoch,
      standing: () => (this.#isOver ? "over" : this.#standing()),
      takeovers: () => this.#takeovers,
      onFenced: (why) => this.#stop(why, "lost"),
    });
    const line = this.#line.from(k, runtime.options.node);
    this.#started = outsideHooks(() => starter.start(runtime, desired, line));
    // One that is over with its state still wanting it has ended without an outcome.
    const check = (): void => this.#end(this.#standing() === "over" ? "ended" : "lost");
    this.#started.done.then(check, check);
  }

  get desired(): DesiredRun {
    return this.#options.desired;
  }

  /** The last number of its reports that was accepted. */
  get k(): number {
    return this.#k;
  }

  /** The session has changed. */
  follow(): void {
    if (this.#isOver) return;
    const { runtime, desired } = this.#options;
    const { state } = runtime;
    if (state.epoch !== this.#epoch) {
      this.#epoch = state.epoch;
      this.#takeovers += 1;
    }
    const standing = this.#standing();
    if (standing === "over") {
      this.#stop("it is no longer wanted", "ended");
      return;
    }
    if (standing === "current") this.#k = state.members.get(desired.actor)?.run.k ?? this.#k;
    this.#betweenSince = standing === "between" ? (this.#betweenSince ?? runtime.options.clock.now()) : null;
    this.#started.poke();
    this.#line.changed();
  }

  /** Keeps the lease. */
  async keep(): Promise<void> {
    if (this.#isOver) return;
    const now = this.#options.runtime.options.clock.now();
    if (this.#betweenSince !== null && now - this.#betweenSince >= betweenMs) {
      this.#stop("its session's next owner has not taken it over", "lost");
    } else if (!(await this.#options.lease.keep())) this.#stop("the lease on it was lost", "lost");
  }

  /** Stops it here, so that another worker goes on with it after what it has reported. */
  async giveBack(reason: string): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#started.abort(reason);
    const { clock } = this.#options.runtime.options;
    // A report that is under way and comes later would be one too many for whoever goes on.
    await endWithin([this.#line.rests], { clock, ms: reportsMs });
    this.#line.changed();
    this.#options.onEnd("given_back");
  }

  #stop(reason: string, how: EndOfRun): void {
    if (this.#isOver) return;
    this.#end(how);
    this.#started.abort(reason);
  }

  #end(how: EndOfRun): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#line.changed();
    this.#options.onEnd(how);
  }

  #standing(): Standing {
    const { runtime, desired } = this.#options;
    const { state, facts, owner } = runtime;
    const member = owner.isClosed ? undefined : state.members.get(desired.actor);
    const wanted = member === undefined ? null : desiredRun(state, member, facts);
    if (wanted === null || wanted.n !== desired.n || wanted.epoch < desired.epoch) return "over";
    return wanted.epoch === desired.epoch ? "current" : "between";
  }
}
