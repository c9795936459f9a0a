import type { Bus } from "../../bus/bus.ts";
import type { Kernel } from "../../machines/index.ts";
import type { Clock } from "../../protocol/clock.ts";
import type { SessionConfig } from "../../protocol/session-config.ts";
import type { HookRunner } from "../hooks/hook-runner.ts";
import type { Invitations } from "../agents/invitations.ts";
import type { Questions } from "./questions.ts";
import type { StartRun } from "../runs/run-board.ts";
import type { PlacedRuns } from "../workers/placed-runs.ts";
import type { FoundSession } from "../owner/stored-sessions.ts";
import type { MemberWorktrees } from "../worktrees/member-worktrees.ts";

/** What a session is made of. */
export interface RuntimeOptions {
  readonly bus: Bus;
  readonly kernel: Kernel;
  readonly clock: Clock;
  readonly namespace: string;
  /** Random per process. */
  readonly node: string;
  /** Begins the ids of what this runtime appends; see `OwnerOptions`. */
  readonly writer: string;
  readonly config: SessionConfig;
  readonly startRun: StartRun;
  readonly questions: Questions;
  readonly invitations: Invitations;
  readonly worktrees: MemberWorktrees;
  /** The hooks of the system and of the session. */
  readonly hooks: HookRunner;
  /** The runs that workers carry out for it; left out = it is followed, or has none. */
  readonly placed?: PlacedRuns;
  readonly onFault: (fault: unknown) => void;
  /** What was found of the session on the bus; null or left out = it begins here. */
  readonly found?: FoundSession | null;
  /** Called once when another owner has taken the session. */
  readonly onFenced?: () => void;
}
