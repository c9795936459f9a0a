import type { DatabaseSync } from "node:sqlite";
import { sessionKeyText, type Bus } from "../bus.ts";
import type { OpenGate } from "../open-gate.ts";
import { sqliteFault } from "./sqlite-fault.ts";
import type { TurnWriter } from "./turn-writer.ts";

/** What stores are made of. */
export interface StoreParts {
  readonly path: string;
  readonly gate: OpenGate;
  readonly writer: TurnWriter;
}

/** A value as it is stored; what is no JSON is stored as null, as JSON does. */
const textOf = (value: unknown): string => JSON.stringify(value) ?? "null";

/** Reads; a fault of the file is `bus_unavailable`. */
function reading<Value>({ path, gate }: StoreParts, read: () => Value): Value {
  gate.requireOpen();
  try {
    return read();
  } catch (fault) {
    throw sqliteFault(path, fault);
  }
}

/** Checkpoints by key. Revisions are counted over all keys, so that one of before a delete never fits what came after. */
export function sqliteCheckpoints(database: DatabaseSync, parts: StoreParts): Bus["checkpoints"] {
  const find = database.prepare("SELECT value, revision FROM checkpoint WHERE key = ?");
  const revisionOf = database.prepare("SELECT revision FROM checkpoint WHERE key = ?");
  const next = database.prepare("UPDATE counter SET value = value + 1 WHERE name = 'revision' RETURNING value");
  const put = database.prepare("INSERT OR REPLACE INTO checkpoint (key, revision, at, value) VALUES (?, ?, ?, ?)");
  const remove = database.prepare("DELETE FROM checkpoint WHERE key = ?");
  return {
    get: async (key) =>
      reading(parts, () => {
        const found = find.get(key);
        if (found === undefined) return null;
        const value: unknown = JSON.parse(String(found["value"]));
        return { value, revision: Number(found["revision"]) };
      }),
    put: async (key, value, expected) => {
      parts.gate.requireOpen();
      const text = textOf(value);
      return parts.writer.write(() => {
        if (Number(revisionOf.get(key)?.["revision"] ?? 0) !== expected) return null;
        const revision = Number(next.get()?.["value"]);
        put.run(key, revision, Date.now(), text);
        return revision;
      });
    },
    delete: async (key) => {
      parts.gate.requireOpen();
      await parts.writer.write(() => remove.run(key));
    },
  };
}

/** Bodies by digest, kept until they are deleted: only their owner knows which sessions still refer to them. */
export function sqliteBlobs(database: DatabaseSync, parts: StoreParts): Bus["blobs"] {
  const find = database.prepare("SELECT value FROM blob WHERE digest = ?");
  const put = database.prepare("INSERT OR IGNORE INTO blob VALUES (?, ?)");
  const hold = database.prepare("INSERT OR IGNORE INTO blob_holder VALUES (?, ?)");
  const remove = database.prepare("DELETE FROM blob WHERE digest = ?");
  const letGo = database.prepare("DELETE FROM blob_holder WHERE digest = ?");
  return {
    get: async (digest) =>
      reading(parts, () => {
        const found = find.get(digest);
        const value: unknown = found === undefined ? null : JSON.parse(String(found["value"]));
        return value;
      }),
    put: async (digest, value, holder) => {
      parts.gate.requireOpen();
      const text = textOf(value);
      await parts.writer.write(() => {
        put.run(digest, text);
        if (holder !== undefined) hold.run(sessionKeyText(holder), digest);
      });
    },
    delete: async (digest) => {
      parts.gate.requireOpen();
      await parts.writer.write(() => {
        remove.run(digest);
        letGo.run(digest);
      });
    },
  };
}
