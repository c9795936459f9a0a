import type { DatabaseSync } from "node:sqlite";
import { setTimeout as pause } from "node:timers/promises";
import { openDatabase } from "../../bus/sqlite/open-database.ts";
import { isBusy, sqliteFault } from "../../bus/sqlite/sqlite-fault.ts";
import { hasEnded, markThisProcess, type ProcessMark } from "../../bus/process-mark.ts";
import { TeamError } from "../../errors/index.ts";

/** How long another process may take over starting or ending the server. */
const turnMs = 45_000;
const retryMs = 20;

/** What a server can be reached by. */
export interface KnownServer {
  readonly port: number;
  readonly token: string;
}

const build = (database: DatabaseSync): void =>
  database.exec(`
CREATE TABLE server (one INTEGER PRIMARY KEY CHECK (one = 1), port INTEGER NOT NULL, token TEXT NOT NULL) STRICT;
CREATE TABLE user (key INTEGER PRIMARY KEY AUTOINCREMENT, place TEXT NOT NULL, pid INTEGER NOT NULL, started TEXT NOT NULL) STRICT;
`);

/**
 * What the processes that share the server of a folder know of it: how it is reached, and who uses it. Whoever is in
 * turn has the folder to itself, and a turn ends with its process, so that no two start a server at once.
 */
export class ServerBook {
  readonly path: string;
  readonly #database: DatabaseSync;
  readonly #here: ProcessMark = markThisProcess();
  #me: number | bigint | null = null;
  /** What this process does in turn comes one after the other, too. */
  #last: Promise<unknown> = Promise.resolve();

  /** Throws `bus_unavailable` for a folder that can't be written. */
  constructor(path: string) {
    this.path = path;
    this.#database = openDatabase(path, { applicationId: 0x54_65_4e_61, version: 1, build, synchronous: "OFF" });
  }

  /** Does `work` while no other process is in turn; what it noted counts only when it resolves. */
  inTurn<Value>(work: () => Promise<Value>): Promise<Value> {
    const turn = this.#last.then(() => this.#turn(work));
    this.#last = turn.catch(() => {});
    return turn;
  }

  async #turn<Value>(work: () => Promise<Value>): Promise<Value> {
    await this.#begin();
    try {
      const value = await work();
      this.#database.exec("COMMIT");
      return value;
    } catch (fault) {
      if (this.#database.isTransaction) this.#database.exec("ROLLBACK");
      throw fault;
    }
  }

  /** The same at once, for a process that is about to end; false, and nothing done, when another one is in turn. */
  atOnce(work: () => void): boolean {
    if (this.#database.isTransaction) return false;
    try {
      this.#database.exec("BEGIN IMMEDIATE");
      work();
      this.#database.exec("COMMIT");
      return true;
    } catch {
      // Nobody is left to be told; the next process finds what this one has left.
      return false;
    }
  }

  /** The server as it was started last; null when it was ended in order. */
  server(): KnownServer | null {
    const row = this.#database.prepare("SELECT port, token FROM server").get();
    return row === undefined ? null : { port: Number(row["port"]), token: String(row["token"]) };
  }

  noteServer({ port, token }: KnownServer): void {
    this.#database.prepare("INSERT OR REPLACE INTO server (one, port, token) VALUES (1, ?, ?)").run(port, token);
  }

  forgetServer(): void {
    this.#database.exec("DELETE FROM server");
  }

  enter(): void {
    const { place, pid, started } = this.#here;
    const insert = this.#database.prepare("INSERT INTO user (place, pid, started) VALUES (?, ?, ?)");
    this.#me = insert.run(place, pid, started).lastInsertRowid;
  }

  leave(): void {
    if (this.#me !== null) this.#database.prepare("DELETE FROM user WHERE key = ?").run(this.#me);
    this.#me = null;
  }

  /**
   * How many others use the server; those that have ended are struck off. Throws `bus_unavailable` for one in another
   * container of this machine: whether that still runs can't be seen from here, nor can its server be reached.
   */
  others(): number {
    const boot = bootOf(this.#here.place);
    let count = 0;
    for (const { key, place, pid, started } of this.#database.prepare("SELECT * FROM user").all()) {
      const mark = { place: String(place), pid: Number(pid), started: String(started) };
      if (key === this.#me) continue;
      const isGone = mark.place === this.#here.place ? hasEnded(mark, this.#here) : bootOf(mark.place) !== boot;
      if (isGone) this.#database.prepare("DELETE FROM user WHERE key = ?").run(key ?? null);
      else if (mark.place === this.#here.place) count += 1;
      else throw this.#elsewhere();
    }
    return count;
  }

  close(): void {
    if (this.#database.isOpen) this.#database.close();
  }

  #elsewhere(): TeamError {
    return new TeamError("bus_unavailable", {
      reason: `${this.path}: a process of another container uses the nats-server of this folder`,
      next: "Give each container a folder of its own, or name one server for both; if that container has ended, remove the file",
    });
  }

  async #begin(): Promise<void> {
    const until = performance.now() + turnMs;
    for (;;) {
      try {
        this.#database.exec("BEGIN IMMEDIATE");
        return;
      } catch (fault) {
        if (!isBusy(fault) || performance.now() > until) throw sqliteFault(this.path, fault);
      }
      await pause(retryMs);
    }
  }
}

const bootOf = (place: string): string => place.split(" ")[0] ?? "";
