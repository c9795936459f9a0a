import { z } from "zod";
import { TeamError } from "../../errors/index.ts";
import type { RunsOn } from "../../protocol/agent-fields.ts";
import { isDefaultAgentType } from "../../protocol/default-agent-type.ts";
import type { Limits } from "../../protocol/limits.ts";
import { collisionKey, refuseName } from "../../protocol/names.ts";
import { SeedTask } from "../../protocol/task.ts";
import { isFunctionAgent, type AgentSource } from "./agent.ts";
import { parseOptions } from "../parse-options.ts";
import { checkAgent } from "./resolve-agent.ts";

/** Agents as a caller gives them, by the names of their types. */
export type GivenAgents = Readonly<Record<string, AgentSource>> | ReadonlyMap<string, AgentSource>;

/** What a lead is told of an agent type, and what the kernel must know of it. */
export interface AgentType {
  readonly name: string;
  readonly description: string;
  readonly kind: "model" | "function";
  readonly turnsMax?: number;
  readonly stepsMax?: number;
  readonly idleMs?: number;
  readonly tasks?: SeedTask[];
  readonly runsOn?: RunsOn;
}

/**
 * The agent types, `general` first when nobody else is the type of members that name none. Throws for a name or an agent
 * that can't be one, and for two types that nobody can tell apart.
 */
export function agentMap(agents: GivenAgents, limits: Limits): ReadonlyMap<string, AgentSource> {
  const given: ReadonlyMap<string, AgentSource> = agents instanceof Map ? agents : new Map(Object.entries(agents));
  const names = new Map<string, string>();
  for (const [name, source] of given) {
    const problem = refuseName(name, { reserved: false });
    if (problem !== null) throw TeamError.from(problem);
    // `default` takes the place of `general`, so the two are one type as well.
    const key = isDefaultAgentType(name) ? "general" : collisionKey(name);
    const other = names.get(key);
    if (other !== undefined) throw new TeamError("name_collision", { name, other, of: "agent types" });
    names.set(key, name);
    if (typeof source !== "function") checkAgent(name, source, limits);
  }
  return names.has("general") ? given : new Map<string, AgentSource>([["general", {}], ...given]);
}

/** The agent of a type; the name that is not there may be the other one of the default type. */
export function agentOf(agents: ReadonlyMap<string, AgentSource>, type: string): AgentSource | undefined {
  const exact = agents.get(type);
  if (exact !== undefined || !isDefaultAgentType(type)) return exact;
  return agents.get("default") ?? agents.get("general");
}

const SeedTasks = z.object({ tasks: z.array(SeedTask) });

/** Whether runs of a type's members are for workers. A factory can't say so: it is called where the run is. */
export function isForWorkers(agents: ReadonlyMap<string, AgentSource>, type: string): boolean {
  const source = agentOf(agents, type);
  return source !== undefined && typeof source !== "function" && source.runsOn === "workers";
}

/** The tasks that members of a type bring, checked. */
const readSeeds = (name: string, tasks: unknown): SeedTask[] =>
  parseOptions(SeedTasks, { tasks }, `agents.${name}`).tasks;

/** What a lead is told of an agent type. A factory isn't called for it: it may fail, and that is a run's business. */
export function listAgentType(name: string, source: AgentSource): AgentType {
  const fallback = isDefaultAgentType(name) ? "A general agent with the workspace's tools." : "";
  if (typeof source === "function") return { name, description: fallback, kind: "model" };
  const description = source.description ?? fallback;
  const { idleMs, runsOn } = source;
  const seeds = source.tasks === undefined ? {} : { tasks: readSeeds(name, source.tasks) };
  const shared = {
    ...(idleMs === undefined ? {} : { idleMs }),
    ...seeds,
    ...(runsOn === undefined ? {} : { runsOn }),
  };
  if (isFunctionAgent(source)) return { name, description, kind: "function", ...shared };
  const { turnsMax, stepsMax } = source;
  const own = { ...(turnsMax === undefined ? {} : { turnsMax }), ...(stepsMax === undefined ? {} : { stepsMax }) };
  return { name, description, kind: "model", ...own, ...shared };
}
