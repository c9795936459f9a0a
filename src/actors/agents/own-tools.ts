import type { ToolSet } from "ai";
import { memberToolNames } from "../../tools/team/index.ts";
import { createWorkspaceTools, type Workspace } from "../../tools/workspace/index.ts";
import { isFunctionAgent, type Agent } from "./agent.ts";

/** The named tools, in the order of the names. */
const pick = (tools: ToolSet, names: readonly string[]): ToolSet =>
  Object.fromEntries(names.flatMap((name) => (tools[name] === undefined ? [] : [[name, tools[name]]])));

/** Whether tools are given by the names of workspace tools. */
export const isToolNames = (tools: ToolSet | readonly string[]): tools is readonly string[] => Array.isArray(tools);

/** Workspace tools for one actor; `names` null = all of them. `execute` is left out unless it is allowed. */
function workspaceTools(
  workspace: Workspace | null,
  actor: string,
  { allowExecute, names }: { readonly allowExecute: boolean; readonly names: readonly string[] | null },
): ToolSet {
  if (workspace === null) return {};
  const all: ToolSet = createWorkspaceTools({ workspace: workspace.for(actor), allowExecute });
  return pick(all, names ?? Object.keys(all).filter((each) => each !== "execute" || allowExecute));
}

/** The tools of an agent beside the team's block: its own, or those of the workspace that it lists. */
export function ownTools(workspace: Workspace | null, actor: string, agent: Agent): ToolSet {
  if (isFunctionAgent(agent)) return {};
  const { allowExecute = false, tools } = agent;
  if (tools === undefined) return workspaceTools(workspace, actor, { allowExecute, names: null });
  if (!isToolNames(tools)) return pick(tools, memberToolNames(Object.keys(tools)));
  return workspaceTools(workspace, actor, { allowExecute, names: memberToolNames(tools) });
}

/** The lead's tools beside the team's: own ones and all of the workspace's, or of those only the named ones. */
export function leadOwnTools(workspace: Workspace | null, tools: ToolSet | readonly string[]): ToolSet {
  if (isToolNames(tools)) {
    return workspaceTools(workspace, "Lead", { allowExecute: false, names: memberToolNames(tools) });
  }
  return { ...workspaceTools(workspace, "Lead", { allowExecute: false, names: null }), ...tools };
}
