import type { ToolSet } from "ai";
import type { ToolVisibility } from "../../protocol/agent-fields.ts";
import type { CallContext, TeamPort } from "../../tools/port.ts";
import {
  exploreTools,
  inviteTools,
  leadTools,
  permissionTools,
  planTools,
  shutdownTools,
  toolsOfTeam,
  type AgentTypeListing,
  type SubAgentTask,
  type ToolBlocks,
} from "../../tools/team/index.ts";
import type { Workspace } from "../../tools/workspace/index.ts";
import type { ModelAgent } from "../agents/agent.ts";
import type { HostedLead } from "../agents/hosted-lead.ts";
import { leadOwnTools, ownTools } from "../agents/own-tools.ts";
import { askToLeave } from "../permissions/ask-to-leave.ts";
import type { PermissionGate } from "../permissions/permission-gate.ts";

/** What the tools of a session's runs are made of. */
export interface ToolSources {
  readonly blocks: ToolBlocks;
  readonly toolVisibility: ToolVisibility;
  readonly workspace: Workspace | null;
  readonly agentTypes: readonly { readonly name: string; readonly description: string }[];
}

/**
 * The tools that a member is shown: the team's, its own, and those to answer who wants it to shut down, to submit its plan and
 * to be let out of explore mode.
 */
export function memberTools(
  { blocks, toolVisibility, workspace }: ToolSources,
  {
    port,
    agent,
    gate,
    plans,
    hasBoard,
  }: {
    readonly port: TeamPort;
    readonly agent: ModelAgent;
    readonly gate: PermissionGate;
    readonly plans: boolean;
    readonly hasBoard: boolean;
  },
): ToolSet {
  const team = toolsOfTeam(port, blocks, hasBoard);
  const leadOnly = new Set(Object.values(blocks.plain).flatMap((tool) => (tool.leadOnly ? [tool.name] : [])));
  const shown =
    toolVisibility === "all" ? team : Object.fromEntries(Object.entries(team).filter(([name]) => !leadOnly.has(name)));
  return {
    ...shown,
    ...ownTools(workspace, port.caller, agent),
    ...shutdownTools(port),
    ...(plans ? planTools(port) : {}),
    ...(gate.mayLeaveExplore ? exploreTools(port, (reason, call) => askToLeave(gate, reason, call)) : {}),
  };
}

/** The tools of a hosted lead. One that delegates has none to do a member's work with, not even by a sub-agent. */
export function hostedLeadTools(
  { blocks, workspace, agentTypes }: ToolSources,
  {
    port,
    lead,
    answers,
    invitable,
    hasBoard,
    runSubAgent,
  }: {
    readonly port: TeamPort;
    readonly lead: HostedLead | null;
    /** Whether members' requests may be its to answer. */
    readonly answers: boolean;
    /** The existing agents that it may invite now. */
    readonly invitable: readonly AgentTypeListing[];
    readonly hasBoard: boolean;
    readonly runSubAgent: (task: SubAgentTask, call: CallContext) => Promise<string>;
  },
): ToolSet {
  const { task, ...asking } = leadTools(port, { agentTypes, runSubAgent });
  const team = toolsOfTeam(port, blocks, hasBoard);
  const answering = { ...(answers ? permissionTools(port) : {}), ...inviteTools(port, invitable) };
  if (lead?.leadMode === "delegate") return { ...team, ...asking, ...answering };
  return { ...team, task, ...asking, ...leadOwnTools(workspace, lead?.tools ?? {}), ...answering };
}
