import type { Reply } from "../protocol/reply.ts";
import type { DissolveSpec, ReplanSpec, TeamSpec } from "../protocol/spec.ts";
import type { TeamStatus } from "../protocol/status.ts";

/** What a team tool asks of the session; who asks is known by the port, never taken from arguments. */
export type TeamCommand =
  | { readonly type: "team.create"; readonly spec: TeamSpec }
  | { readonly type: "team.replan"; readonly spec: ReplanSpec }
  | { readonly type: "team.dissolve"; readonly spec: DissolveSpec }
  | { readonly type: "message.send"; readonly to: string; readonly content: string }
  | { readonly type: "work.complete"; readonly summary: string; readonly paths: readonly string[] }
  | { readonly type: "question.ask"; readonly question: string; readonly choices: readonly string[] }
  | { readonly type: "plan.submit"; readonly plan: string };

/** Which call this is, so that a repetition is recognised. */
export interface CallContext {
  readonly toolCallId: string;
  readonly signal: AbortSignal | undefined;
}

/**
 * The session as one caller's tools see it: commands are durable before they are answered, refusals come as data.
 * Implemented by the session's runs; a member's port can't do what only a lead may.
 */
export interface TeamPort {
  /** Display name of the caller. */
  readonly caller: string;
  readonly role: "lead" | "member";
  command(command: TeamCommand, call: CallContext): Promise<Reply>;
  /** The status; with `since` a lead's call waits for the next notable change, at most `waitMs`. */
  status(
    query: { readonly since?: number; readonly waitMs?: number; readonly member?: string },
    call: CallContext,
  ): Promise<
    | { readonly status: TeamStatus & { readonly steps?: readonly string[] } }
    | { readonly refused: Extract<Reply, { refused: unknown }>["refused"] }
  >;
  /** The answer of the user to `question.ask`, once its reply has come. */
  answerOf(toolCallId: string): string;
}
