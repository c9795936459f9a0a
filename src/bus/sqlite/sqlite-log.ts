import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { Observable, Subscriber } from "rxjs";
import type { Append, Bus, SessionKey, Stored, SubjectFilter } from "../bus.ts";
import type { FaultReporter } from "../fault-reporter.ts";
import { GuardedObservable } from "../guarded-observable.ts";
import { busClosed, type OpenGate } from "../open-gate.ts";
import { LogFollowers, offer, type Follower } from "../log-followers.ts";
import { LogTable, type RecordRow } from "./log-table.ts";
import { sqliteFault } from "./sqlite-fault.ts";
import type { TurnPart, TurnWriter } from "./turn-writer.ts";

/** Records that are read for a follower at once; between two pages others have their turn. */
const pageMax = 500;

/** What a log is made of. */
export interface SqliteLogParts {
  readonly path: string;
  readonly gate: OpenGate;
  readonly report: FaultReporter;
  /** Told whenever somebody begins to follow. */
  readonly onFollow: () => void;
}

/**
 * The log in the file, and who follows it from this process. What this process appends is delivered as the object that
 * was appended, in the turn in which it became durable; what others append is read from the file, in the next
 * transaction of our own or the next look (`poll`), whichever comes first. So everybody sees the stream's order.
 */
export class SqliteLog implements TurnPart {
  readonly #parts: SqliteLogParts;
  readonly #table: LogTable;
  readonly #version: StatementSync;
  readonly #followers = new LogFollowers();
  /** Everything up to here was delivered to those who follow live. */
  #lastSeq: number;
  #lastVersion: unknown;
  /** Of the transaction that is under way: what others stored before it, and what it stores. */
  #foreign: readonly Stored[] = [];
  #own: Stored[] = [];
  #endSeq = 0;
  /** Rows of the sessions that this transaction writes to. */
  readonly #keys = new Map<string, number>();

  constructor(database: DatabaseSync, parts: SqliteLogParts) {
    this.#parts = parts;
    this.#table = new LogTable(database);
    this.#version = database.prepare("PRAGMA data_version");
    this.#lastSeq = this.#table.lastSeq();
    this.#lastVersion = this.#version.get()?.["data_version"];
  }

  get isFollowed(): boolean {
    return !this.#followers.isEmpty;
  }

  append(append: Append, writer: TurnWriter): Promise<number> {
    if (!this.#parts.gate.isOpen) return Promise.reject(busClosed());
    const { input, body } = append;
    const row: RecordRow = {
      append,
      input: JSON.stringify(input),
      body: body === undefined ? null : (JSON.stringify(body) ?? "null"),
    };
    return writer.write(() => this.#store(row));
  }

  follow({ namespace, session, actor }: SubjectFilter, fromSeq: number): Observable<Stored> {
    return new GuardedObservable<Stored>(this.#parts.report, (subscriber: Subscriber<Stored>) => {
      this.#parts.gate.requireOpen();
      const key = { namespace, session };
      const follower: Follower = { subscriber, key, actor: actor ?? null, nextSeq: fromSeq, isLive: false };
      this.#followers.add(follower);
      this.#parts.onFollow();
      this.#replay(follower);
      return () => this.#followers.remove(follower);
    });
  }

  async read(filter: SubjectFilter, range: Parameters<Bus["read"]>[1]): Promise<readonly Stored[]> {
    this.#parts.gate.requireOpen();
    return this.#reading(() => this.#table.read(filter, range));
  }

  async trim(session: SessionKey, beforeSeq: number, writer: TurnWriter): Promise<void> {
    this.#parts.gate.requireOpen();
    await writer.write(() => {
      this.#table.trim(session, beforeSeq);
      this.#keys.clear();
    });
  }

  async sessions(namespace: string): Promise<readonly string[]> {
    this.#parts.gate.requireOpen();
    return this.#reading(() => this.#table.sessions(namespace));
  }

  begun(): void {
    this.#endSeq = this.#table.lastSeq();
    this.#foreign = this.#newer(this.#endSeq);
  }

  committed(): void {
    const records = this.#foreign.length === 0 ? this.#own : [...this.#foreign, ...this.#own];
    this.#lastSeq = this.#endSeq;
    this.#forget();
    for (const stored of records) this.#followers.deliver(stored);
  }

  rolledBack(): void {
    this.#forget();
  }

  /** Delivers what other processes have stored. */
  poll(): void {
    const version = this.#version.get()?.["data_version"];
    if (version === this.#lastVersion) return;
    // Read first: what is stored between the two is seen by the next look.
    const endSeq = this.#table.lastSeq();
    const records = this.#newer(endSeq);
    this.#lastVersion = version;
    this.#lastSeq = Math.max(this.#lastSeq, endSeq, records.at(-1)?.seq ?? 0);
    for (const stored of records) this.#followers.deliver(stored);
  }

  /** Completes every follow. */
  close(): void {
    for (const { subscriber } of this.#followers.clear()) subscriber.complete();
  }

  #newer(endSeq: number): readonly Stored[] {
    if (this.#followers.isEmpty || endSeq === this.#lastSeq) return [];
    return this.#table.newer(this.#lastSeq, (session) => this.#followers.of(session).length > 0);
  }

  #store(row: RecordRow): number {
    const { subject, input, body } = row.append;
    const { seq, isNew } = this.#table.store(this.#keyOf(subject), row);
    if (!isNew) return seq;
    this.#endSeq = seq;
    this.#own.push(body === undefined ? { subject, input, seq } : { subject, input, body, seq });
    return seq;
  }

  #keyOf(session: SessionKey): number {
    const name = JSON.stringify([session.namespace, session.session]);
    let key = this.#keys.get(name);
    if (key === undefined) {
      key = this.#table.openKey(session);
      this.#keys.set(name, key);
    }
    return key;
  }

  #forget(): void {
    this.#foreign = [];
    this.#own = [];
    this.#keys.clear();
  }

  /** Delivers what is stored, page by page; at the end of the last one the follower is live. */
  #replay(follower: Follower): void {
    const { subscriber, key, actor } = follower;
    if (subscriber.closed) return;
    let page: readonly Stored[];
    try {
      const filter = actor === null ? key : { ...key, actor };
      page = this.#table.read(filter, { fromSeq: follower.nextSeq, max: pageMax });
    } catch (fault) {
      subscriber.error(sqliteFault(this.#parts.path, fault));
      return;
    }
    for (const stored of page) {
      if (subscriber.closed) return;
      offer(follower, stored);
    }
    if (page.length < pageMax) follower.isLive = true;
    else setImmediate(() => this.#parts.gate.isOpen && this.#replay(follower));
  }

  #reading<Value>(read: () => Value): Value {
    try {
      return read();
    } catch (fault) {
      throw sqliteFault(this.#parts.path, fault);
    }
  }
}
