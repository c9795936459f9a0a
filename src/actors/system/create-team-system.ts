import { randomUUID } from "node:crypto";
import { Limits } from "../../protocol/limits.ts";
import { PermissionPolicy } from "../../protocol/permissions/permission-policy.ts";
import { Prices } from "../../protocol/prices.ts";
import { openWorkspace } from "../../tools/workspace/index.ts";
import type { AgentSource } from "../agents/agent.ts";
import type { GivenAgents } from "../agents/agent-types.ts";
import { parseInput } from "../parse-input.ts";
import { parseOptions } from "../parse-options.ts";
import { SystemOptionsShape } from "./system-options.ts";
import type { TeamSystemOptions } from "./team-system-options.ts";
import type { TeamSystem } from "./team-system-port.ts";
import { WorktreeSource } from "../worktrees/worktree-source.ts";
import { LocalTeamSystem } from "./team-system.ts";

/** Whether an agent type asks for worktrees. A factory isn't called for it: its members learn when they start. */
const needsWorktrees = (agents: GivenAgents): boolean =>
  [...(agents instanceof Map ? agents.values() : Object.values(agents))].some(
    (agent: AgentSource) => typeof agent !== "function" && agent.isolation === "worktree",
  );

/** Makes a system of sessions. Several in one process keep to themselves. */
export const createTeamSystem = (options: TeamSystemOptions = {}): Promise<TeamSystem> =>
  startTeamSystem(options, randomUUID().slice(0, 8));

/** The same under a name of the caller's making, which no other system on the bus may have, or have had. */
export async function startTeamSystem(options: TeamSystemOptions, node: string): Promise<TeamSystem> {
  parseOptions(SystemOptionsShape, options, "createTeamSystem");
  const limits = parseOptions(Limits, options.limits ?? {}, "limits");
  if (options.permissions !== undefined) parseOptions(PermissionPolicy, options.permissions, "permissions");
  const workspace = options.workspace === undefined ? null : await openWorkspace({ root: options.workspace });
  const prices = parseInput(Prices, options.prices ?? {}, "prices");
  const worktrees = new WorktreeSource(workspace);
  const system = new LocalTeamSystem(options, { node, limits, prices, workspace, worktrees });
  if (!needsWorktrees(options.agents ?? {})) return system;
  try {
    await worktrees.repository();
    return system;
  } catch (fault) {
    await system.close();
    throw fault;
  }
}
