import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from "node:sqlite";
import { TeamError } from "../../errors/index.ts";
import type { Input } from "../../protocol/input.ts";
import type { Append, SessionKey, Stored, SubjectFilter } from "../bus.ts";

/** An append as its row holds it. */
export interface RecordRow {
  readonly append: Append;
  readonly input: string;
  readonly body: string | null;
}

/** What to read of a session's log. */
export interface ReadRange {
  readonly fromSeq: number;
  readonly toSeq?: number;
  readonly max?: number;
}

type Row = Record<string, SQLOutputValue>;

/** More than any sequence: SQLite compares with an integer where JavaScript would with infinity. */
const noEnd = Number.MAX_SAFE_INTEGER;

/** The log as statements. All of them throw what SQLite throws; those that write run within a transaction. */
export class LogTable {
  readonly #insert: StatementSync;
  readonly #seqOf: StatementSync;
  readonly #keyOf: StatementSync;
  readonly #addSession: StatementSync;
  readonly #dropSession: StatementSync;
  readonly #markTrimmed: StatementSync;
  readonly #delete: StatementSync;
  readonly #lastOf: StatementSync;
  readonly #read: StatementSync;
  readonly #newer: StatementSync;
  readonly #bySeq: StatementSync;
  readonly #lastSeq: StatementSync;
  readonly #sessions: StatementSync;

  constructor(database: DatabaseSync) {
    const prepare = (sql: string): StatementSync => database.prepare(sql);
    this.#insert = prepare(
      "INSERT INTO record (session, actor, sender, type, id, digest, input, body) VALUES (?, ?, ?, ?, ?, ?, ?, ?) " +
        "ON CONFLICT (session, id) DO NOTHING",
    );
    this.#seqOf = prepare("SELECT seq FROM record WHERE session = ? AND id = ?");
    this.#keyOf = prepare("SELECT key, trimmed_before FROM session WHERE namespace = ? AND name = ?");
    this.#addSession = prepare("INSERT INTO session (namespace, name) VALUES (?, ?) RETURNING key");
    this.#dropSession = prepare("DELETE FROM session WHERE key = ?");
    this.#markTrimmed = prepare("UPDATE session SET trimmed_before = max(trimmed_before, ?) WHERE key = ?");
    this.#delete = prepare("DELETE FROM record WHERE session = ? AND seq < ?");
    this.#lastOf = prepare("SELECT max(seq) AS seq FROM record WHERE session = ?");
    this.#read = prepare(
      "SELECT seq, actor, sender, input, body FROM record WHERE session = :key AND seq >= :fromSeq AND seq <= :toSeq " +
        "AND (:actor IS NULL OR actor = :actor) ORDER BY seq LIMIT :max",
    );
    this.#newer = prepare(
      "SELECT seq, namespace, name FROM record JOIN session ON key = session WHERE seq > ? ORDER BY seq",
    );
    this.#bySeq = prepare("SELECT seq, actor, sender, input, body FROM record WHERE seq = ?");
    this.#lastSeq = prepare("SELECT seq FROM sqlite_sequence WHERE name = 'record'");
    this.#sessions = prepare("SELECT name FROM session WHERE namespace = ? ORDER BY key");
  }

  /** The last sequence that was ever given. */
  lastSeq(): number {
    return Number(this.#lastSeq.get()?.["seq"] ?? 0);
  }

  /** The row of a session; null when it has none. */
  keyOf({ namespace, session }: SessionKey): number | null {
    const found = this.#keyOf.get(namespace, session);
    return found === undefined ? null : Number(found["key"]);
  }

  /** The row of a session, made when it has none. */
  openKey(session: SessionKey): number {
    return this.keyOf(session) ?? Number(this.#addSession.get(session.namespace, session.session)?.["key"]);
  }

  /** Stores a record; gives its sequence, and whether it was new. */
  store(key: number, { append, input, body }: RecordRow): { readonly seq: number; readonly isNew: boolean } {
    const { subject, input: given } = append;
    const { actor, sender } = subject;
    const { id, event, body: ref } = given;
    const stored = this.#insert.run(key, actor, sender, event.type, id, ref?.digest ?? null, input, body);
    if (Number(stored.changes) === 1) return { seq: Number(stored.lastInsertRowid), isNew: true };
    return { seq: Number(this.#seqOf.get(key, id)?.["seq"]), isNew: false };
  }

  /** Drops what is below; with `Infinity` the session. */
  trim(session: SessionKey, beforeSeq: number): void {
    const key = this.keyOf(session);
    if (key === null) return;
    if (beforeSeq === Infinity) {
      this.#delete.run(key, noEnd);
      this.#dropSession.run(key);
      return;
    }
    const last = this.#lastOf.get(key)?.["seq"] ?? null;
    if (last === null) return;
    this.#delete.run(key, beforeSeq);
    this.#markTrimmed.run(Math.min(Math.ceil(beforeSeq), Number(last) + 1), key);
  }

  /** Records of a session in order; `log_trimmed` when the log starts later. */
  read({ actor, ...session }: SubjectFilter, { fromSeq, toSeq = noEnd, max = noEnd }: ReadRange): readonly Stored[] {
    const found = this.#keyOf.get(session.namespace, session.session);
    if (found === undefined) return [];
    const first = Number(found["trimmed_before"]);
    if (fromSeq < first) throw new TeamError("log_trimmed", { from: fromSeq, first });
    const range: Record<string, SQLInputValue> = {
      key: Number(found["key"]),
      fromSeq,
      toSeq: Math.min(toSeq, noEnd),
      actor: actor ?? null,
      max: Math.min(max, noEnd),
    };
    return this.#read.all(range).map((row) => storedOf(session, row));
  }

  /** Records above `afterSeq` of the sessions that are wanted, in order. */
  newer(afterSeq: number, isWanted: (session: SessionKey) => boolean): readonly Stored[] {
    const found: Stored[] = [];
    for (const { seq, namespace, name } of this.#newer.all(afterSeq)) {
      const session = { namespace: String(namespace), session: String(name) };
      const row = isWanted(session) ? this.#bySeq.get(Number(seq)) : undefined;
      if (row !== undefined) found.push(storedOf(session, row));
    }
    return found;
  }

  /** Names of the sessions that there are, the oldest first. */
  sessions(namespace: string): readonly string[] {
    return this.#sessions.all(namespace).map(({ name }) => String(name));
  }
}

/** A row as what it was made of. Whoever reads a log of others parses its inputs: this is JSON and no more. */
function storedOf({ namespace, session }: SessionKey, { seq, actor, sender, input, body }: Row): Stored {
  const subject = { namespace, session, actor: String(actor), sender: String(sender) };
  // The reader's schema says whether it is one; see above.
  const stored = { subject, seq: Number(seq), input: jsonOf(input) as Input };
  return body === null ? stored : { ...stored, body: jsonOf(body) };
}

/** Text that was changed behind our back is no JSON; it then is no input either, which is for the reader to say. */
function jsonOf(text: SQLOutputValue | undefined): unknown {
  try {
    return JSON.parse(String(text));
  } catch {
    // As the comment above says.
    return null;
  }
}
