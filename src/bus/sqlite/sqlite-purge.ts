import type { DatabaseSync } from "node:sqlite";
import { sessionKeyText, type Purged, type SessionKey } from "../bus.ts";

/** Forgets a session, within a transaction: its log, claim, checkpoint, and the bodies that only it holds. */
export function purgeSession(database: DatabaseSync, session: SessionKey): Purged {
  const changes = (sql: string, ...values: readonly string[]): number =>
    Number(database.prepare(sql).run(...values).changes);
  const { namespace, session: name } = session;
  const key = sessionKeyText(session);
  const rows = "SELECT key FROM session WHERE namespace = ? AND name = ?";
  const inputs = changes(`DELETE FROM record WHERE session IN (${rows})`, namespace, name);
  changes("DELETE FROM session WHERE namespace = ? AND name = ?", namespace, name);
  changes("DELETE FROM claim WHERE key = ?", key);
  const checkpoints = changes("DELETE FROM checkpoint WHERE key = ?", key);
  const held = "SELECT digest FROM blob_holder WHERE holder = ?";
  const others = "SELECT digest FROM blob_holder WHERE holder <> ?";
  const bodies = changes(`DELETE FROM blob WHERE digest IN (${held}) AND digest NOT IN (${others})`, key, key);
  changes("DELETE FROM blob_holder WHERE holder = ?", key);
  return { inputs, checkpoints, bodies };
}
