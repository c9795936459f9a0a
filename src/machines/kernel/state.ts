import type { SnapshotFrom } from "xstate";
import type { PermissionResult, Reply } from "../../protocol/reply.ts";
import type { SessionConfig } from "../../protocol/session-config.ts";
import type { BodyRef, InputOf } from "../../protocol/input.ts";
import type { NoticeKind } from "../../protocol/notice.ts";
import type { Comms, Lifetime, UpstreamFailurePolicy } from "../../protocol/spec.ts";
import type { Graph } from "../dag.ts";
import type { InvitedAgent } from "./invited-agent.ts";
import type { BoardRecord } from "./board-state.ts";
import type { leadMachine } from "../lead-machine.ts";
import type { memberMachine } from "../member-machine.ts";
import type { sessionMachine } from "../session-machine.ts";
import type { teamMachine } from "../team-machine.ts";
import type { Deadline } from "./deadline.ts";
import type { OutsideCall, OutsideEnd } from "./outside-call.ts";
import type { PastTeam } from "./past-team.ts";
import type { WorktreeRecord } from "./worktree-record.ts";

/**
 * What a session is: snapshots of its machines and, beside them, the data that the machines must not hold. Plain values;
 * all but `members`, `unmet` and `clients` are replaced, never changed in place, so copying those clones a session.
 */

/** Snapshot of a member's machine. */
export type MemberSnapshot = SnapshotFrom<typeof memberMachine>;
/** Snapshot of a team's machine. */
export type TeamSnapshot = SnapshotFrom<typeof teamMachine>;
/** Snapshot of the lead's machine. */
export type LeadSnapshot = SnapshotFrom<typeof leadMachine>;
/** Snapshot of the session's machine. */
export type SessionSnapshot = SnapshotFrom<typeof sessionMachine>;

/** What a piece of mail is; `schedule` and `tool_result` are wake-ups from outside. */
export type MailKind = InputOf<"message.send">["kind"] | "system";

/** One piece of unread mail. `system` mail is a notice; every other kind is counted. */
export interface Mail {
  /** Unique; the id of the causing input, with the recipient for derived copies. */
  readonly id: string;
  /** Its number in its mailbox, from 1: people and models name it by that. */
  readonly number: number;
  /** Stream sequence of the cause: mail is ordered by it. */
  readonly seq: number;
  /** Display name of the sender. */
  readonly from: string;
  readonly kind: MailKind;
  readonly notice: NoticeKind | null;
  /** For a notice: the member it speaks of. */
  readonly about: string | null;
  readonly reason: string | null;
  readonly bytes: number;
  readonly hops: number;
  readonly broadcast: boolean;
  readonly body: BodyRef | null;
  /** Whether it is worth a turn of an idle lead. */
  readonly wakes: boolean;
  /** `at` of the cause. */
  readonly at: number;
}

/** A remembered command of an open call: its reply, or null while that is pending. */
export interface RememberedCall {
  readonly call: string;
  readonly reply: Reply | null;
}

/** What is open in the current run; reset when the next one starts. */
export interface RunData {
  /** An older epoch whose run goes on under a new owner, or null. */
  readonly adopted: number | null;
  /** Started only to end the calls that a lost run left open after its `complete` was accepted. */
  readonly closing: boolean;
  /** The last accepted k of the current run. */
  readonly k: number;
  /** Steps that have ended. */
  readonly steps: number;
  readonly calls: readonly string[];
  readonly remembered: readonly RememberedCall[];
  readonly asks: readonly string[];
  readonly externals: readonly string[];
  readonly planCall: string | null;
  /** The plan that waits with `planCall`. */
  readonly plan: BodyRef | null;
  /** The accepted `complete`, not effective yet. */
  readonly completeCall: string | null;
  readonly pendingResult: BodyRef | null;
}
/** A run that has reported nothing yet. */
export const emptyRun: RunData = {
  adopted: null,
  closing: false,
  k: 0,
  steps: 0,
  calls: [],
  remembered: [],
  asks: [],
  externals: [],
  planCall: null,
  plan: null,
  completeCall: null,
  pendingResult: null,
};

/** What counts from the last start or wake. */
export interface TurnData {
  readonly turns: number;
  /** Longest chain of messages that led here. */
  readonly hops: number;
  readonly broadcasts: number;
  /** Woken by broadcasts alone: it may answer people, not everybody, or one broadcast would cause N of them. */
  readonly broadcastWoken: boolean;
  /** How often a hook of the host kept it from idling. */
  readonly idleBlocks: number;
}
/** The counts at a start or wake. */
export const emptyTurn: TurnData = { turns: 0, hops: 0, broadcasts: 0, broadcastWoken: false, idleBlocks: 0 };

/** One member: its declaration, its machine and what belongs to it. */
export interface MemberRecord {
  readonly token: string;
  readonly name: string;
  readonly index: number;
  readonly agentType: string;
  readonly description: string | null;
  /** Null for a member that the team created. */
  readonly invited: InvitedAgent | null;
  readonly lifetime: Lifetime;
  /** Idle for this long it shuts down; null = as the limits say. */
  readonly idleMs: number | null;
  /** The prompt of the current attempt; never read by the kernel. */
  readonly prompt: string;
  readonly dependsOn: readonly string[];
  readonly downstream: readonly string[];
  readonly snapshot: MemberSnapshot;
  readonly since: number;
  /** Revision of the plan that last changed it. */
  readonly revision: number;
  readonly reason: string | null;
  readonly result: BodyRef | null;
  readonly replacedBy: string | null;
  readonly run: RunData;
  readonly turn: TurnData;
  readonly unread: readonly Mail[];
  readonly unreadBytes: number;
  /** Pieces of mail that ever came. */
  readonly received: number;
  readonly tokens: number;
  /** In millionths of a unit of money; of calls whose price is known. */
  readonly cost: number;
  readonly modelCalls: number;
}

