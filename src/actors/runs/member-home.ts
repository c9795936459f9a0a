import { TeamError } from "../../errors/index.ts";
import type { MemberRecord } from "../../machines/index.ts";
import type { Workspace } from "../../tools/workspace/index.ts";
import { isFunctionAgent, type Agent, type AgentSource } from "../agents/agent.ts";
import { agentOf } from "../agents/agent-types.ts";
import type { HostedLead } from "../agents/hosted-lead.ts";
import { resolveAgent } from "../agents/resolve-agent.ts";
import { isPlanning } from "./member-facts.ts";
import type { SessionRuntime } from "../session/session-runtime.ts";

/** What a member brings to its runs: of a member that the team created the session's, of an invited agent its own. */
export interface MemberHome {
  readonly agent: Agent;
  /** Whose model, fallback and effort it takes where its agent names none. */
  readonly lead: HostedLead | null;
  readonly workspace: Workspace | null;
  /** Whether its workspace is a git worktree of its own, which is still to be made. */
  readonly isIsolated: boolean;
  /** What it knows before it reads its task; "" for nothing. */
  readonly knows: string;
}

/** Where members come from. */
interface HomeSources {
  readonly agents: ReadonlyMap<string, AgentSource>;
  readonly lead: HostedLead | null;
  readonly workspace: Workspace | null;
}

/** Throws when there is no such agent, or its factory throws. */
export function memberHome(sources: HomeSources, runtime: SessionRuntime, member: MemberRecord): MemberHome {
  const { config, invitations } = runtime.options;
  if (member.invited === null) {
    const { lead, workspace, agents } = sources;
    const agent = resolveAgent(member.agentType, agentOf(agents, member.agentType), config.limits);
    // What a factory makes is known only now, and a function's result must not count without the plan that was asked for.
    if (isFunctionAgent(agent) && isPlanning(runtime, member.token)) {
      const how = "Leave out requirePlan, or take an agent with a model";
      throw new TeamError("disabled", { what: `plan approval of ${member.agentType}, a function,`, how });
    }
    return { agent, lead, workspace, isIsolated: agent.isolation === "worktree", knows: "" };
  }
  const own = invitations.agentOf(member);
  const knows = own.recall(config.session);
  return { agent: own.agent, lead: null, workspace: own.workspace, isIsolated: false, knows };
}
