import type { ToolSet } from "ai";
import type { ToolVisibility } from "../protocol/agent-fields.ts";
import type { CallContext, TeamPort } from "../tools/port.ts";
import { leadTools, planTools, teamTools, type SubAgentTask, type TeamToolBlock } from "../tools/team/index.ts";
import type { Workspace } from "../tools/workspace/index.ts";
import type { ModelAgent } from "./agent.ts";
import type { HostedLead } from "./hosted-lead.ts";
import { leadOwnTools, ownTools } from "./own-tools.ts";

/** What the tools of a session's runs are made of. */
export interface ToolSources {
  readonly block: TeamToolBlock;
  readonly toolVisibility: ToolVisibility;
  readonly workspace: Workspace | null;
  readonly agentTypes: readonly { readonly name: string; readonly description: string }[];
}

/** The tools that a member is shown: the team's, its own, and the one for its plan. */
export function memberTools(
  { block, toolVisibility, workspace }: ToolSources,
  { port, agent, plans }: { readonly port: TeamPort; readonly agent: ModelAgent; readonly plans: boolean },
): ToolSet {
  const team: ToolSet = teamTools(port, block);
  const leadOnly = new Set(Object.values(block).flatMap((tool) => (tool.leadOnly ? [tool.name] : [])));
  const shown =
    toolVisibility === "all" ? team : Object.fromEntries(Object.entries(team).filter(([name]) => !leadOnly.has(name)));
  return { ...shown, ...ownTools(workspace, port.caller, agent), ...(plans ? planTools(port) : {}) };
}

/** The tools of a hosted lead. One that delegates has none to do a member's work with, not even by a sub-agent. */
export function hostedLeadTools(
  { block, workspace, agentTypes }: ToolSources,
  {
    port,
    lead,
    runSubAgent,
  }: {
    readonly port: TeamPort;
    readonly lead: HostedLead | null;
    readonly runSubAgent: (task: SubAgentTask, call: CallContext) => Promise<string>;
  },
): ToolSet {
  const { task, ...asking } = leadTools(port, { agentTypes, runSubAgent });
  const team = teamTools(port, block);
  if (lead?.leadMode === "delegate") return { ...team, ...asking };
  return { ...team, task, ...asking, ...leadOwnTools(workspace, lead?.tools ?? {}) };
}