/** How many members are in which state; kept up to date with every step so that judging a team costs nothing. */
export interface TeamCounts {
  readonly total: number;
  readonly completed: number;
  readonly failed: number;
  readonly cancelled: number;
  /** In progress with somebody there. */
  readonly working: number;
  readonly running: number;
  readonly idle: number;
  readonly shutdown: number;
}

/** The session's team: its declaration, its machine and its roster. */
export interface TeamRecord {
  readonly token: string;
  readonly k: number;
  readonly name: string;
  readonly description: string | null;
  readonly comms: Comms;
  readonly upstreamFailure: UpstreamFailurePolicy;
  readonly snapshot: TeamSnapshot;
  /** Members in the order of their declaration. */
  readonly order: readonly string[];
  /** Downstreams of each member, by index: the members' own `downstream` in a form that costs nothing to walk. */
  readonly graph: Graph;
  /** Collision key to token, of everybody who ever was a member. */
  readonly byKey: ReadonlyMap<string, string>;
  readonly counts: TeamCounts;
  /** Its tasks, or null for a team without a board. */
  readonly board: BoardRecord | null;
  readonly createdAt: number;
  readonly since: number;
  /** Commands that wait for `team.dissolved`. */
  readonly dissolveWaiters: readonly CommandRef[];
  /** Tokens of those who were cancelled before the dissolve. */
  readonly cancelledBefore: readonly string[];
  readonly cancelledByDissolve: readonly string[];
  readonly grace: Deadline | null;
}

/** A command that will be answered later. */
export interface CommandRef {
  /** Actor token, `user`, or `client:<id>`. */
  readonly from: string;
  readonly id: string;
}

/** A long poll of the lead. */
export interface Poll {
  readonly call: string;
  readonly since: number;
  readonly deadline: Deadline;
  readonly command: CommandRef;
}

/** A permission request without an answer. */
export interface PermissionRequest {
  readonly id: string;
  readonly member: string;
  /** The call that it ends with; left out = that of its command. */
  readonly call?: string;
  readonly kind: "tool" | "network" | "mode";
  readonly tool: string;
  readonly subject: string;
  /** The arguments, for whoever is to judge them. */
  readonly input: BodyRef | null;
  readonly approver: "user" | "lead";
  readonly deadline: Deadline;
  readonly command: CommandRef;
}

/** The lead: its machine, its open turn and its mailbox. */
export interface LeadRecord {
  readonly snapshot: LeadSnapshot;
  readonly run: RunData;
  readonly turn: TurnData;
  readonly unread: readonly Mail[];
  readonly unreadBytes: number;
  /** Pieces of mail that ever came. */
  readonly received: number;
  /** Dead letters that the latest of the unread ones stands for, beside its own. */
  readonly deadLettersLeftOut: number;
  readonly questions: readonly { readonly call: string; readonly command: CommandRef }[];
  readonly answer: BodyRef | null;
  /** Why the last turn failed, or null. */
  readonly failure: string | null;
  readonly tokens: number;
  /** In millionths of a unit of money; of calls whose price is known. */
  readonly cost: number;
  readonly modelCalls: number;
}

/** Commands of one client: the last accepted number and its latest replies. */
export interface ClientRecord {
  readonly last: number;
  readonly replies: readonly { readonly n: number; readonly reply: Reply | null }[];
}

/** Counters of the whole session, per copy of `text` and `instruction`. */
export interface MailCounters {
  readonly accepted: number;
  readonly delivered: number;
  readonly deadLettered: number;
  readonly refused: number;
}

/** A whole session. */
export interface SessionState {
  readonly config: SessionConfig | null;
  readonly snapshot: SessionSnapshot;
  readonly seq: number;
  readonly at: number;
  readonly epoch: number;
  readonly revision: number;
  readonly version: number;
  readonly notableVersion: number;
  readonly teamsMade: number;
  readonly team: TeamRecord | null;
  readonly pastTeams: readonly PastTeam[];
  readonly members: Map<string, MemberRecord>;
  /**
   * How many upstreams each member still waits for, by its index. Not in its record: one of them changes with every edge
   * of the graph, and a record is copied to be changed.
   */
  readonly unmet: Int32Array;
  readonly lead: LeadRecord;
  readonly polls: readonly Poll[];
  readonly requests: readonly PermissionRequest[];
  /** Ids of requests that were answered, newest last, for `already_answered`. */
  readonly answered: readonly { readonly id: string; readonly verdict: PermissionResult["verdict"] }[];
  /** Calls that wait for somebody outside, the oldest first. */
  readonly outside: readonly OutsideCall[];
  /** The last of those that are over, newest last, for `already_answered`. */
  readonly outsideEnds: readonly OutsideEnd[];
  readonly clients: Map<string, ClientRecord>;
  readonly mail: MailCounters;
  /** In use or kept: of the team's members, and of earlier ones while they are in use. */
  readonly worktrees: readonly WorktreeRecord[];
}

/** An independent copy; the checker and the inspector's time travel fork by it. */
export const cloneSession = (session: SessionState): SessionState => ({
  ...session,
  members: new Map(session.members),
  unmet: session.unmet.slice(),
  clients: new Map(session.clients),
});
