import { sessionKeyText } from "../../bus/bus.ts";
import { desiredRun, type DesiredRun } from "../../machines/index.ts";
import { notesTopic, type Inherited, type WorkerNote, type WorkOffer } from "../../protocol/work.ts";
import { canonicalJson } from "../owner/body-store.ts";
import { leadFrom } from "./inherited.ts";
import { lookForSession, makeRuntime, makeStarter, type SystemParts } from "../session/session-maker.ts";
import type { SessionRuntime } from "../session/session-runtime.ts";
import type { RunStarter } from "../runs/start-run.ts";
import type { RunLease } from "./run-lease.ts";
import { WorkerRun, type EndOfRun } from "./worker-run.ts";

/** Told of a run that is over here. */
type OnEnd = (how: EndOfRun) => void;

/** Records that are read at once. */
const pageMax = 500;

/** A session of which a worker has runs, or had: it is followed like any other, and its runs are started by hand. */
export class FollowedSession {
  readonly #parts: SystemParts;
  readonly #runtime: SessionRuntime;
  readonly #worker: string;
  readonly #runs = new Map<string, WorkerRun>();
  #starter: { readonly inherited: string; readonly starter: RunStarter } | null = null;
  /** Leases that are being given up. */
  readonly #leaving = new Set<Promise<void>>();
  #epoch: number;
  /** Since when it has no run. */
  #idleSince: number;

  private constructor(parts: SystemParts, runtime: SessionRuntime, worker: string) {
    this.#parts = parts;
    this.#runtime = runtime;
    this.#worker = worker;
    this.#epoch = runtime.state.epoch;
    this.#idleSince = parts.clock.now();
    runtime.owner.records$.subscribe({ next: () => this.#follow(), complete: () => this.#follow() });
  }

  /** Follows a session; null when the bus knows none of this name. */
  static async open(parts: SystemParts, session: string, worker: string): Promise<FollowedSession | null> {
    const found = await lookForSession(parts, session);
    if (found === null) return null;
    const { config } = found;
    const startRun = (): never => {
      throw new Error(`${sessionKeyText({ ...parts, session })} is followed`);
    };
    const runtime = makeRuntime(parts, { config, found, hooks: undefined, startRun });
    await runtime.owner.catchUp();
    await runtime.start(null);
    return new FollowedSession(parts, runtime, worker);
  }

  get id(): string {
    return this.#runtime.options.config.session;
  }

  get runs(): number {
    return this.#runs.size;
  }

  get isClosed(): boolean {
    return this.#runtime.owner.isClosed;
  }

  /** For how long it has had no run. */
  idleMs(now: number): number {
    return this.#runs.size > 0 ? 0 : now - this.#idleSince;
  }

  has(actor: string): boolean {
    return this.#runs.has(actor);
  }

  /** Name of a member. */
  nameOf(actor: string): string {
    return this.#runtime.state.members.get(actor)?.name ?? actor;
  }

  /** Starts the run of an offer; false when the session doesn't want it (any more), or it is not for this agent type. */
  async start(
    offer: WorkOffer,
    { lease, onEnd }: { readonly lease: RunLease; readonly onEnd: OnEnd },
  ): Promise<boolean> {
    const { actor, epoch, n, agentType, inherited } = offer;
    await this.#catchUp();
    const { state, facts } = this.#runtime;
    const member = state.members.get(actor);
    const desired = member === undefined ? null : desiredRun(state, member, facts);
    const isWanted = desired !== null && desired.epoch === epoch && desired.n === n;
    if (this.isClosed || member === undefined || !isWanted || member.agentType !== agentType) return false;
    const { k } = member.run;
    const end = (how: EndOfRun): void => this.#end(desired, how, lease, onEnd);
    const shared = { runtime: this.#runtime, desired, lease, k };
    this.#runs.set(actor, new WorkerRun({ ...shared, starter: this.#starterOf(inherited), onEnd: end }));
    this.sayAlive();
    return true;
  }

  /** Says which runs are alive, and keeps their leases. */
  keep(): void {
    this.sayAlive();
    for (const run of this.#runs.values()) run.keep().catch(this.#parts.onFault);
  }

  sayAlive(): void {
    if (this.#runs.size === 0) return;
    const runs = [...this.#runs.values()].map(({ desired: { actor, epoch, n }, k }) => ({ actor, epoch, n, k }));
    this.#say({ type: "runs.alive", worker: this.#worker, seen: this.#runtime.state.epoch, runs });
  }

  /** Gives every run back, and follows no longer. */
  async close(reason: string): Promise<void> {
    await Promise.all([...this.#runs.values()].map((run) => run.giveBack(reason)));
    await Promise.all(this.#leaving);
    this.#runtime.owner.stop();
  }

  /** What was appended before is folded: a run that has reported is not taken for a new one. */
  async #catchUp(): Promise<void> {
    const { bus, namespace } = this.#parts;
    const { owner } = this.#runtime;
    while (!owner.isClosed) {
      const page = await bus.read({ namespace, session: this.id }, { fromSeq: owner.state.seq + 1, max: pageMax });
      const last = page.at(-1)?.seq ?? 0;
      if (last <= owner.state.seq) return;
      await this.#until(last);
    }
  }

  #until(seq: number): Promise<void> {
    const { owner } = this.#runtime;
    const { promise, resolve } = Promise.withResolvers<void>();
    const look = (): void => {
      if (owner.state.seq >= seq) resolve();
    };
    const looking = owner.records$.subscribe({ next: look, complete: resolve });
    look();
    return promise.finally(() => looking.unsubscribe());
  }

  #starterOf(inherited: Inherited): RunStarter {
    const text = canonicalJson(inherited);
    if (this.#starter?.inherited === text) return this.#starter.starter;
    const hasLead = this.#runtime.options.config.lead !== "none";
    const starter = makeStarter(this.#parts, {
      lead: leadFrom(inherited),
      hasLead,
      ownerPermissions: inherited.permissions,
    });
    this.#starter = { inherited: text, starter };
    return starter;
  }

  #follow(): void {
    for (const run of this.#runs.values()) run.follow();
    const { epoch } = this.#runtime.state;
    if (epoch === this.#epoch) return;
    this.#epoch = epoch;
    // The new owner waits for nothing else.
    this.sayAlive();
  }

  #end({ actor, epoch, n }: DesiredRun, how: EndOfRun, lease: RunLease, onEnd: OnEnd): void {
    this.#runs.delete(actor);
    this.#idleSince = this.#parts.clock.now();
    onEnd(how);
    // Whoever hears it looks who has the run, so that must be nobody then.
    const say = (): void => this.#say({ type: "run.left", actor, epoch, n, lost: how === "lost" });
    const leaving: Promise<void> = lease
      .release()
      .then(say)
      .catch(this.#parts.onFault)
      .finally(() => this.#leaving.delete(leaving));
    this.#leaving.add(leaving);
  }

  #say(value: WorkerNote): void {
    const { bus, namespace } = this.#parts;
    bus.signals.publish({ topic: notesTopic({ namespace, session: this.id }), value });
  }
}
