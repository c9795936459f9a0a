import { nameToken } from "./names.ts";

/** Where an input is stored: the mailbox of one actor, with the sender as the last token so that a server can pin it. */
export interface Subject {
  /** Namespace: tenants or tests that share one bus keep apart by it. */
  readonly namespace: string;
  readonly session: string;
  /** Mailbox: `session`, `lead`, `team-<k>` or `<name>-t<k>`. */
  readonly actor: string;
  /** Who sent it: an actor token, `user` or `system`. */
  readonly sender: string;
}

/** The default number of shards; fixed for the life of a namespace. */
export const shardsDefault = 16;

/** FNV-1a over the UTF-8 bytes of a session id, modulo the number of shards. */
export function shardOf(session: string, shards: number = shardsDefault): number {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(session)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash % shards;
}

/** `tc.<namespace>.<shard>.<session>.<actor>.<sender>`, every part one token. */
export const formatSubject = (subject: Subject, shards: number = shardsDefault): string =>
  [
    "tc",
    nameToken(subject.namespace),
    shardOf(subject.session, shards),
    nameToken(subject.session),
    subject.actor,
    subject.sender,
  ].join(".");

/** The actor token of a session's k-th team. */
export const teamToken = (k: number): string => `team-${k}`;

/** The actor token of a member of a session's k-th team. */
export const memberToken = (name: string, k: number): string => `${nameToken(name)}-t${k}`;
