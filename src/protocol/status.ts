import type { Limits } from "./limits.ts";
import type { PresenceState, WorkState } from "./reply.ts";
import type { TaskStatus } from "./task.ts";

/** How much of one budget is used. */
export interface BudgetUse {
  /** The limit, by its key of `limits`. */
  readonly limit: keyof Limits;
  /** In the unit of the limit: tokens, steps, turns, runs, milliseconds, or the currency of `prices`. */
  readonly used: number;
  readonly max: number;
  /** `used / max`, to three digits. At 0.8 whoever uses it is told. */
  readonly share: number;
}

/** Where a member works that has a git worktree of its own. */
export interface WorktreeStatus {
  readonly branch: string;
  /** Its folder, relative to the workspace. */
  readonly path: string;
  /** `kept`: the member works there no more, and has left changes: commits, or files that are not committed. */
  readonly state: "open" | "kept";
}

/** One member as `team_status` shows it. Names only. */
export interface MemberStatus {
  readonly name: string;
  /** For an invited agent, the name that it has outside of the team. */
  readonly agentType: string;
  /** `invited`: an existing agent that joined the team and outlives it. Left out for a member that the team created. */
  readonly kind?: "invited";
  readonly status: WorkState;
  readonly presence: PresenceState;
  /** What a live run does: `thinking`, `tool`, `waiting_permission`, `backing_off`, ...; null without one. */
  readonly activity: string | null;
  /** When the member came into this state, ms of the wall clock of the input that moved it. */
  readonly since: number;
  readonly dependsOn: readonly string[];
  /** Upstreams that have not completed. */
  readonly waitingOn: readonly string[];
  readonly unread: number;
  readonly attempt: number;
  readonly reason?: string;
  readonly summary?: string;
  readonly paths?: readonly string[];
  /** The plan that waits for an answer; for people, models don't get it. */
  readonly plan?: string;
  /** Who took its place, when a replan replaced it. */
  readonly replacedBy?: string;
  /** Its git worktree; left out for a member that has none, or has changed nothing in it. */
  readonly worktree?: WorktreeStatus;
  readonly tokens: number;
  /** What its model calls cost, in the currency of `prices`; left out while that is nothing. */
  readonly cost?: number;
  readonly modelCalls: number;
  /** What it has used of what it may: of tokens, cost and time where they are limited, of steps and turns while it runs. */
  readonly budgets?: readonly BudgetUse[];
  /**
   * The worker that carries out its run, or null while none has taken it. Left out where it runs in the process of its
   * session, or not at all. For people, models don't get it.
   */
  readonly worker?: string | null;
  /** The fallback model that gave its last answer; left out while its own model answers. For people, models don't get it. */
  readonly fallback?: string;
}

/** A permission request that waits for an answer. */
export interface PermissionRequestStatus {
  readonly id: string;
  readonly member: string;
  readonly kind: "tool" | "network" | "mode";
  readonly tool: string;
  /** The arguments as JSON: secrets masked, what is long cut and said to be. For whoever is to answer, and nobody else. */
  readonly input?: string;
  /** What rules are matched against: a path after all links, a command, a host. As `input`. */
  readonly target?: string;
  /**
   * Who told whom what, down to the one that asks, each as names from the user on: first its task, then the messages that
   * it has read, the latest last. As `input`.
   */
  readonly chains?: readonly (readonly string[])[];
  readonly approver: "user" | "lead";
  readonly since: number;
}

/** A call that waits for somebody outside: a tool of it returned `pending`. For people, models don't get it. */
export interface PendingCallStatus {
  /** The id that the tool was called with; `session.finishCall` takes it. */
  readonly call: string;
  /** Whose call it is: a member's name or `Lead`. */
  readonly member: string;
  readonly tool: string;
  /** What the tool said of it; left out when it said nothing. */
  readonly note?: string;
  /** When it began to wait, ms of the wall clock. */
  readonly since: number;
  /** When it ends as an error, ms of the wall clock; null = never by itself. */
  readonly until: number | null;
}

/** State of a team as people see it. */
export type TeamState = "running" | "stalled" | "finished" | "dissolving" | "completed" | "failed" | "dissolved";

/** Result of `team_status`, and the base of `session.status()`. */
export interface TeamStatus {
  readonly team: string | null;
  readonly state: TeamState | "none";
  readonly revision: number;
  /** Advances with every visible change; give it as `since` to wait for the next notable one. */
  readonly version: number;
  readonly changed: boolean;
  readonly members: readonly MemberStatus[];
  /** The tasks of the team's board, by their numbers; left out for a team without one. */
  readonly tasks?: readonly TaskStatus[];
  /** Unread mail of the caller. */
  readonly pendingMessages: number;
  readonly permissionRequests: readonly PermissionRequestStatus[];
  /** What the team and its lead have used of what they may together; left out where nothing is limited. */
  readonly budgets?: readonly BudgetUse[];
  /** True when a wait ended by its window; `waitedMs` says how long it was. */
  readonly timedOut?: boolean;
  readonly waitedMs?: number;
}

/** Mail counted per copy of `text` and `instruction`; `refused` counts refused send calls. */
export interface MessageCounts {
  readonly accepted: number;
  readonly delivered: number;
  readonly deadLettered: number;
  readonly unread: number;
  readonly refused: number;
}
