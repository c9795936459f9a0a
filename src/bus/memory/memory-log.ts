import type { Observable } from "rxjs";
import type { Append, Bus, SessionKey, Stored, SubjectFilter } from "../bus.ts";
import type { FaultReporter } from "../fault-reporter.ts";
import { GuardedObservable } from "../guarded-observable.ts";
import { busClosed, type OpenGate } from "../open-gate.ts";
import type { SessionLog } from "./session-log.ts";
import { SessionLogs } from "./session-logs.ts";

/** The appends of one turn, stored and delivered together. `sequences` answers them, index by index. */
interface Batch {
  readonly appends: Append[];
  readonly sequences: number[];
  readonly flushed: Promise<void>;
  readonly resolve: () => void;
}

/**
 * The log of a memory bus: all sessions in one stream with one count.
 *
 * Appends of one turn are one batch that a microtask flushes: it stores all of them, then delivers all of them in stream
 * order, then resolves them. Nothing is stored or dropped while an observer runs, so an observer may append, follow,
 * unsubscribe, trim or close, and none of it changes what the others see.
 */
export class MemoryLog implements Pick<Bus, "append" | "follow" | "read" | "trim" | "sessions" | "close"> {
  readonly #gate: OpenGate;
  readonly #report: FaultReporter;
  readonly #logs = new SessionLogs();
  #lastSeq = 0;
  #batch: Batch | null = null;

  constructor(gate: OpenGate, report: FaultReporter) {
    this.#gate = gate;
    this.#report = report;
  }

  append(append: Append): Promise<number> {
    if (!this.#gate.isOpen) return Promise.reject(busClosed());
    this.#batch ??= this.#openBatch();
    const { appends, sequences, flushed } = this.#batch;
    const place = appends.push(append) - 1;
    // One reaction per append costs half of an async function or of a promise with a resolver of its own. The cast:
    // a flush answers every append of its batch.
    return flushed.then(() => sequences[place] as number);
  }

  follow({ namespace, session, actor }: SubjectFilter, fromSeq: number): Observable<Stored> {
    const key = { namespace, session };
    return new GuardedObservable<Stored>(this.#report, (subscriber) => {
      this.#gate.requireOpen();
      const log = this.#logs.open(key);
      log.follow(subscriber, actor ?? null, fromSeq);
      return () => {
        log.unfollow(subscriber);
        this.#logs.prune(key);
      };
    });
  }

  async read(filter: SubjectFilter, range: Parameters<Bus["read"]>[1]): Promise<readonly Stored[]> {
    this.#gate.requireOpen();
    return this.#logs.find(filter)?.read({ ...range, actor: filter.actor }) ?? [];
  }

  async trim(session: SessionKey, beforeSeq: number): Promise<void> {
    this.#gate.requireOpen();
    await this.#afterEarlierCalls();
    this.#logs.find(session)?.trim(beforeSeq);
    this.#logs.prune(session);
  }

  async sessions(namespace: string): Promise<readonly string[]> {
    this.#gate.requireOpen();
    return this.#logs.namesOf(namespace);
  }

  /** Forgets a session; resolves with how many inputs it had. */
  async purge(session: SessionKey): Promise<number> {
    this.#gate.requireOpen();
    await this.#afterEarlierCalls();
    const log = this.#logs.find(session);
    const { size = 0 } = log ?? {};
    log?.trim(Infinity);
    this.#logs.prune(session);
    return size;
  }

  /** Ends what is open, once the gate is shut. */
  async close(): Promise<void> {
    await this.#afterEarlierCalls();
    this.#logs.close();
  }

  /**
   * Seals the batch, so that later appends make a new one. Awaiting the result takes one microtask: after the flush of
   * what was appended before, and before the flush of what is appended next.
   */
  #afterEarlierCalls(): Promise<void> {
    this.#batch = null;
    return Promise.resolve();
  }

  #openBatch(): Batch {
    const { promise: flushed, resolve } = Promise.withResolvers<void>();
    const batch: Batch = { appends: [], sequences: [], flushed, resolve };
    queueMicrotask(() => this.#flush(batch));
    return batch;
  }

  #flush(batch: Batch): void {
    if (this.#batch === batch) this.#batch = null;
    const stored: Stored[] = [];
    const logs: SessionLog[] = [];
    for (const append of batch.appends) {
      const log = this.#logs.open(append.subject);
      const known = log.sequenceOf(append.input.id);
      batch.sequences.push(known ?? ++this.#lastSeq);
      if (known !== undefined) continue;
      stored.push(log.store(append, this.#lastSeq));
      logs.push(log);
    }
    for (let index = 0; index < stored.length; index++) {
      // Both arrays were filled side by side.
      (logs[index] as SessionLog).deliver(stored[index] as Stored);
    }
    batch.resolve();
  }
}
