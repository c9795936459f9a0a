import { createHash } from "node:crypto";
import type { Observable, Subscriber } from "rxjs";
import { TeamError } from "../../errors/index.ts";
import { nameToken } from "../../protocol/names.ts";
import { shardOf } from "../../protocol/subject.ts";
import type { Append, Bus, SessionKey, Stored, SubjectFilter } from "../bus.ts";
import type { FaultReporter } from "../fault-reporter.ts";
import { GuardedObservable } from "../guarded-observable.ts";
import { busClosed, type OpenGate } from "../open-gate.ts";
import type { KeyStore } from "./key-store.ts";
import type { Link } from "./link.ts";
import { LogReader } from "./log-reader.ts";
import { encodeRecord } from "./log-record.ts";
import { LogTrims } from "./log-trims.ts";
import type { Outbox } from "./outbox.ts";
import { SessionFollower, ShardFollowers } from "./shard-followers.ts";
import type { Recovery } from "./shard-feed.ts";
import { filterOf, streamOf, subjectOf, type Layout } from "./subjects.ts";

/** Records that are read for a follower at once. */
const pageMax = 500;

/** What a log is made of. */
export interface NatsLogParts {
  readonly link: Link;
  readonly layout: Layout;
  readonly outbox: Outbox;
  /** Where it says of each session at which sequence its log starts. */
  readonly starts: KeyStore;
  readonly recovery: Recovery;
  readonly gate: OpenGate;
  readonly report: FaultReporter;
}

/**
 * The log in JetStream. Followers of the sessions of a shard share one feed of it, which is told apart here; what is
 * stored is read by a consumer that lives as long as the read.
 */
export class NatsLog {
  readonly #parts: NatsLogParts;
  readonly #reader: LogReader;
  readonly #trims: LogTrims;
  readonly #followers: ShardFollowers;
  /** Sessions that are being trimmed: what is appended meanwhile comes behind it. */
  readonly #trimming = new Map<string, Promise<unknown>>();

  /** Followers that have not been told yet whether their log goes back far enough: what drops inputs waits for them. */
  readonly #beginning = new Set<Promise<unknown>>();

  constructor(parts: NatsLogParts) {
    this.#parts = parts;
    this.#reader = new LogReader(parts.link, parts.layout);
    this.#trims = new LogTrims(parts);
    this.#followers = new ShardFollowers(parts);
  }

  append(append: Append): Promise<number> {
    const { gate } = this.#parts;
    if (!gate.isOpen) return Promise.reject(busClosed());
    const busy = this.#trimming.get(keyOf(append.subject));
    try {
      const letter = this.#letterOf(append);
      return busy === undefined ? this.#store(letter) : busy.then(() => this.#store(letter));
    } catch (fault) {
      return Promise.reject(fault);
    }
  }

