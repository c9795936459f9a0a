import type { Subscription } from "rxjs";
import type { Bus } from "../../bus/bus.ts";
import type { DesiredRun, MemberRecord } from "../../machines/index.ts";
import type { Clock, TimerHandle } from "../../protocol/clock.ts";
import {
  notesTopic,
  offersTopic,
  parseHolder,
  runClaimKey,
  WorkerNote,
  type Inherited,
  type RunHolder,
  type WorkOffer,
} from "../../protocol/work.ts";
import type { AgentSource } from "../agents/agent.ts";
import { isForWorkers } from "../agents/agent-types.ts";
import type { StartedRun } from "../runs/run-board.ts";
import type { SessionRuntime } from "../session/session-runtime.ts";

/** Where runs are placed, and what they take along. */
export interface PlacedRunsOptions {
  readonly bus: Bus;
  readonly clock: Clock;
  readonly namespace: string;
  readonly session: string;
  readonly agents: ReadonlyMap<string, AgentSource>;
  readonly inherited: Inherited;
  readonly onFault: (fault: unknown) => void;
}

/** How often a run that nobody has is offered again, and one that nobody speaks of is looked for. */
const lookMs = 1_000;
/** Runs that are looked for at once: each costs a look at its claim, and a signal. */
const looksMax = 500;
/** A worker that was silent for so long may be gone: who has its runs is for their claims to say. */
const silentMs = 2_500;
/** After this time without a worker the host is told, once for each agent type. */
const lonelyMs = 5_000;

interface PlacedRun {
  readonly runtime: SessionRuntime;
  readonly desired: DesiredRun;
  readonly agentType: string;
  readonly since: number;
  /** Who has it; null = nobody, as far as is known. */
  worker: string | null;
  heardAt: number;
  isLooking: boolean;
  isAdopting: boolean;
  readonly lose: () => void;
}

/**
 * The runs of one session that workers carry out. Each is offered until a worker has it. One whose worker is gone is lost,
 * and the state asks for the next one; one that lives on from an earlier owner is adopted.
 */
export class PlacedRuns {
  readonly #options: PlacedRunsOptions;
  readonly #runs = new Map<string, PlacedRun>();
  readonly #lonely = new Set<string>();
  #notes: Subscription | null = null;
  #timer: TimerHandle | null = null;

  constructor(options: PlacedRunsOptions) {
    this.#options = options;
  }

