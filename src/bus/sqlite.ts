import { resolve } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { TeamError } from "../errors/index.ts";
import type { Clock } from "../protocol/clock.ts";
import type { Bus } from "./bus.ts";
import { faultReporter, type FaultReporter } from "./fault-reporter.ts";
import { OpenGate } from "./open-gate.ts";
import { openDatabase } from "./sqlite/open-database.ts";
import { busKind } from "./sqlite/schema.ts";
import { purgeSession } from "./sqlite/sqlite-purge.ts";
import { SqliteClaims } from "./sqlite/sqlite-claims.ts";
import { sqliteFault } from "./sqlite/sqlite-fault.ts";
import { SqliteLog } from "./sqlite/sqlite-log.ts";
import { SqliteSignals } from "./sqlite/sqlite-signals.ts";
import { sqliteBlobs, sqliteCheckpoints } from "./sqlite/sqlite-stores.ts";
import { TurnWriter } from "./sqlite/turn-writer.ts";

/** What a SQLite bus is opened with. */
export interface SqliteBusOptions {
  /** The file; it is made, with its folder, when there is none. Nobody but this user may read it. */
  readonly path: string;
  /** What leases are measured by, for all processes alike; the wall clock by default. */
  readonly clock?: Pick<Clock, "now">;
  /**
   * Told what an observer of `follow` or `signals.follow` throws, of an end with an error that it doesn't handle, and of
   * a look at the file that failed. By default a process warning.
   */
  readonly onError?: (error: unknown) => void;
  /** Bytes that the file may have; left out = as many as the disk holds. At the limit appends are `bus_unavailable`. */
  readonly fileBytesMax?: number;
}

/** How often the file is looked at for what other processes have stored, while somebody here follows it. */
const pollMs = 25;

/**
 * A bus in one file, for the processes of one machine. What was appended survives a killed process and a power cut:
 * every append resolves after the disk has confirmed it. Whatever is written within one turn of the event loop is one
 * transaction.
 *
 * The lease of a process that has ended is free at once. Throws `bus_unavailable` for a file that is damaged, no SQLite
 * database, another program's or of a later version, and for one that this user may not write; such a file is left as it
 * is. A fault of the disk later rejects what could not be stored, and nothing of that is in the log; on a full disk it
 * can be appended again once there is room.
 */
export function sqliteBus(options: SqliteBusOptions): Bus {
  const path = pathOf(options);
  const database = openDatabase(path, busKind);
  try {
    limitFile(database, options.fileBytesMax);
    return new SqliteBus(path, database, options);
  } catch (fault) {
    database.close();
    throw sqliteFault(path, fault);
  }
}

function pathOf(options: Partial<SqliteBusOptions> | undefined): string {
  const path: unknown = options?.path;
  if (typeof path === "string" && path !== "" && !path.includes("\0") && path !== ":memory:") return resolve(path);
  throw new TeamError("bad_input", { what: "sqliteBus", problem: "path: expected the name of a file" });
}

function limitFile(database: DatabaseSync, bytesMax: number | undefined): void {
  if (bytesMax === undefined) return;
  if (!(bytesMax > 0)) {
    throw new TeamError("bad_input", { what: "sqliteBus", problem: "fileBytesMax: expected a number of bytes" });
  }
  const pageBytes = Number(database.prepare("PRAGMA page_size").get()?.["page_size"]);
  database.exec(`PRAGMA max_page_count = ${Math.min(4_294_967_294, Math.max(1, Math.floor(bytesMax / pageBytes)))}`);
}

class SqliteBus implements Bus {
  readonly kind = "sqlite";
  readonly claims: Bus["claims"];
  readonly checkpoints: Bus["checkpoints"];
  readonly blobs: Bus["blobs"];
  readonly signals: Bus["signals"];
  readonly #path: string;
  readonly #database: DatabaseSync;
  readonly #gate = new OpenGate();
  readonly #report: FaultReporter;
  readonly #log: SqliteLog;
  readonly #signals: SqliteSignals;
  readonly #writer: TurnWriter;
  #looks: ReturnType<typeof setInterval> | null = null;
  #closing: Promise<void> | null = null;

  constructor(path: string, database: DatabaseSync, { onError, clock = Date }: SqliteBusOptions) {
    this.#path = path;
    this.#database = database;
    this.#report = faultReporter(onError);
    const watched = { gate: this.#gate, report: this.#report, onFollow: () => this.#watch() };
    this.#log = new SqliteLog(database, { path, ...watched });
    this.#signals = new SqliteSignals(`${path}-signals`, watched);
    this.#writer = new TurnWriter(path, database, this.#log);
    const stores = { path, gate: this.#gate, writer: this.#writer };
    this.claims = new SqliteClaims(database, { ...stores, clock }).port;
    this.checkpoints = sqliteCheckpoints(database, stores);
    this.blobs = sqliteBlobs(database, stores);
    this.signals = this.#signals.port;
  }

  // Bound: a bus is handed on in parts, as by `{ ...bus, append }`.
  readonly append: Bus["append"] = (append) => this.#log.append(append, this.#writer);
  readonly read: Bus["read"] = (filter, range) => this.#log.read(filter, range);
  readonly follow: Bus["follow"] = (filter, fromSeq) => this.#log.follow(filter, fromSeq);
  readonly trim: Bus["trim"] = (session, beforeSeq) => this.#log.trim(session, beforeSeq, this.#writer);
  readonly purge: Bus["purge"] = async (session) => {
    this.#gate.requireOpen();
    return this.#writer.write(() => purgeSession(this.#database, session));
  };
  readonly sessions: Bus["sessions"] = (namespace) => this.#log.sessions(namespace);
  readonly close: Bus["close"] = () => (this.#closing ??= this.#close());

  /** Looks at the file from now on, until nobody follows anything; the timer holds no process. */
  #watch(): void {
    this.#looks ??= setInterval(() => this.#look(), pollMs).unref();
  }

  #unwatch(): void {
    if (this.#looks !== null) clearInterval(this.#looks);
    this.#looks = null;
  }

  #look(): void {
    if (!this.#log.isFollowed && !this.#signals.isFollowed) {
      this.#unwatch();
      return;
    }
    try {
      if (this.#log.isFollowed) this.#log.poll();
      this.#signals.poll();
    } catch (fault) {
      this.#report(sqliteFault(this.#path, fault));
    }
  }

  async #close(): Promise<void> {
    this.#gate.shut();
    // Behind everything that was asked for before; how that went its callers have been told.
    await this.#writer.write(() => {}).catch(() => {});
    this.#unwatch();
    this.#log.close();
    this.#signals.close();
    this.#database.close();
  }
}
