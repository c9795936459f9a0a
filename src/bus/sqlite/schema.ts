import type { DatabaseSync } from "node:sqlite";
import type { DatabaseKind } from "./open-database.ts";
import { viewsSql } from "./views.ts";

/**
 * The log is one table for all sessions, since they share one count. What is looked for often stands in columns of its
 * own; the rest is JSON. Numbers that only grow (sequences, epochs, revisions) survive what they counted.
 */
const tables = `
CREATE TABLE session (
  key INTEGER PRIMARY KEY AUTOINCREMENT,
  namespace TEXT NOT NULL,
  name TEXT NOT NULL,
  trimmed_before INTEGER NOT NULL DEFAULT 0,
  UNIQUE (namespace, name)
) STRICT;
CREATE TABLE record (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  session INTEGER NOT NULL,
  actor TEXT NOT NULL,
  sender TEXT NOT NULL,
  type TEXT NOT NULL,
  id TEXT NOT NULL,
  digest TEXT,
  input TEXT NOT NULL,
  body TEXT
) STRICT;
CREATE UNIQUE INDEX record_by_id ON record (session, id);
CREATE INDEX record_by_session ON record (session);
CREATE INDEX record_results ON record (session, digest) WHERE type IN ('work.complete', 'run.completed');
CREATE TABLE checkpoint (key TEXT PRIMARY KEY, revision INTEGER NOT NULL, at INTEGER NOT NULL, value TEXT NOT NULL)
  STRICT, WITHOUT ROWID;
CREATE TABLE claim (
  key TEXT PRIMARY KEY,
  owner TEXT NOT NULL,
  epoch INTEGER NOT NULL,
  until REAL NOT NULL,
  place TEXT NOT NULL,
  pid INTEGER NOT NULL,
  started TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE blob (digest TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE blob_holder (holder TEXT NOT NULL, digest TEXT NOT NULL, PRIMARY KEY (holder, digest)) STRICT, WITHOUT ROWID;
CREATE INDEX blob_holder_by_digest ON blob_holder (digest);
CREATE TABLE counter (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID;
INSERT INTO counter VALUES ('epoch', 0), ('revision', 0);
`;

/** The file of a bus. */
export const busKind: DatabaseKind = {
  // "TeCh"
  applicationId: 0x54_65_43_68,
  version: 1,
  synchronous: "FULL",
  build: (database: DatabaseSync) => database.exec(tables + viewsSql),
};

/** The file beside it for signals: of no use once they are ten seconds old, so nothing is synced. */
export const signalsKind: DatabaseKind = {
  // "TeSi"
  applicationId: 0x54_65_53_69,
  version: 1,
  synchronous: "OFF",
  build: (database: DatabaseSync) =>
    database.exec(`
      CREATE TABLE signal (
        id INTEGER PRIMARY KEY AUTOINCREMENT, at REAL NOT NULL, source TEXT NOT NULL, topic TEXT NOT NULL, value TEXT
      ) STRICT;
    `),
};
