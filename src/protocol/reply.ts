import type { Refusal } from "../errors/index.ts";
import type { TaskState } from "./task.ts";

/** Work states of a member; wire values. */
export type WorkState = "blocked" | "in_progress" | "completed" | "failed" | "cancelled";
/** Presence of a member; wire values. */
export type PresenceState = "parked" | "running" | "idle" | "draining" | "shutdown";
/** How a team ended, or would. */
export type TeamOutcome = "completed" | "failed" | "dissolved";

/** Result of `team_create`. Names only, never ids. */
export interface CreateResult {
  readonly team: string;
  readonly revision: number;
  readonly started: readonly string[];
  readonly blocked: readonly string[];
}

/** Result of `team_replan`: who was touched, who still waits, and who can never start as things stand. */
export interface ReplanResult {
  readonly revision: number;
  readonly cancelled: readonly string[];
  readonly retried: readonly string[];
  readonly added: readonly string[];
  readonly stillBlocked: readonly string[];
  readonly stranded: readonly string[];
}

/** Result of `team_invite`. */
export interface InviteResult {
  /** The name that it answers to in this team, whatever it is called elsewhere. */
  readonly name: string;
  readonly agent: string;
  readonly revision: number;
  /** False while it waits for somebody whom it depends on. */
  readonly started: boolean;
}

/** Result of `team_dissolve`. */
export interface DissolveResult {
  readonly outcome: TeamOutcome;
  readonly cancelled: readonly string[];
}

/** Result of a send: the recipients and the state each is in. */
export interface SendResult {
  readonly accepted: true;
  readonly to: readonly { readonly name: string; readonly status: string }[];
}

/** Result of adding a task: its number. */
export interface TaskAddResult {
  readonly task: number;
  readonly status: TaskState;
}

/** Result of a change of a task, with the tasks that wait for nothing any more. */
export interface TaskUpdateResult {
  readonly task: number;
  readonly status: TaskState;
  readonly unblocked: readonly number[];
}

/** How a permission request ended. */
export interface PermissionResult {
  readonly verdict: "approved" | "denied" | "timed_out" | "cancelled";
  readonly note: string | null;
}

/**
 * What the kernel answers to a command. `status` says only that a status is due now and whether anything changed: the
 * owner projects it from the session at that very moment.
 */
export type ReplyValue =
  | ({ readonly type: "created" } & CreateResult)
  | ({ readonly type: "replanned" } & ReplanResult)
  | ({ readonly type: "invited" } & InviteResult)
  | ({ readonly type: "dissolved" } & DissolveResult)
  | ({ readonly type: "sent" } & SendResult)
  | ({ readonly type: "task_added" } & TaskAddResult)
  /** The number of the task that was taken; null = there is none to take. */
  | { readonly type: "task_claimed"; readonly task: number | null }
  | ({ readonly type: "task_updated" } & TaskUpdateResult)
  | { readonly type: "status"; readonly changed: boolean; readonly waitedMs: number; readonly timedOut: boolean }
  | { readonly type: "accepted" }
  | ({ readonly type: "permission" } & PermissionResult)
  | { readonly type: "plan"; readonly approved: boolean }
  | { readonly type: "question" };

/** The answer to a command: its value, or every reason why it was refused. A refusal has changed nothing. */
export type Reply = { readonly ok: ReplyValue } | { readonly refused: readonly Refusal[] };
