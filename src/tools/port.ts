import type { Refusal } from "../errors/index.ts";
import type { AcknowledgeResult, MailPage, MailState } from "../protocol/mail.ts";
import type { Reply } from "../protocol/reply.ts";
import type { DissolveSpec, InviteSpec, ReplanSpec, TeamSpec } from "../protocol/spec.ts";
import type { TeamStatus } from "../protocol/status.ts";
import type { TaskChange, TaskSpec, TaskStatus } from "../protocol/task.ts";

/** What a team tool asks of the session; who asks is known by the port, never taken from arguments. */
export type TeamCommand =
  | { readonly type: "team.create"; readonly spec: TeamSpec }
  | { readonly type: "team.replan"; readonly spec: ReplanSpec }
  | { readonly type: "team.invite"; readonly spec: InviteSpec }
  | { readonly type: "team.dissolve"; readonly spec: DissolveSpec }
  | { readonly type: "message.send"; readonly to: string; readonly content: string }
  | { readonly type: "work.complete"; readonly summary: string; readonly paths: readonly string[] }
  | { readonly type: "task.add"; readonly spec: TaskSpec }
  | { readonly type: "task.claim"; readonly task: number | null; readonly owner: string | null }
  | { readonly type: "task.update"; readonly change: TaskChange }
  | { readonly type: "question.ask"; readonly question: string; readonly choices: readonly string[] }
  | { readonly type: "plan.submit"; readonly plan: string }
  | { readonly type: "shutdown.reply"; readonly accept: boolean; readonly reason: string }
  | {
      readonly type: "permission.answer";
      readonly request: string;
      readonly approve: boolean;
      readonly note: string | null;
    };

/** A command about the team's board. */
export type TaskCommand = Extract<TeamCommand, { type: `task.${string}` }>;

/** Which call this is, so that a repetition is recognised. */
export interface CallContext {
  readonly toolCallId: string;
  readonly signal: AbortSignal | undefined;
}

/** What a status call asks for: with `since` it waits, with `member` it also tells that member's last steps. */
export interface StatusQuery {
  readonly since?: number | undefined;
  readonly waitMs?: number | undefined;
  readonly member?: string | undefined;
}

/** The status, with the last steps of `query.member`, oldest first; or why not. */
export type StatusAnswer =
  | { readonly status: TeamStatus & { readonly steps?: readonly string[] } }
  | { readonly refused: readonly Refusal[] };

/** Which of the caller's own mail is asked for: one piece by its handle, or a page, the newest first. */
export interface OwnMailQuery {
  readonly handle?: string | undefined;
  readonly state?: MailState | undefined;
  readonly limit: number;
  /** `next` of the page before. */
  readonly before?: string | undefined;
}

/**
 * The session as one caller's tools see it: commands are durable before they are answered, refusals come as data.
 * Implemented by the session's runs; a member's port can't do what only a lead may. The tools never ask a member's port
 * for such a thing.
 */
export interface TeamPort {
  /** Display name of the caller. */
  readonly caller: string;
  readonly role: "lead" | "member";
  /** `work.complete` of a lead ends its turn with the summary as its answer. */
  command(command: TeamCommand, call: CallContext): Promise<Reply>;
  /** The status; with `since` a lead's call waits for the next notable change, at most `waitMs`. Members never wait. */
  status(query: StatusQuery, call: CallContext): Promise<StatusAnswer>;
  /** The tasks of the team's board as they are now, by their numbers; null without one. */
  tasks(): readonly TaskStatus[] | null;
  /** Mail of the caller's own mailbox. */
  mail(query: OwnMailQuery): MailPage;
  /** Acknowledges mail of its own mailbox by its handles; throws `unknown_mail` or `mail_unread`. */
  acknowledge(handles: readonly string[], call: CallContext): Promise<AcknowledgeResult>;
  /** Whether somebody has asked the caller to shut down and waits for the answer. */
  isAskedToShutDown(): boolean;
  /** Whether the caller's workspace holds this path; one outside of it is a TeamError (`workspace_escape`). */
  pathExists(path: string, call: CallContext): Promise<boolean>;
  /** What came with the reply to this call: the user's answer to a question, the remark on a plan; "" for none. */
  answerOf(toolCallId: string): string;
}
