import type { CommandKey } from "../../protocol/input.ts";
import { createCanonicalWriter, type CanonicalOptions } from "./canonical-writer.ts";
import type { DueReply } from "./applied.ts";
import type { SessionState } from "./state.ts";

/** What an input touched, as `kernel.apply` reports it. */
export interface Touched {
  readonly touched: ReadonlySet<string>;
  readonly replies: readonly DueReply[];
}

/**
 * Writes actors as canonical JSON: keys sorted, nothing undefined, every field that steers. Equal states give equal
 * texts whoever folded them. What is long stands as its digest, and what did not change is not written again, so that an
 * input of a large team costs what it changed.
 */
export interface Canonicalizer {
  /** The actor of a token with its kernel data: a member, the team, the lead, or `session` for all that is nobody's. */
  actor(session: SessionState, token: string): string;
  /** What is remembered of the commands of one client. */
  client(session: SessionState, id: string): string;
  /** Everything that an input may have changed, after it was applied. */
  touched(session: SessionState, applied: Touched, command: CommandKey | undefined): string;
}

/** Fields of the session that are actors of their own or are written by the order of their keys. */
const elsewhere: ReadonlySet<string> = new Set(["members", "unmet", "lead", "team", "clients", "worktrees"]);

/** Fields of a team that follow from its members. */
const derived: ReadonlySet<string> = new Set(["graph"]);

/** Makes a canonicalizer; it remembers what it wrote for as long as it lives. */
export function createCanonicalizer(
  options: Required<Pick<CanonicalOptions, "digest">> & CanonicalOptions,
): Canonicalizer {
  const writer = createCanonicalWriter(options);
  const actor = (session: SessionState, token: string): string => {
    if (token === "session") {
      // Which clients are remembered, and who is forgotten first; what is remembered of each is written with it.
      const clients = JSON.stringify([...session.clients.keys()]);
      // Nothing for none: so a session without them has the same hash as before there were any.
      const worktrees = session.worktrees.length === 0 ? "" : JSON.stringify(session.worktrees);
      return `${writer.fields(session, elsewhere)}${clients}${session.team?.token ?? ""}${worktrees}`;
    }
    if (token === "lead") return writer.fields(session.lead);
    if (token === session.team?.token) return writer.fields(session.team, derived);
    const member = session.members.get(token);
    return member === undefined ? "null" : writer.fields({ ...member, unmet: session.unmet[member.index] ?? 0 });
  };
  const client = (session: SessionState, id: string): string => {
    const record = session.clients.get(id);
    return record === undefined ? "null" : writer.fields(record);
  };
  return {
    actor,
    client,
    touched(session, { touched, replies }, command) {
      let text = `session=${actor(session, "session")}`;
      for (const token of [...touched].toSorted()) {
        if (token !== "session") text += `\n${token}=${actor(session, token)}`;
      }
      for (const id of clientsOf(replies, command)) text += `\nclient:${JSON.stringify(id)}=${client(session, id)}`;
      return text;
    },
  };
}

/** Clients whose memory an input may have changed: the one that sent it and those that get a late reply. */
function clientsOf(replies: readonly DueReply[], command: CommandKey | undefined): readonly string[] {
  const ids = new Set<string>();
  if (command !== undefined && "client" in command) ids.add(command.client);
  for (const { to } of replies) if (to.from.startsWith("client:")) ids.add(to.from.slice("client:".length));
  return [...ids].toSorted();
}
