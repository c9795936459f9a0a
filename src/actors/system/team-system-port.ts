import type { z } from "zod";
import type { OldSessions } from "./old-sessions.ts";
import type { LanguageModel } from "ai";
import type { Bus, Purged } from "../../bus/bus.ts";
import type { SystemHealth } from "../owner/bus-health.ts";
import type { AgentOffering } from "../workers/agent-offering.ts";
import type { OfferOptions } from "../workers/offer-options.ts";
import type { Session } from "../session/session.ts";
import type { OpenSessionOptions } from "../session/open-session-options.ts";

/** Sessions that share agents, models and a bus. */
export interface TeamSystem {
  openSession(options?: OpenSessionOptions): Promise<Session>;
  /**
   * Follows a session that this or another system owns, or nobody does: its status and events as they come. Its commands
   * are appended to the log; they are done when an owner is there. `unknown_session` when the bus has none of this name.
   */
  followSession(id: string): Promise<Session>;
  /** What `openSession` was given as `file` when the session was new; null when nothing, `unknown_session` without one. */
  readSessionFile(id: string): Promise<unknown>;
  /**
   * Makes this system a worker: it carries out runs of members of these agent types, for sessions of other systems on the
   * same bus that declare the types with `runsOn: "workers"`. What it offers is the agents of its own options. Rejects with
   * `bad_input` for a type that it doesn't have, and with `disabled` on the memory bus.
   */
  offerAgents(agentTypes: readonly string[], options?: OfferOptions): Promise<AgentOffering>;
  /** Names of the sessions that the bus knows, the oldest first, open or not. */
  knownSessions(): Promise<readonly string[]>;
  /** Sessions that are open here. */
  sessions(): readonly Session[];
  /**
   * Tells of every session that is open here and of every one that opens, before its first input. What it returns ends
   * that. A callback that throws ends nothing.
   */
  watch(onSession: (session: Session) => void): () => void;
  /** Whether it can work now, and what stands in its way. Never rejects. */
  health(): Promise<SystemHealth>;
  /** Random name of this system, as inputs and diagnostics have it. */
  readonly node: string;
  /** Where its sessions live. */
  readonly bus: Bus["kind"];
  /** The real path of the folder that members share, or null. */
  readonly workspace: string | null;
  /**
   * Removes all that the bus keeps of a session that is closed: its log, its checkpoint, its bodies and its claim. There is
   * no way back. Resolves with what there was; all 0 where nothing was kept. Rejects with `fenced` while the session is open,
   * here or elsewhere.
   */
  purge(id: string): Promise<Purged>;
  /**
   * Purges the sessions that have ended and in which nothing has happened for `days` days (30) of the system's clock. With
   * `interrupted` also those that could be gone on with. Never one that somebody has, here or elsewhere. Resolves with their
   * names. Nobody calls it but you.
   */
  purgeOld(old?: z.input<typeof OldSessions>): Promise<readonly string[]>;
  /** The model that an agent would get, as printable text; rejects with `no_model_key` and the like. */
  routeOf(model?: LanguageModel): Promise<string>;
  /** Closes every session and lets go of everything. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}
