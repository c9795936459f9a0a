import { didYouMean, TeamError } from "../../errors/index.ts";
import { nearestName } from "../../protocol/names.ts";
import {
  boardToolNames,
  leadToolNames,
  memberToolNames,
  teamToolNames,
  teamToolTraits,
} from "../../tools/team/index.ts";
import { workspaceToolTraits } from "../../tools/workspace/index.ts";
import { Isolation, RunsOn, typeOptions } from "../../protocol/agent-fields.ts";
import type { Limits } from "../../protocol/limits.ts";
import { AgentPermissions, PermissionPolicy } from "../../protocol/permissions/permission-policy.ts";
import { functionTool, isFunctionAgent, type Agent, type AgentSource, type FunctionAgent } from "./agent.ts";
import { checkWorkOptions } from "./check-work-options.ts";
import { AgentHooksShape } from "../hooks/hooks.ts";
import type { HostedLead } from "./hosted-lead.ts";
import { parseOptions } from "../parse-options.ts";
import { toJson } from "../model-run/tool-calls.ts";
import { isToolNames } from "./own-tools.ts";

const badAgent = (what: string, problem: string): TeamError => new TeamError("bad_input", { what, problem });

/** Throws when own tools would take the place of the team's: a model would call one and mean the other. */
function checkOwnTools(what: string, tools: object): void {
  const own = Object.keys(tools);
  const allowed = new Set(memberToolNames(own));
  const taken = own.find((tool) => !allowed.has(tool));
  if (taken !== undefined) throw badAgent(`${what}.tools.${taken}`, "this name belongs to a team tool");
}

/** Throws when a listed tool is neither the workspace's nor the team's: a typo must not leave an agent without it. */
function checkToolNames(what: string, listed: readonly unknown[]): void {
  const known = [...Object.keys(workspaceToolTraits), ...teamToolNames, ...boardToolNames, ...leadToolNames];
  const unknown = listed.find((name) => typeof name !== "string" || !known.includes(name));
  if (unknown === undefined) return;
  const named = typeof unknown === "string" ? unknown : JSON.stringify(toJson(unknown));
  const hint = didYouMean(nearestName(named, known));
  throw badAgent(
    `${what}.tools`,
    `there is no tool "${named}"${hint}; known are ${Object.keys(workspaceToolTraits).join(", ")}`,
  );
}

/** Throws when a list names a tool that is none of these: a typo must not change what happens to a call. */
function checkNamed(what: string, names: unknown, known: readonly string[]): void {
  if (!Array.isArray(names)) throw badAgent(what, "expected a list of names of tools");
  const unknown: unknown = names.find((name) => typeof name !== "string" || !known.includes(name));
  if (unknown === undefined) return;
  const named = typeof unknown === "string" ? unknown : JSON.stringify(toJson(unknown));
  const hint = known.length === 0 ? "it has no tools of its own" : `known are ${known.join(", ")}`;
  throw badAgent(what, `there is no tool "${named}" among its own${didYouMean(nearestName(named, known))}; ${hint}`);
}

const workspaceToolNames: readonly string[] = Object.keys(workspaceToolTraits);

/** The tools that an agent may call, beside the team's. */
const toolNamesOf = (tools: Agent["tools"]): readonly string[] =>
  tools === undefined ? workspaceToolNames : isToolNames(tools) ? tools : Object.keys(tools);

/** Throws when a tool that is to be executed again is none of the agent's. */
const checkIdempotent = (what: string, names: unknown, tools: Agent["tools"]): void =>
  checkNamed(`${what}.idempotent`, names, toolNamesOf(tools));

/** Throws when a tool that is said to change nothing is none of the agent's own: of the others that is known. */
const checkReadOnly = (what: string, names: unknown, tools: Agent["tools"]): void =>
  checkNamed(`${what}.readOnly`, names, tools === undefined || isToolNames(tools) ? [] : Object.keys(tools));

/**
 * Throws when a tool that must ask is none of the agent's, or is the team's: those run in every permission mode, for a member
 * that must ask before it may speak or deliver can end in silence.
 */
function checkAsk(what: string, names: unknown, agent: Agent): void {
  const isFunction = isFunctionAgent(agent);
  // A function has the files beside its tools, and asks for network in its own name.
  const known = isFunction
    ? [...Object.keys(agent.tools ?? {}), ...workspaceToolNames, functionTool]
    : toolNamesOf(agent.tools);
  const all: readonly unknown[] = Array.isArray(names) ? names : [];
  const team = all.find((name) => typeof name === "string" && Object.hasOwn(teamToolTraits, name));
  if (team !== undefined) throw badAgent(`${what}.ask`, `${JSON.stringify(team)} is a team tool, and those never ask`);
  checkNamed(`${what}.ask`, names, known);
}