  /** Whether the runs of a member are for workers. An agent that was invited runs where it lives. */
  isFor(member: MemberRecord | undefined): boolean {
    return member?.invited === null && isForWorkers(this.#options.agents, member.agentType);
  }

  /** The worker that has the run of an actor: null = none yet, undefined = there is no such run here. */
  workerOf(actor: string): string | null | undefined {
    return this.#runs.get(actor)?.worker;
  }

  /** Places a run; null when it is not for workers. It is over when it is lost; how it ends otherwise, its worker reports. */
  start(runtime: SessionRuntime, desired: DesiredRun): StartedRun | null {
    const member = runtime.state.members.get(desired.actor);
    if (member === undefined || !this.isFor(member)) return null;
    const { agentType } = member;
    const { promise: done, resolve: lose } = Promise.withResolvers<void>();
    const now = this.#options.clock.now();
    const own = { runtime, desired, agentType, since: now, worker: null, heardAt: now, lose };
    const run: PlacedRun = { ...own, isLooking: false, isAdopting: false };
    this.#runs.set(desired.actor, run);
    this.#watch();
    this.#look(run);
    return { abort: () => this.#forget(run), poke: () => {}, done, failed: null };
  }

  #watch(): void {
    const { bus, clock, onFault } = this.#options;
    this.#notes ??= bus.signals.follow(notesTopic(this.#options)).subscribe({
      next: ({ value }) => {
        const note = WorkerNote.safeParse(value);
        if (note.success) this.#hear(note.data);
      },
      error: onFault,
    });
    this.#timer ??= clock.setTimeout(() => this.#lookAround(), lookMs);
  }

  #forget(run: PlacedRun): void {
    if (this.#runs.get(run.desired.actor) === run) this.#runs.delete(run.desired.actor);
    if (this.#runs.size > 0) return;
    if (this.#timer !== null) this.#options.clock.clearTimeout(this.#timer);
    this.#timer = null;
    this.#notes?.unsubscribe();
    this.#notes = null;
  }

  #lookAround(): void {
    this.#timer = null;
    const now = this.#options.clock.now();
    let looks = 0;
    for (const run of this.#runs.values()) {
      if (run.worker !== null && now - run.heardAt < silentMs) continue;
      if (looks++ >= looksMax) break;
      if (run.worker === null) this.#tellIfLonely(run, now);
      this.#look(run);
    }
    this.#rotate(looks);
    if (this.#runs.size > 0) this.#watch();
  }

  /** Many runs that wait are looked for in turn. */
  #rotate(looks: number): void {
    if (looks <= looksMax) return;
    for (const [actor, run] of [...this.#runs].slice(0, looksMax)) {
      this.#runs.delete(actor);
      this.#runs.set(actor, run);
    }
  }

  /** Asks the claim who has a run, and acts on it. */
  #look(run: PlacedRun): void {
    if (run.isLooking) return;
    run.isLooking = true;
    const { bus, onFault } = this.#options;
    bus.claims
      .holder(runClaimKey(this.#options, run.desired.actor))
      .then((claim) => this.#place(run, claim === null ? null : parseHolder(claim.owner)))
      .catch(onFault)
      .finally(() => {
        run.isLooking = false;
      });
  }

  #place(run: PlacedRun, holder: RunHolder | null): void {
    const { actor, epoch, n } = run.desired;
    if (this.#runs.get(actor) !== run) return;
    if (holder?.epoch === epoch && holder.n === n) run.worker = holder.worker;
    else if (run.worker !== null) {
      this.#forget(run);
      run.lose();
    } else if (holder === null) this.#offer(run);
    // Somebody has an earlier run of this actor: either it lives on, or its claim is about to go.
  }

  #offer({ desired: { actor, epoch, n }, agentType }: PlacedRun): void {
    const { bus, namespace, session, inherited } = this.#options;
    const value: WorkOffer = { session, actor, epoch, n, agentType, inherited };
    bus.signals.publish({ topic: offersTopic(namespace), value });
  }

  #hear(note: WorkerNote): void {
    if (note.type === "run.left") {
      const run = this.#runs.get(note.actor);
      if (run === undefined) return;
      const isThis = run.desired.epoch === note.epoch && run.desired.n === note.n;
      // One that was given back in order goes on elsewhere, with what it has reported.
      if (isThis && !note.lost) run.worker = null;
      this.#look(run);
      return;
    }
    const now = this.#options.clock.now();
    for (const each of note.runs) {
      const run = this.#runs.get(each.actor);
      if (run === undefined || run.desired.n !== each.n) continue;
      if (run.desired.epoch === each.epoch) {
        run.worker = note.worker;
        run.heardAt = now;
      } else if (each.epoch < run.desired.epoch && note.seen === run.desired.epoch) this.#adopt(run, each);
    }
  }

  /** A run of an earlier owner that lives on: from what was accepted of it, its worker reports on. */
  #adopt(run: PlacedRun, { epoch, k }: { readonly epoch: number; readonly k: number }): void {
    if (run.isAdopting) return;
    run.isAdopting = true;
    const { owner } = run.runtime;
    const { actor, n } = run.desired;
    const event = { type: "run.adopted", run: n, k, epoch } as const;
    owner
      .append({ actor, from: "system", event })
      .catch(this.#options.onFault)
      .finally(() => {
        run.isAdopting = false;
      });
  }

  #tellIfLonely({ agentType, since, desired }: PlacedRun, now: number): void {
    if (now - since < lonelyMs || this.#lonely.has(agentType)) return;
    this.#lonely.add(agentType);
    const how = `no worker offers the agent type "${agentType}"; its members wait until one does`;
    this.#options.onFault(new Error(`${desired.actor} of the session "${this.#options.session}" waits: ${how}`));
  }
}
