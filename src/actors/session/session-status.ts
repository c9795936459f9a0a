import { memberByName, memberStatus, messageCounts } from "../../machines/index.ts";
import type { MemberStatus, MessageCounts, PendingCallStatus, TeamStatus } from "../../protocol/status.ts";
import { pendingCalls } from "../commands/from-outside.ts";
import { statusForPeople, asPeopleSee } from "./people-status.ts";
import type { SessionRuntime } from "./session-runtime.ts";

/** The status of a session: its team's, with the mail of the whole session. */
export interface SessionStatus extends TeamStatus {
  readonly session: string;
  /** What the lead's turn does. */
  readonly lead: string;
  /** The fallback model that gave the lead's last answer; left out while its own model answers. */
  readonly leadFallback?: string;
  readonly messages: MessageCounts;
  /** How many of the delivered ones were acknowledged; `session.mail()` tells of each. */
  readonly acknowledgedMessages: number;
  /** Calls that wait for somebody outside, the oldest first. */
  readonly pendingCalls: readonly PendingCallStatus[];
  /** Runs of members: those that are alive, and those that wait for a place (`concurrentRunsMax`) or for `startStaggerMs`. */
  readonly runs: { readonly running: number; readonly waiting: number };
}

/** How a session stands now. */
export function sessionStatus(runtime: SessionRuntime): SessionStatus {
  const { state, facts, journals } = runtime;
  const leadFallback = journals.fallbackOf("lead");
  return {
    session: runtime.options.config.session,
    ...statusForPeople(runtime),
    lead: facts.lead(state.lead.snapshot).turn,
    ...(leadFallback === undefined ? {} : { leadFallback }),
    messages: messageCounts(state),
    acknowledgedMessages: runtime.mail.acknowledged,
    pendingCalls: pendingCalls(runtime),
    runs: runtime.memberRuns,
  };
}

/** The status of one member, or null when nobody is called so. */
export function memberOf(runtime: SessionRuntime, name: string): MemberStatus | null {
  const { state, facts } = runtime;
  const member = memberByName(state, name);
  if (member === undefined) return null;
  const now = runtime.options.clock.now();
  const status = memberStatus(state, member, facts, (each) => runtime.resultOf(each), { now });
  return asPeopleSee(runtime, status);
}
