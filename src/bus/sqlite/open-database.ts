import { chmodSync, closeSync, fstatSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { TeamError } from "../../errors/index.ts";
import { sqliteFault } from "./sqlite-fault.ts";

/** What a file is made as. */
export interface DatabaseKind {
  /** Stands in the file's header, so that a foreign file is known. */
  readonly applicationId: number;
  /** Version of the tables; an older one is brought up, a newer one refused. */
  readonly version: number;
  /** Makes or brings up the tables, within a transaction. */
  readonly build: (database: DatabaseSync, from: number) => void;
  readonly synchronous: "FULL" | "OFF";
}

/** How long opening may wait for another process that builds the same file. */
const openMs = 5_000;
/** How long one statement waits; whoever is refused then tries again without holding up the process. */
const statementMs = 50;

/** Opens a file, which is made when there is none: 0600, in a folder 0700. A fault is `bus_unavailable`. */
export function openDatabase(path: string, kind: DatabaseKind): DatabaseSync {
  let database: DatabaseSync | null = null;
  try {
    makeFile(path);
    database = new DatabaseSync(path, { timeout: openMs });
    prepare(path, database, kind);
    database.exec(`PRAGMA busy_timeout = ${statementMs}`);
    return database;
  } catch (error) {
    database?.close();
    throw sqliteFault(path, error);
  }
}

/** SQLite gives the files beside it (log and index) the same mode. */
function makeFile(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const file = openSync(path, "a", 0o600);
  const { mode, uid } = fstatSync(file);
  closeSync(file);
  if ((mode & 0o077) !== 0 && uid === process.getuid?.()) chmodSync(path, 0o600);
}

/** A number that a pragma answers with. */
function numberOf(database: DatabaseSync, pragma: string): number {
  const [value] = Object.values(database.prepare(`PRAGMA ${pragma}`).get() ?? {});
  return Number(value);
}

function prepare(path: string, database: DatabaseSync, kind: DatabaseKind): void {
  requireOwn(path, database, kind);
  const { journal_mode: mode } = database.prepare("PRAGMA journal_mode = WAL").get() ?? {};
  if (mode !== "wal") throw new TeamError("bus_unavailable", { reason: `${path}: it can't have a write-ahead log` });
  database.exec(`PRAGMA synchronous = ${kind.synchronous}; PRAGMA secure_delete = FAST;`);
  if (numberOf(database, "user_version") === kind.version) return;
  database.exec("BEGIN IMMEDIATE");
  try {
    // Another process may have been faster.
    requireOwn(path, database, kind);
    const from = numberOf(database, "user_version");
    if (from < kind.version) {
      kind.build(database, from);
      database.exec(`PRAGMA application_id = ${kind.applicationId}; PRAGMA user_version = ${kind.version};`);
    }
    database.exec("COMMIT");
  } catch (error) {
    if (database.isTransaction) database.exec("ROLLBACK");
    throw error;
  }
}

/** Refuses a file of somebody else's, and one of a later version of ours. */
function requireOwn(path: string, database: DatabaseSync, { applicationId, version }: DatabaseKind): void {
  const id = numberOf(database, "application_id");
  const tables = database.prepare("SELECT count(*) AS tables FROM sqlite_schema").get()?.["tables"];
  if (id !== applicationId && (id !== 0 || tables !== 0)) {
    const next = "Name another file; this one was left as it is";
    throw new TeamError("bus_unavailable", { reason: `${path}: it is the database of another program`, next });
  }
  const own = numberOf(database, "user_version");
  if (own <= version) return;
  const reason = `${path}: a later version of Teamchart made it (tables ${own}, known here ${version})`;
  throw new TeamError("bus_unavailable", { reason, next: "Use that version, or name another file" });
}
