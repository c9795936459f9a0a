import type { LanguageModel } from "ai";
import type { Bus } from "../bus/bus.ts";
import type { ToolVisibility } from "../protocol/agent-fields.ts";
import type { Clock } from "../protocol/clock.ts";
import type { Limits } from "../protocol/limits.ts";
import type { PermissionPolicy } from "../protocol/permissions/permission-policy.ts";
import type { ScriptInput } from "../protocol/script.ts";
import type { GivenAgents } from "./agent-types.ts";
import type { HostedLead } from "./hosted-lead.ts";
import type { Environment } from "./models/model-keys.ts";
import type { Session } from "./session.ts";

/** What a system of sessions is made of; everything has a default. */
export interface TeamSystemOptions {
  /** Where sessions live; left out = in this process, gone with it. A bus that is given is not closed by the system. */
  readonly bus?: Bus;
  /** Agent types by name. `general` exists always, unless a `default` takes its place. */
  readonly agents?: GivenAgents;
  /** `role` hides from members the tools that only a lead may use; left out = `all`: everybody is shown the same tools. */
  readonly toolVisibility?: ToolVisibility;
  readonly limits?: Partial<Limits>;
  /**
   * What may be done without asking, and what not at all, by everybody. Left out = every tool that an agent has runs, but
   * for those that it lists under `ask`.
   */
  readonly permissions?: PermissionPolicy;
  /** The model where neither agent nor lead names one and there is no `script`: `provider/model` or one of the AI SDK. */
  readonly model?: LanguageModel;
  /** What the model `scripted` answers, per actor. */
  readonly script?: ScriptInput;
  /** Where keys of providers are looked for; left out = the environment of this process. */
  readonly environment?: Environment;
  /** Folder that the members share; left out = none, and no workspace tools. */
  readonly workspace?: string;
  readonly clock?: Clock;
  /** Keeps systems that share a bus apart. */
  readonly namespace?: string;
  /**
   * Told of faults that belong to nobody's call: a subscriber that threw, an input that could not be stored. Left out = a
   * process warning. It never ends the process, whatever it does.
   */
  readonly onFault?: (fault: unknown) => unknown;
}

/** How a session is opened. */
export interface OpenSessionOptions {
  /**
   * Left out = a random one. On a durable bus a session that it knows is gone on with: finished work is not done again.
   * One that another system holds is refused with `fenced`, and so is one that has ended.
   */
  readonly id?: string;
  /** A lead that we run, `"own"` for a loop of yours, or left out: then you are the Lead. */
  readonly lead?: HostedLead | "own";
  /** JSON that is kept with a new session, such as the file that it was made from; `readSessionFile` gives it back. */
  readonly file?: unknown;
  /** Called with the session before its first input, for whoever must see all of them. */
  readonly onOpen?: (session: Session) => void | Promise<void>;
}

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
  /** Names of the sessions that the bus knows, the oldest first, open or not. */
  knownSessions(): Promise<readonly string[]>;
  /** Sessions that are open here. */
  sessions(): readonly Session[];
  /** The model that an agent would get, as printable text; rejects with `no_model_key` and the like. */
  routeOf(model?: LanguageModel): Promise<string>;
  /** Closes every session and lets go of everything. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}
