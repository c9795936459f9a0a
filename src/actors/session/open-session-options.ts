import type { BoardSpec, BoardSpecInput } from "../../protocol/task.ts";
import type { TeamHooks } from "../hooks/hooks.ts";
import type { HostedLead } from "../agents/hosted-lead.ts";
import type { SessionLease } from "../owner/session-lease.ts";
import type { Session } from "./session.ts";
import type { FoundSession } from "../owner/stored-sessions.ts";

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
  /** Hooks of this session alone; they are asked after those of the system. */
  readonly hooks?: TeamHooks;
  /** The board of its teams; left out = the system's. */
  readonly board?: BoardSpecInput;
  /** Called with the session before its first input, for whoever must see all of them. */
  readonly onOpen?: (session: Session) => void | Promise<void>;
}

/** What a session is made with. */
export interface Opening extends Pick<OpenSessionOptions, "lead" | "hooks" | "file"> {
  readonly hosted: HostedLead | null;
  readonly board?: BoardSpec | undefined;
  readonly found: FoundSession | null;
  /** null = it is followed. */
  readonly lease: SessionLease | null;
}