  follow(filter: SubjectFilter, fromSeq: number): Observable<Stored> {
    const { gate, report } = this.#parts;
    return new GuardedObservable<Stored>(report, (subscriber: Subscriber<Stored>) => {
      gate.requireOpen();
      filterOf(filter, this.#parts.layout);
      const follower = new SessionFollower(subscriber, filter, fromSeq);
      const { ready, leave } = this.#followers.join(follower);
      this.#begin(follower, ready).catch(report);
      return leave;
    });
  }

  async read(filter: SubjectFilter, range: Parameters<Bus["read"]>[1]): Promise<readonly Stored[]> {
    this.#parts.gate.requireOpen();
    const records = await this.#reader.read(filter, range);
    await this.#requireStart(filter, range.fromSeq);
    return records;
  }

  async trim(session: SessionKey, beforeSeq: number): Promise<void> {
    this.#parts.gate.requireOpen();
    await this.#alone(session, () => this.#trims.trim(session, beforeSeq));
  }

  /** Forgets a session; resolves with how many inputs it had. */
  async purge(session: SessionKey): Promise<number> {
    this.#parts.gate.requireOpen();
    return this.#alone(session, () => this.#trims.trim(session, Infinity));
  }

  async sessions(namespace: string): Promise<readonly string[]> {
    this.#parts.gate.requireOpen();
    return this.#reader.sessions(namespace);
  }

  /** Completes every follow. */
  close(): void {
    this.#followers.close();
  }

  /** Does something to a session's log behind what was appended before, and before what is appended later. */
  async #alone<Value>(session: SessionKey, act: () => Promise<Value>): Promise<Value> {
    const key = keyOf(session);
    const before = [this.#trimming.get(key) ?? this.#parts.outbox.flushed(), ...this.#beginning];
    const done = Promise.allSettled(before).then(act);
    const settled = done.then(
      () => {},
      () => {},
    );
    this.#trimming.set(key, settled);
    try {
      return await done;
    } finally {
      if (this.#trimming.get(key) === settled) this.#trimming.delete(key);
    }
  }

  #letterOf({ subject, input, body }: Append): { subject: string; stream: string; id: string; payload: Uint8Array } {
    const { link, layout } = this.#parts;
    const payload = encodeRecord({ input, body });
    const bytesMax = link.facts.payloadBytesMax;
    if (payload.length > bytesMax) {
      throw new TeamError("payload_too_large", {
        what: `an input of ${subject.actor}`,
        bytes: payload.length,
        bytesMax,
      });
    }
    return {
      subject: subjectOf(subject, layout),
      stream: streamOf(shardOf(subject.session, layout.shards)),
      id: `${nameToken(subject.namespace)}.${nameToken(subject.session)}.${headerText(input.id)}`,
      payload,
    };
  }

  /**
   * Stores, or finds the input that has this id. A server remembers the ids of what was trimmed for a while: such a one
   * goes under another id, which is made from the sequence that is gone, so that every retry makes the same.
   */
  async #store(letter: { subject: string; stream: string; id: string; payload: Uint8Array }): Promise<number> {
    const { link, outbox } = this.#parts;
    for (let id = letter.id; ;) {
      const { seq, isDuplicate } = await outbox.publish({ ...letter, id });
      if (!isDuplicate) return seq;
      const kept = await link.ask(() => link.manager.streams.getMessage(letter.stream, { seq }), { ms: 10_000 });
      if (kept !== null) return seq;
      id = `${letter.id}~${seq}`;
    }
  }

  async #begin(follower: SessionFollower, ready: Promise<void>): Promise<void> {
    const { gate, link } = this.#parts;
    try {
      const begun = ready.then(() => this.#firstPage(follower));
      this.#beginning.add(begun);
      const page = await begun.finally(() => this.#beginning.delete(begun));
      await this.#replay(follower, page);
    } catch (fault) {
      if (gate.isOpen) follower.subscriber.error(link.fault(fault));
    }
  }

  async #firstPage({ filter, fromSeq }: SessionFollower): Promise<readonly Stored[]> {
    const page = await this.#reader.read(filter, { fromSeq, max: pageMax });
    await this.#requireStart(filter, fromSeq);
    return page;
  }

  /** Gives a follower what is stored, page by page, and then what came meanwhile. */
  async #replay(follower: SessionFollower, first: readonly Stored[]): Promise<void> {
    const { gate } = this.#parts;
    for (let page = first; gate.isOpen && follower.isFollowing;) {
      for (const stored of page) follower.offer(stored);
      if (page.length < pageMax) {
        follower.goLive();
        return;
      }
      page = await this.#reader.read(follower.filter, { fromSeq: follower.nextSeq, max: pageMax });
    }
  }

  /** Throws `log_trimmed` when the log starts later. Asked behind the read: a trim tells where it starts before it drops. */
  async #requireStart(session: SessionKey, fromSeq: number): Promise<void> {
    const first = await this.#trims.startOf(session);
    if (fromSeq < first) throw new TeamError("log_trimmed", { from: fromSeq, first });
  }
}

const keyOf = ({ namespace, session }: SessionKey): string => `${nameToken(namespace)}.${nameToken(session)}`;

/** An id as it may stand in a header. */
const headerText = (id: string): string =>
  /^[\u0021-\u007D]{1,200}$/.test(id) ? id : `sha256.${createHash("sha256").update(id).digest("hex")}`;
