import type { Bus, SessionKey } from "../../../src/bus/bus.ts";
import { isTeamError } from "../../../src/errors/index.ts";
import { appendOf, Collector } from "./test-bus.ts";

type Session = "s1" | "s2";
type Actor = "x" | "y";

/** One step of an interleaving. `inside`: taken within the next delivery to anybody, not at once. */
export type Step =
  | { do: "append"; session: Session; actor: Actor; id: number; inside: boolean }
  /** `from`: as a share of the highest sequence seen so far; above 1 is the future. */
  | { do: "follow"; session: Session; actor: Actor | null; from: number; inside: boolean }
  | { do: "unsubscribe"; which: number; inside: boolean }
  /** Once everything has settled; `share` of the records goes, 1 = the session is dropped. */
  | { do: "trim"; session: Session; share: number }
  | { do: "settle" };

interface Appended {
  readonly session: Session;
  readonly actor: Actor;
  /** The append whose id this one repeats. */
  readonly repeats: Appended | null;
  readonly done: Promise<void>;
  seq: number;
}

interface Followed {
  readonly session: Session;
  readonly actor: Actor | null;
  readonly from: number;
  /** Whether the log started later than `from`. */
  readonly isTooLate: boolean;
  /** Sequences below were gone when it began. */
  readonly goneBelow: number;
  readonly collector: Collector;
  isLive: boolean;
}

interface Expectation {
  readonly ids: Map<number, Appended>;
  goneBelow: number;
  startsAt: number;
}

