import { TeamError } from "../errors/index.ts";
import { refuseName } from "../protocol/names.ts";
import { isFunctionAgent, type AgentSource } from "./agent.ts";
import { checkAgent } from "./resolve-agent.ts";

/** Agents as a caller gives them, by the names of their types. */
export type GivenAgents = Readonly<Record<string, AgentSource>> | ReadonlyMap<string, AgentSource>;

/** What a lead is told of an agent type. */
export interface AgentType {
  readonly name: string;
  readonly description: string;
  readonly kind: "model" | "function";
}

/** The agent types, `general` first when nobody else is called so. Throws for a name or an agent that can't be one. */
export function agentMap(agents: GivenAgents): ReadonlyMap<string, AgentSource> {
  const given: ReadonlyMap<string, AgentSource> = agents instanceof Map ? agents : new Map(Object.entries(agents));
  for (const [name, source] of given) {
    const problem = refuseName(name, { reserved: false });
    if (problem !== null) throw TeamError.from(problem);
    if (typeof source !== "function") checkAgent(name, source);
  }
  return given.has("general") ? given : new Map<string, AgentSource>([["general", {}], ...given]);
}

/** What a lead is told of an agent type. A factory isn't called for it: it may fail, and that is a run's business. */
export function listAgentType(name: string, source: AgentSource): AgentType {
  const fallback = name === "general" ? "A general agent with the workspace's tools." : "";
  if (typeof source === "function") return { name, description: fallback, kind: "model" };
  const kind = isFunctionAgent(source) ? "function" : "model";
  return { name, description: source.description ?? fallback, kind };
}
