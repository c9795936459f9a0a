import type { Subscription } from "rxjs";
import type { TimerHandle } from "../../protocol/clock.ts";
import { callGuarded } from "../../protocol/call-guarded.ts";
import { formatHolder, offersTopic, runClaimKey, WorkOffer } from "../../protocol/work.ts";
import type { SystemParts } from "../session/session-maker.ts";
import { sleep } from "../model-run/sleep.ts";
import { FollowedSession } from "./followed-session.ts";
import {
  checkOffered,
  parseOfferOptions,
  requireSharedBus,
  type OfferOptions,
  type WorkerEvent,
} from "./offer-options.ts";
import { RunLease } from "./run-lease.ts";
import type { EndOfRun } from "./worker-run.ts";

/** Agent types that this process carries out runs of, for the sessions of other processes. */
export interface AgentOffering {
  /** Name of this worker, as status shows it. */
  readonly worker: string;
  readonly agentTypes: readonly string[];
  /** Runs that it carries out now. */
  readonly runs: number;
  /** Takes no more runs and gives back those that it has: other workers go on with them. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** How often a worker says that its runs are alive, at least. */
const sayMs = 1_000;
/** A session of which no run was here for so long is followed no longer. */
const lingerMs = 10_000;
/** Pause before a run is taken, for each that a worker has: another one that has less takes it first. */
const perRunMs = 30;
const pauseMsMax = 300;
/** Offers that are kept for when there is room; those beyond it are made again. */
const backlogMax = 1_000;

/** Offers agent types of a system; `onClosed` is called once when it is closed. */
export function startOffering(
  parts: SystemParts,
  agentTypes: readonly string[],
  given: OfferOptions,
  onClosed: (offering: AgentOffering) => void,
): AgentOffering {
  requireSharedBus(parts.bus);
  const types = checkOffered(agentTypes, parts.agentTypes);
  const options = parseOfferOptions(given);
  return new LocalOffering(parts, types, { ...options, onRun: callGuarded(options.onRun, parts.onFault) }, onClosed);
}

class LocalOffering implements AgentOffering {
  readonly worker: string;
  readonly #parts: SystemParts;
  readonly #types: ReadonlySet<string>;
  readonly #options: Required<OfferOptions>;
  readonly #onClosed: (offering: AgentOffering) => void;
  readonly #sessions = new Map<string, Promise<FollowedSession | null>>();
  readonly #open = new Set<FollowedSession>();
  /** Runs that are being taken, by their claims. */
  readonly #taking = new Map<string, Promise<void>>();
  /** Offers that came while there was no room, by their claims; each is the latest one of its actor. */
  readonly #backlog = new Map<string, WorkOffer>();
  readonly #ended = new AbortController();
  readonly #offers: Subscription;
  #timer: TimerHandle | null = null;
  #closing: Promise<void> | null = null;

  constructor(
    parts: SystemParts,
    types: ReadonlySet<string>,
    options: Required<OfferOptions>,
    onClosed: (offering: AgentOffering) => void,
  ) {
    this.#parts = parts;
    this.#types = types;
    this.#options = options;
    this.#onClosed = onClosed;
    this.worker = options.name;
    this.#offers = parts.bus.signals.follow(offersTopic(parts.namespace)).subscribe({
      next: ({ value }) => {
        const offer = WorkOffer.safeParse(value);
        if (offer.success) this.#consider(offer.data);
      },
      error: parts.onFault,
    });
    this.#arm();
  }

  get agentTypes(): readonly string[] {
    return [...this.#types];
  }

  get runs(): number {
    return [...this.#open].reduce((sum, session) => sum + session.runs, 0);
  }

  close(): Promise<void> {
    return (this.#closing ??= this.#close());
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #close(): Promise<void> {
    this.#offers.unsubscribe();
    this.#ended.abort();
    await Promise.all(this.#taking.values());
    await Promise.all([...this.#open].map((session) => session.close("its worker stops")));
    if (this.#timer !== null) this.#parts.clock.clearTimeout(this.#timer);
    this.#timer = null;
    this.#onClosed(this);
  }

  /** The timer also keeps the process alive, as a worker that waits for work wants it. */
  #arm(): void {
    const ms = Math.min(sayMs, this.#options.leaseMs / 4);
    this.#timer = this.#parts.clock.setTimeout(() => {
      this.#keep();
      this.#arm();
    }, ms);
  }

  #keep(): void {
    const now = this.#parts.clock.now();
    for (const session of this.#open) {
      session.keep();
      if (session.idleMs(now) < lingerMs && !session.isClosed) continue;
      this.#open.delete(session);
      this.#sessions.delete(session.id);
      session.close("").catch(this.#parts.onFault);
    }
  }

  #consider(offer: WorkOffer): void {
    const { namespace, onFault } = this.#parts;
    const key = runClaimKey({ namespace, session: offer.session }, offer.actor);
    if (this.#closing !== null || !this.#types.has(offer.agentType) || this.#taking.has(key)) return;
    if (this.#isFull) {
      if (this.#backlog.size < backlogMax) this.#backlog.set(key, offer);
      return;
    }
    this.#backlog.delete(key);
    const taking = this.#take(offer, key)
      .catch(onFault)
      .finally(() => {
        this.#taking.delete(key);
        this.#considerNext();
      });
    this.#taking.set(key, taking);
  }

  get #isFull(): boolean {
    const { runsMax } = this.#options;
    return runsMax > 0 && this.runs + this.#taking.size >= runsMax;
  }

  /** There may be room now. Whether an older offer still holds is for its claim and the log to say. */
  #considerNext(): void {
    for (const [key, offer] of this.#backlog) {
      if (this.#isFull) return;
      this.#backlog.delete(key);
      this.#consider(offer);
    }
  }

  async #take(offer: WorkOffer, key: string): Promise<void> {
    const { bus, clock, node } = this.#parts;
    const { signal } = this.#ended;
    await sleep(clock, Math.min(pauseMsMax, this.runs * perRunMs), signal).catch(() => {});
    if (signal.aborted) return;
    const { session, actor, epoch, n, agentType } = offer;
    const holder = formatHolder({ worker: this.worker, node, epoch, n });
    const lease = await RunLease.take({ bus, clock, key, holder, leaseMs: this.#options.leaseMs });
    if (lease === null) return;
    let isStarted = false;
    try {
      const followed = await this.#follow(session);
      if (followed === null || followed.has(actor) || signal.aborted) return;
      const tell = (type: WorkerEvent["type"]): void =>
        this.#options.onRun({ type, session, member: followed.nameOf(actor), agentType });
      const onEnd = (how: EndOfRun): void => {
        tell(how);
        this.#considerNext();
      };
      isStarted = await followed.start(offer, { lease, onEnd });
      if (isStarted) tell("taken");
    } finally {
      if (!isStarted) await lease.release();
    }
  }

  /** The session, followed: the same one for all runs of it. */
  async #follow(session: string): Promise<FollowedSession | null> {
    for (let known = this.#sessions.get(session); known !== undefined; known = this.#sessions.get(session)) {
      const followed = await known.catch(() => null);
      if (followed?.isClosed === false) return followed;
      if (this.#sessions.get(session) === known) this.#sessions.delete(session);
    }
    const opening = FollowedSession.open(this.#parts, session, this.worker);
    this.#sessions.set(session, opening);
    const opened = await opening;
    if (opened !== null) this.#open.add(opened);
    return opened;
  }
}
