import { TeamError } from "../../errors/index.ts";
import { nameToken } from "../../protocol/names.ts";
import { formatSubject, shardOf, shardsDefault, type Subject } from "../../protocol/subject.ts";
import type { SessionKey, SubjectFilter } from "../bus.ts";

/** Shards that share one stream: beyond that every publish costs more, since each consumer of the stream costs a little. */
const shardsPerStream = 16;
/** A server ends the connection of whoever sends it a line of 4 KiB; subjects stand in it twice. */
const tokenBytesMax = 1_000;
const subjectBytesMax = 1_800;
/** `tc`, namespace, shard, session, actor, sender. */
const subjectTokens = 6;

/** Where the logs of a number of shards are. */
export interface Layout {
  readonly shards: number;
}

/** The layout that every bus of this version has. */
export const defaultLayout: Layout = { shards: shardsDefault };

/** The stream of the sessions of a shard. */
export const streamOf = (shard: number): string => `TC_LOG_${Math.floor(shard / shardsPerStream)}`;

/** Every stream of a layout, with the subjects that it keeps. */
export function streamsOf({
  shards,
}: Layout): readonly { readonly name: string; readonly subjects: readonly string[] }[] {
  return Array.from({ length: Math.ceil(shards / shardsPerStream) }, (_, stream) => {
    const first = stream * shardsPerStream;
    const count = Math.min(shardsPerStream, shards - first);
    return {
      name: streamOf(first),
      subjects: Array.from({ length: count }, (_each, at) => `tc.*.${first + at}.*.*.*`),
    };
  });
}

/** Where an input goes. Throws `bad_name` for a name that is no token, or too long for a server. */
export function subjectOf(subject: Subject, { shards }: Layout): string {
  requireTokens(subject);
  requireToken(subject.actor);
  requireToken(subject.sender);
  return requireShort(formatSubject(subject, shards), subject.session);
}

/** What matches the log of a session, or one mailbox of it. Throws `bad_name` as `subjectOf` does. */
export function filterOf(filter: SubjectFilter, layout: Layout): string {
  requireTokens(filter);
  const { actor } = filter;
  const session = `tc.${nameToken(filter.namespace)}.${shardOf(filter.session, layout.shards)}.${nameToken(filter.session)}`;
  if (actor === undefined) return requireShort(`${session}.*.*`, filter.session);
  requireToken(actor);
  return requireShort(`${session}.${actor}.*`, filter.session);
}

/** What matches all sessions of a shard of a namespace. */
export const shardFilter = (namespace: string, shard: number | "*"): string =>
  `tc.${requireToken(nameToken(namespace), namespace)}.${shard}.*.*.*`;

/** The parts of a log's subject; null for one that no session of ours has. */
export function parseSubject(text: string): Subject | null {
  const tokens = text.split(".");
  const [root, first = "", , third = "", actor = "", sender = ""] = tokens;
  if (root !== "tc" || tokens.length !== subjectTokens) return null;
  const [namespace, session] = [nameOfToken(first), nameOfToken(third)];
  return namespace === null || session === null ? null : { namespace, session, actor, sender };
}

/** The name that a token stands for; null when no name has it. */
function nameOfToken(token: string): string | null {
  if (/^[A-Za-z0-9-]*$/.test(token)) return token;
  const bytes = token.replaceAll(/_([0-9a-f]{2})|./g, (_part, hex?: string) => (hex === undefined ? _part : `%${hex}`));
  try {
    const name = decodeURIComponent(bytes);
    return nameToken(name) === token ? name : null;
  } catch {
    // Bytes that are no UTF-8.
    return null;
  }
}

/** Any text as one token that is never empty, for a key of a store. */
export function keyToken(key: string): string {
  return requireToken(`k${nameToken(key)}`, key);
}

const requireTokens = ({ namespace, session }: SessionKey): void => {
  requireToken(nameToken(namespace), namespace);
  requireToken(nameToken(session), session);
};

/** The key that a token stands for. */
export const keyOfToken = (token: string): string => nameOfToken(token.slice(1)) ?? "";

function requireToken(token: string, name: string = token): string {
  if (/^[A-Za-z0-9_-]+$/.test(token) && token.length <= tokenBytesMax) return token;
  const shown = name.slice(0, 80);
  if (token === "") throw new TeamError("bad_name", { name: shown, problem: "it is empty" });
  const problem = token.length > tokenBytesMax ? "it is too long for a subject" : "it is no token of a subject";
  throw new TeamError("bad_name", { name: shown, problem });
}

function requireShort(subject: string, session: string): string {
  if (subject.length <= subjectBytesMax) return subject;
  throw new TeamError("bad_name", { name: session.slice(0, 80), problem: "its mailboxes are too long for a subject" });
}