/** Takes steps on a bus, in a namespace of its own, and keeps beside it what must come of them. */
export class InterleavedRun {
  /** Repeated ids that were not answered with the first sequence. */
  readonly wrong: string[] = [];
  readonly #bus: Bus;
  readonly #namespace: string;
  readonly #appends: Appended[] = [];
  readonly #follows: Followed[] = [];
  readonly #logs: Record<Session, Expectation> = {
    s1: { ids: new Map(), goneBelow: 0, startsAt: 0 },
    s2: { ids: new Map(), goneBelow: 0, startsAt: 0 },
  };
  #inside: Step[] = [];
  #highest = 0;

  constructor(bus: Bus, namespace: string) {
    this.#bus = bus;
    this.#namespace = namespace;
  }

  async take(step: Step): Promise<void> {
    if (step.do === "settle") await this.#settle();
    else if (step.do === "trim") await this.#trim(step.session, step.share);
    else if (step.inside) this.#inside.push(step);
    else this.#takeNow(step);
  }

  /** Lets everything come that will come: the last input of every mailbox is one that nobody can miss. */
  async finish(): Promise<void> {
    await this.#settle();
    for (const session of ["s1", "s2"] as const) {
      for (const actor of ["x", "y"] as const) this.#append(session, actor, actor === "x" ? -1 : -2);
    }
    await this.#settle();
  }

  /** The sequences each follower got, cut where it unsubscribed; what it ended with otherwise. */
  seen(): readonly unknown[] {
    return this.#follows.map(({ collector, isTooLate }) =>
      isTooLate ? isTeamError(collector.error, "log_trimmed") : [...collector.seqs, collector.error],
    );
  }

  /** What `seen` must be. Where somebody who unsubscribed stopped is up to the bus. */
  expected(): readonly unknown[] {
    return this.#follows.map((follow) => {
      if (follow.isTooLate) return true;
      const all = this.#wanted(follow);
      return [...(follow.isLive ? all : all.slice(0, follow.collector.seqs.length)), null];
    });
  }

  /** What is left in the logs. */
  async kept(): Promise<readonly (readonly number[])[]> {
    const reads = (["s1", "s2"] as const).map((session) =>
      this.#bus.read(this.#key(session), { fromSeq: this.#logs[session].startsAt }),
    );
    return (await Promise.all(reads)).map((records) => records.map(({ seq }) => seq));
  }

  expectedKept(): readonly (readonly number[])[] {
    return (["s1", "s2"] as const).map((session) => this.#stored(session).map(({ seq }) => seq));
  }

  async drop(): Promise<void> {
    for (const { collector } of this.#follows) collector.unsubscribe();
    for (const session of ["s1", "s2"] as const) await this.#bus.trim(this.#key(session), Infinity);
  }

  #key(session: Session): SessionKey {
    return { namespace: this.#namespace, session };
  }

  /** What must be in the log, in the order of the calls; sequences that are out of it or repeated become visible by it. */
  #stored(session: Session): readonly Appended[] {
    const { goneBelow } = this.#logs[session];
    return this.#appends.filter((each) => each.session === session && each.repeats === null && each.seq >= goneBelow);
  }

  #wanted({ session, actor, from, goneBelow }: Followed): readonly number[] {
    const start = Math.max(from, goneBelow);
    return this.#appends
      .filter((each) => each.session === session && each.repeats === null && (actor ?? each.actor) === each.actor)
      .map(({ seq }) => seq)
      .filter((seq) => seq >= start);
  }

  #takeNow(step: Step): void {
    if (step.do === "append") this.#append(step.session, step.actor, step.id);
    if (step.do === "follow") this.#follow(step.session, step.actor, Math.round(step.from * this.#highest) + 1);
    if (step.do === "unsubscribe") {
      const follow = this.#follows[step.which];
      if (follow !== undefined) follow.isLive = false;
      follow?.collector.unsubscribe();
    }
  }

  #append(session: Session, actor: Actor, id: number): void {
    const { ids } = this.#logs[session];
    const repeats = ids.get(id) ?? null;
    const where = { ...this.#key(session), actor };
    const done = this.#bus.append(appendOf(`id${id}`, where)).then((seq) => {
      if (repeats !== null && repeats.seq !== seq) this.wrong.push(`id${id}: ${seq}, and ${repeats.seq} before`);
      appended.seq = seq;
    });
    const appended: Appended = { session, actor, repeats, done, seq: NaN };
    if (repeats === null) ids.set(id, appended);
    this.#appends.push(appended);
  }

  #follow(session: Session, actor: Actor | null, from: number): void {
    const { startsAt, goneBelow } = this.#logs[session];
    const filter = { ...this.#key(session), ...(actor === null ? {} : { actor }) };
    const collector = new Collector(this.#bus, filter, from, ({ seq }) => this.#onRecord(seq));
    this.#follows.push({ session, actor, from, isTooLate: from < startsAt, goneBelow, collector, isLive: true });
  }

  #onRecord(seq: number): void {
    this.#highest = Math.max(this.#highest, seq);
    const steps = this.#inside;
    this.#inside = [];
    for (const step of steps) this.#takeNow(step);
  }

  /** Waits until every append is answered and every live follower has what it must have, and nothing new began by that. */
  async #settle(): Promise<void> {
    for (let known = -1; known !== this.#appends.length + this.#follows.length;) {
      known = this.#appends.length + this.#follows.length;
      await Promise.all(this.#appends.map(({ done }) => done));
      // One that was made within a delivery meanwhile has no sequence yet.
      for (const { seq } of this.#appends) if (seq > this.#highest) this.#highest = seq;
      for (const follow of this.#follows) await this.#catchUp(follow);
    }
  }

  async #catchUp(follow: Followed): Promise<void> {
    const { collector, isTooLate } = follow;
    if (isTooLate) await collector.until(() => collector.error !== null);
    const last = this.#wanted(follow).at(-1) ?? 0;
    if (!isTooLate) await collector.until(() => !follow.isLive || (collector.seqs.at(-1) ?? 0) >= last);
  }

  async #trim(session: Session, share: number): Promise<void> {
    await this.#settle();
    const stored = this.#stored(session);
    const first = stored[Math.floor(stored.length * share)];
    const log = this.#logs[session];
    await this.#bus.trim(this.#key(session), share === 1 ? Infinity : (first?.seq ?? 0));
    log.startsAt = share === 1 ? 0 : Math.max(log.startsAt, first?.seq ?? 0);
    log.goneBelow = Math.max(log.goneBelow, share === 1 ? (stored.at(-1)?.seq ?? 0) + 1 : (first?.seq ?? 0));
    for (const [id, { seq }] of log.ids) if (seq < log.goneBelow) log.ids.delete(id);
  }
}
