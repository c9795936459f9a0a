import { messageCounts } from "../machines/index.ts";
import type { MessageCounts, TeamStatus } from "../protocol/status.ts";
import type { SessionRuntime } from "./session-runtime.ts";

/** The status of a session: its team's, with the mail of the whole session. */
export interface SessionStatus extends TeamStatus {
  readonly session: string;
  /** What the lead's turn does. */
  readonly lead: string;
  /** The fallback model that gave the lead's last answer; left out while its own model answers. */
  readonly leadFallback?: string;
  readonly messages: MessageCounts;
}

/** How a session stands now, for people. */
export function sessionStatus(runtime: SessionRuntime): SessionStatus {
  const { state, facts, journals, options } = runtime;
  const leadFallback = journals.fallbackOf("lead");
  return {
    session: options.config.session,
    ...runtime.statusForPeople(),
    lead: facts.lead(state.lead.snapshot).turn,
    ...(leadFallback === undefined ? {} : { leadFallback }),
    messages: messageCounts(state),
  };
}
