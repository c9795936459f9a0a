import type { DatabaseSync, StatementSync } from "node:sqlite";
import { isBusy, sqliteFault } from "./sqlite-fault.ts";

/** Something to be written, and who is to be told. */
interface Job {
  readonly run: () => unknown;
  readonly resolve: (value: unknown) => void;
  readonly reject: (fault: unknown) => void;
}

/** What takes part in every transaction. */
export interface TurnPart {
  /** The transaction has begun: nobody else writes until it ends. */
  begun(): void;
  /** What was written is durable; called before anybody is told. Must not throw. */
  committed(): void;
  /** Nothing was written. */
  rolledBack(): void;
}

/** How long a turn waits for other writers in all, and between two tries at first and at most. */
const busyMsMax = 10_000;
const pauseMs = 2;
const pauseMsMax = 100;

/**
 * Writes to the file: whatever is asked for within one turn of the event loop is one transaction, so that a hundred
 * inputs cost one sync of the disk. Who asks is told once it is durable, or that nothing of it was written.
 */
export class TurnWriter {
  readonly #path: string;
  readonly #database: DatabaseSync;
  readonly #part: TurnPart;
  readonly #begin: StatementSync;
  readonly #commit: StatementSync;
  #queue: Job[] = [];
  #isScheduled = false;
  #waited = 0;

  constructor(path: string, database: DatabaseSync, part: TurnPart) {
    this.#path = path;
    this.#database = database;
    this.#part = part;
    this.#begin = database.prepare("BEGIN IMMEDIATE");
    this.#commit = database.prepare("COMMIT");
  }

  /** Runs `run` within the transaction of this turn, in the order of the calls. It must throw for faults of the file only. */
  write<Value>(run: () => Value): Promise<Value> {
    return new Promise<Value>((resolve, reject) => {
      // What a job resolves with is what it has returned.
      this.#queue.push({ run, resolve: resolve as (value: unknown) => void, reject });
      this.#schedule();
    });
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => this.#flush());
  }

  #flush(): void {
    this.#isScheduled = false;
    const jobs = this.#queue;
    this.#queue = [];
    try {
      this.#begin.run();
    } catch (fault) {
      this.#postpone(jobs, fault);
      return;
    }
    this.#waited = 0;
    const fault = this.#transact(jobs);
    if (fault === null) return;
    // One of them may be at fault: each gets a transaction of its own.
    for (const job of jobs) this.#alone(job, fault);
  }

  /** Another process writes: this turn waits for it, and others with it. */
  #postpone(jobs: Job[], fault: unknown): void {
    const pause = Math.min(pauseMsMax, Math.max(pauseMs, this.#waited));
    if (!isBusy(fault) || this.#waited + pause > busyMsMax) {
      this.#waited = 0;
      for (const { reject } of jobs) reject(sqliteFault(this.#path, fault));
      return;
    }
    this.#waited += pause;
    this.#queue = [...jobs, ...this.#queue];
    this.#isScheduled = true;
    setTimeout(() => this.#flush(), pause);
  }

  /** Writes and tells; a fault means that nothing was written and nobody told. */
  #transact(jobs: readonly Job[]): { readonly cause: unknown } | null {
    let results: unknown[];
    try {
      this.#part.begun();
      results = jobs.map(({ run }) => run());
      this.#commit.run();
    } catch (cause) {
      this.#rollBack();
      return { cause };
    }
    this.#part.committed();
    jobs.forEach(({ resolve }, index) => resolve(results[index]));
    return null;
  }

  #alone(job: Job, first: { readonly cause: unknown }): void {
    let fault: { readonly cause: unknown } | null = first;
    try {
      this.#begin.run();
      fault = this.#transact([job]);
    } catch (cause) {
      fault = { cause };
    }
    if (fault !== null) job.reject(sqliteFault(this.#path, fault.cause));
  }

  #rollBack(): void {
    // SQLite has rolled back by itself after some faults, such as a full disk.
    if (this.#database.isTransaction) this.#database.exec("ROLLBACK");
    this.#part.rolledBack();
  }
}
