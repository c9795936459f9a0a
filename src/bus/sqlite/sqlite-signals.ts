import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { Bus, Signal } from "../bus.ts";
import type { FaultReporter } from "../fault-reporter.ts";
import { MemorySignals } from "../memory/memory-signals.ts";
import type { OpenGate } from "../open-gate.ts";
import { openDatabase } from "./open-database.ts";
import { signalsKind } from "./schema.ts";

/** Signals older than this are of no use to anybody. */
const keptMs = 10_000;
/** How often the old ones are dropped. */
const pruneMs = 1_000;
/** Signals that wait to be written; what comes on top is lost for other processes. */
const waitingMax = 10_000;

/**
 * Signals within this process at once, and for other processes of the machine by a file that is never synced: a power
 * cut takes nothing along but signals.
 */
export class SqliteSignals {
  readonly #gate: OpenGate;
  readonly #here: MemorySignals;
  readonly #database: DatabaseSync;
  readonly #source = randomUUID();
  readonly #insert: StatementSync;
  readonly #prune: StatementSync;
  readonly #version: StatementSync;
  readonly #since: StatementSync;
  #waiting: Signal[] = [];
  #isScheduled = false;
  #prunedAt = 0;
  #lastId: number;
  #lastVersion: unknown;

  constructor(
    path: string,
    { gate, report, onFollow }: { gate: OpenGate; report: FaultReporter; onFollow: () => void },
  ) {
    this.#gate = gate;
    this.#here = new MemorySignals(gate, report, onFollow);
    this.#database = openSignals(path);
    this.#insert = this.#database.prepare("INSERT INTO signal (at, source, topic, value) VALUES (?, ?, ?, ?)");
    this.#prune = this.#database.prepare("DELETE FROM signal WHERE at < ?");
    this.#version = this.#database.prepare("PRAGMA data_version");
    this.#since = this.#database.prepare("SELECT id, source, topic, value FROM signal WHERE id > ? ORDER BY id");
    this.#lastId = Number(this.#database.prepare("SELECT max(id) AS id FROM signal").get()?.["id"] ?? 0);
    this.#lastVersion = this.#version.get()?.["data_version"];
  }

  readonly port: Bus["signals"] = {
    publish: (signal) => {
      if (!this.#gate.isOpen) return;
      this.#here.port.publish(signal);
      if (this.#waiting.length >= waitingMax) return;
      this.#waiting.push(signal);
      if (this.#isScheduled) return;
      this.#isScheduled = true;
      setImmediate(() => this.#flush());
    },
    follow: (topic) => this.#here.port.follow(topic),
  };

  get isFollowed(): boolean {
    return this.#here.isFollowed;
  }

  /** Hands on what other processes have published. */
  poll(): void {
    const version = this.#version.get()?.["data_version"];
    if (version === this.#lastVersion) return;
    this.#lastVersion = version;
    for (const { id, source, topic, value } of this.#since.all(this.#lastId)) {
      this.#lastId = Number(id);
      if (source === this.#source) continue;
      this.#here.port.publish({ topic: String(topic), value: value === null ? undefined : JSON.parse(String(value)) });
    }
  }

  close(): void {
    this.#flush();
    this.#here.close();
    this.#database.close();
  }

  #flush(): void {
    this.#isScheduled = false;
    const signals = this.#waiting;
    this.#waiting = [];
    if (signals.length === 0 || !this.#database.isOpen) return;
    const now = Date.now();
    try {
      this.#database.exec("BEGIN IMMEDIATE");
      for (const { topic, value } of signals) {
        this.#insert.run(now, this.#source, topic, JSON.stringify(value) ?? null);
      }
      if (now - this.#prunedAt >= pruneMs) {
        this.#prune.run(now - keptMs);
        this.#prunedAt = now;
      }
      this.#database.exec("COMMIT");
    } catch {
      // A signal may be lost, and the next one is none the worse for it: nobody is told.
      if (this.#database.isTransaction) this.#database.exec("ROLLBACK");
    }
  }
}

/** Nothing in this file is worth a refusal: one that can't be used is made anew. */
function openSignals(path: string): DatabaseSync {
  try {
    return openDatabase(path, signalsKind);
  } catch {
    // Whatever was wrong with it shows again below, if it is not the file itself.
    for (const end of ["", "-wal", "-shm"]) rmSync(path + end, { force: true });
    return openDatabase(path, signalsKind);
  }
}
