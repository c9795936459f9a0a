import type { Bus } from "../../bus/bus.ts";
import type { Kernel } from "../../machines/index.ts";
import type { ToolVisibility } from "../../protocol/agent-fields.ts";
import type { Clock } from "../../protocol/clock.ts";
import type { Limits } from "../../protocol/limits.ts";
import type { PermissionPolicy } from "../../protocol/permissions/permission-policy.ts";
import type { SessionConfig } from "../../protocol/session-config.ts";
import type { ToolBlocks } from "../../tools/team/index.ts";
import type { Workspace } from "../../tools/workspace/index.ts";
import type { AgentSource } from "../agents/agent.ts";
import type { AgentType } from "../agents/agent-types.ts";
import { HookRunner } from "../hooks/hook-runner.ts";
import type { HostedLead } from "../agents/hosted-lead.ts";
import type { TeamHooks } from "../hooks/hooks.ts";
import { Invitations } from "../agents/invitations.ts";
import type { OwnAgent } from "../agents/living-agent.ts";
import type { ModelPool } from "../model-run/model-pool.ts";
import { SessionGates } from "../permissions/session-gates.ts";
import { Questions } from "./questions.ts";
import type { RuntimeOptions } from "./runtime-options.ts";
import { SessionRuntime } from "./session-runtime.ts";
import { RunStarter } from "../runs/start-run.ts";
import { findSession, type FoundSession } from "../owner/stored-sessions.ts";
import type { PlacedRuns } from "../workers/placed-runs.ts";
import { MemberWorktrees } from "../worktrees/member-worktrees.ts";
import type { WorktreeSource } from "../worktrees/worktree-source.ts";
import { RunTracing, type TelemetryOptions } from "../telemetry/run-tracing.ts";

/** What the sessions of a system have in common. */
export interface SystemParts {
  readonly bus: Bus;
  readonly kernel: Kernel;
  readonly clock: Clock;
  readonly namespace: string;
  readonly node: string;
  /** A name that no other runtime of the node has: each counts its inputs from 1, also one that a session is opened again by. */
  readonly nextWriter: () => string;
  readonly agents: ReadonlyMap<string, AgentSource>;
  readonly agentTypes: readonly AgentType[];
  readonly invitables: ReadonlyMap<string, OwnAgent>;
  readonly limits: Limits;
  readonly permissions: PermissionPolicy | undefined;
  readonly hooks: TeamHooks | undefined;
  readonly models: ModelPool;
  readonly blocks: ToolBlocks;
  readonly toolVisibility: ToolVisibility;
  readonly workspace: Workspace | null;
  readonly worktrees: WorktreeSource;
  readonly telemetry: TelemetryOptions;
  readonly onFault: (fault: unknown) => void;
}

/** Who leads a session, as those see it who run in it. */
export interface SessionRights {
  readonly lead: HostedLead | null;
  /** Whether anybody leads: a model that we run, or a loop of the host's. */
  readonly hasLead: boolean;
  /** What holds for everybody beside the policy of this system: that of the session's owner, for a worker. */
  readonly ownerPermissions?: PermissionPolicy | undefined;
}

/** What one session is made of beside its system. */
export interface SessionPlan {
  readonly config: SessionConfig;
  readonly found: FoundSession | null;
  readonly hooks: TeamHooks | undefined;
  readonly startRun: RuntimeOptions["startRun"];
  readonly placed?: PlacedRuns;
  readonly onFenced?: () => void;
}

/** What the bus knows of a session; null = nothing. */
export const lookForSession = (
  { bus, namespace, kernel, onFault }: SystemParts,
  session: string,
): Promise<FoundSession | null> => findSession({ bus, namespace, session }, { kernel, onFault });

/** A session that lives, or is followed, in this process. It does nothing before it is started. */
export function makeRuntime(parts: SystemParts, { config, found, hooks, ...rest }: SessionPlan): SessionRuntime {
  const { bus, kernel, clock, namespace, node, limits, onFault } = parts;
  const shared = { clock, hookMs: limits.hookMs, onFault };
  return new SessionRuntime({
    ...shared,
    ...rest,
    bus,
    kernel,
    namespace,
    node,
    writer: parts.nextWriter(),
    config,
    found,
    questions: found?.questions ?? new Questions(),
    invitations: new Invitations(parts.invitables, config.session, onFault),
    worktrees: new MemberWorktrees(parts.worktrees, config.session, onFault),
    hooks: new HookRunner([parts.hooks, hooks], shared),
  });
}

/** What starts the runs of a session that is led like this. */
export function makeStarter(parts: SystemParts, { lead, hasLead, ownerPermissions }: SessionRights): RunStarter {
  const { agents, agentTypes, permissions, workspace, models, blocks, toolVisibility, telemetry } = parts;
  const sources = { agents, lead, workspace };
  return new RunStarter({
    ...sources,
    agentTypes,
    models,
    blocks,
    toolVisibility,
    tracing: new RunTracing(telemetry),
    gates: new SessionGates({ ...sources, permissions, ownerPermissions, hasLead }),
  });
}