/**
 * A hosted lead as it is now, checked: what can't be read, or would take the place of the team's tools, is refused when the
 * session is opened and not in the middle of it.
 */
export function readLead(lead: HostedLead, limits: Limits): HostedLead {
  const { tools, leadMode = "full" } = lead;
  checkWorkOptions("lead", lead, limits);
  if (leadMode === "delegate" && tools !== undefined) {
    throw badAgent("lead.tools", "a lead that delegates has no tools of its own; leave out tools, or leadMode");
  }
  if (Array.isArray(tools)) checkToolNames("lead", tools);
  else if (tools !== undefined) {
    checkOwnTools("lead", tools);
    const taken = Object.keys(tools).find((name) => Object.hasOwn(workspaceToolTraits, name));
    if (taken !== undefined) throw badAgent(`lead.tools.${taken}`, "this name belongs to a workspace tool");
  }
  if (lead.idempotent !== undefined) checkIdempotent("lead", lead.idempotent, tools);
  if (lead.permissions !== undefined) parseOptions(PermissionPolicy, lead.permissions, "lead.permissions");
  if (lead.readOnly !== undefined) checkReadOnly("lead", lead.readOnly, tools);
  return tools === undefined || isToolNames(tools) ? { ...lead } : { ...lead, tools: { ...tools } };
}

/** Throws `bad_input` when an agent can't be run as it is defined. */
export function checkAgent(name: string, agent: Agent, limits: Limits, list: "agents" | "invitables" = "agents"): void {
  const what = `${list}.${name}`;
  if (typeof agent !== "object" || agent === null)
    throw badAgent(what, "expected an agent, or a function that makes one");
  if ("then" in agent) throw badAgent(what, "it makes a promise; make the agent without waiting");
  if (!isFunctionAgent(agent)) checkWorkOptions(what, agent, limits);
  else checkFunctionAgent(what, agent);
  checkIsolation(what, agent, list);
  if (Array.isArray(agent.tools)) checkToolNames(what, agent.tools);
  else if (agent.tools !== undefined) checkOwnTools(what, agent.tools);
  if ("idempotent" in agent && agent.idempotent !== undefined) checkIdempotent(what, agent.idempotent, agent.tools);
  if (agent.hooks !== undefined) parseOptions(AgentHooksShape, agent.hooks, `${what}.hooks`);
  if (agent.runsOn !== undefined && !RunsOn.safeParse(agent.runsOn).success)
    throw badAgent(`${what}.runsOn`, 'expected "workers"; left out, members run where their session is open');
  if (agent.runsOn !== undefined && list === "invitables")
    throw badAgent(`${what}.runsOn`, "an agent that exists already runs where it lives; leave it out");
  if (agent.permissions !== undefined) parseOptions(AgentPermissions, agent.permissions, `${what}.permissions`);
  if (agent.readOnly !== undefined) checkReadOnly(what, agent.readOnly, agent.tools);
  if (agent.ask !== undefined) checkAsk(what, agent.ask, agent);
}

/** Throws when what a function agent says beside its function can't be. */
function checkFunctionAgent(what: string, { idleMs, onShutdown }: FunctionAgent): void {
  const isTime = idleMs === undefined || typeOptions.idleMs.safeParse(idleMs).success;
  if (!isTime) throw badAgent(`${what}.idleMs`, "expected a number of milliseconds, 0 or more");
  if (onShutdown !== undefined && typeof onShutdown !== "function")
    throw badAgent(`${what}.onShutdown`, "expected a function");
}

/** Throws when members can't have the folder that they are to work in. */
function checkIsolation(what: string, { isolation, runsOn }: Agent, list: "agents" | "invitables"): void {
  if (isolation === undefined) return;
  if (!Isolation.safeParse(isolation).success)
    throw badAgent(`${what}.isolation`, 'expected "shared" or "worktree"; left out, members share one folder');
  if (list === "invitables")
    throw badAgent(`${what}.isolation`, "an agent that exists already has a folder of its own; leave it out");
  if (isolation !== "worktree" || runsOn === undefined) return;
  const reason = `the runs of ${what} are for workers, and a worker's files are not this machine's`;
  throw new TeamError("isolation_unavailable", { isolation, reason });
}

/** The agent of a type, made now if a factory makes it; whatever that throws is the fault of this one run. */
export function resolveAgent(name: string, source: AgentSource | undefined, limits: Limits): Agent {
  if (typeof source !== "function") return source ?? {};
  const agent = source();
  checkAgent(name, agent, limits);
  // The session counts turns by what it was opened with, before any agent is made.
  const fixed = (["turnsMax", "idleMs", "tasks", "runsOn"] as const).find(
    (option) => Reflect.get(agent, option) !== undefined,
  );
  if (fixed !== undefined)
    throw badAgent(`agents.${name}.${fixed}`, "a function that makes the agent can't say it; define the agent itself");
  return agent;
}
