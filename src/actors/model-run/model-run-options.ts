import type { ToolSet } from "ai";
import type { DesiredRun, Mail } from "../../machines/index.ts";
import type { Clock } from "../../protocol/clock.ts";
import type { Limits } from "../../protocol/limits.ts";
import type { AgentOptions } from "../agents/agent-options.ts";
import type { OutputCap } from "./cap-output.ts";
import type { JournalEntry } from "./conversation.ts";
import type { ReadyModel } from "./model-pool.ts";
import type { PermissionGate } from "../permissions/permission-gate.ts";
import type { RunPort } from "../runs/run-port.ts";
import type { TurnLimits } from "./soft-landing.ts";
import type { CallBudget } from "./call-budget.ts";

/** What a run of a model agent or of the lead needs from its session. */
export interface ModelRunOptions
  extends Pick<AgentOptions, "effort" | "contextTokens" | "compactAt" | "compact">, TurnLimits {
  readonly desired: DesiredRun;
  readonly port: RunPort;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly limits: Limits;
  readonly budget: CallBudget;
  /** Name under which a script knows this actor. */
  readonly actor: string;
  readonly resolve: () => Promise<ReadyModel>;
  /** The model that answers once that one has failed for good, or null. */
  readonly fallback: (() => Promise<ReadyModel>) | null;
  /** Told what a provider makes of an effort that it doesn't have. */
  readonly onNote: (note: string) => void;
  readonly cap: OutputCap;
  /** How the team stands, as a text for whoever runs. */
  readonly roster: () => string;
  readonly instructions: string;
  readonly tools: ToolSet;
  /** Tools that may be executed again after a takeover. */
  readonly idempotent: ReadonlySet<string>;
  /** Tools that must not run beside others of the same step. */
  readonly serial: ReadonlySet<string>;
  /** Judges every call of a tool. */
  readonly gate: PermissionGate;
  /** Through whom this mail came: see `Origins`. */
  readonly originsOf: (mail: readonly Mail[]) => readonly (readonly string[])[];
  readonly journal: readonly JournalEntry[];
  /** Calls of the journal that a lost run has started and not ended; what they did is unknown. */
  readonly startedCalls: ReadonlySet<string>;
  /** Whether the last answer of the journal is this turn's: its run was lost or handed over before it was carried out. */
  readonly goesOn: boolean;
  /** Entries of its script that this actor has used up. */
  readonly scriptPosition: () => number;
  /** Unread mail, newest state. */
  readonly unread: () => readonly Mail[];
  /** The content of a piece of mail. */
  readonly contentOf: (mail: Mail) => string;
  /** The task of this attempt, or null (a lead starts with what the user said). */
  readonly prompt: string | null;
  readonly attempt: number;
  /** The attempt whose task the conversation has: a persistent member that is retried goes on in the same one. */
  readonly promptedAttempt: number;
  /** Said when a turn must go on although nobody said anything. */
  readonly nudge: string | null;
  /** Whether it is a member that can deliver now, so that it may be held to that. */
  readonly mayDeliver: () => boolean;
  /** The call of an accepted `complete`, for a run that only closes. */
  readonly completeCall: string | null;
  readonly onText: (delta: string) => void;
}
