import { hostname } from "node:os";
import { z } from "zod";
import type { Bus } from "../../bus/bus.ts";
import { didYouMean, TeamError } from "../../errors/index.ts";
import { nearestName } from "../../protocol/names.ts";
import { WorkerName } from "../../protocol/work.ts";
import type { AgentType } from "../agents/agent-types.ts";
import { parseOptions } from "../parse-options.ts";

/** A run that a worker has taken, and what became of it there. */
export interface WorkerEvent {
  readonly type: "taken" | "ended" | "lost" | "given_back";
  readonly session: string;
  readonly member: string;
  readonly agentType: string;
}

/** How agents are offered. */
export interface OfferOptions {
  /** Name of this worker in every status; left out = the machine's name and the number of the process. */
  readonly name?: string;
  /** Runs at once; 0 = unlimited. Left out = 16. */
  readonly runsMax?: number;
  /** How long runs stay with this worker when it says nothing, in ms, at least 1,000. Left out = 10,000. */
  readonly leaseMs?: number;
  /** Told of each run that is taken here, and of its end. */
  readonly onRun?: (event: WorkerEvent) => void;
}

const Shape = z.strictObject({
  name: WorkerName.optional(),
  runsMax: z.int().min(0).optional(),
  leaseMs: z.number().min(1_000).max(3_600_000).optional(),
  onRun: z.custom((value) => typeof value === "function", "expected a function").optional(),
});

/** The options with their defaults; `bad_input` for one that can't be. */
export function parseOfferOptions(options: OfferOptions): Required<OfferOptions> {
  parseOptions(Shape, options, "offerAgents");
  const { name = defaultName(), runsMax = 16, leaseMs = 10_000, onRun = () => {} } = options;
  return { name, runsMax, leaseMs, onRun };
}

/** Machines may be called by names that are none here. */
function defaultName(): string {
  const machine = hostname()
    .replaceAll(/[^A-Za-z0-9._-]/g, "-")
    .replace(/^[^A-Za-z0-9]+/, "")
    .slice(0, 60);
  return `${machine === "" ? "worker" : machine}-${process.pid}`;
}

const howToShare =
  "The memory bus ends with its process: give both systems a bus that processes share, as by sqliteBus";

/** Throws when workers could never reach what is on this bus. */
export function requireSharedBus(bus: Bus): void {
  if (bus.kind === "memory") throw new TeamError("disabled", { what: "offering agents on this bus", how: howToShare });
}

/** Throws when agent types are for workers who could never reach the sessions of this bus. */
export function requireReachableWorkers(bus: Bus, agentTypes: readonly AgentType[]): void {
  const placed = agentTypes.find(({ runsOn }) => runsOn === "workers");
  if (placed === undefined || bus.kind !== "memory") return;
  throw new TeamError("disabled", { what: `runsOn "workers" of the agent type "${placed.name}"`, how: howToShare });
}

/** Throws `bad_input` for no agent type at all, and for one that the system doesn't have. */
export function checkOffered(offered: readonly string[], agentTypes: readonly AgentType[]): ReadonlySet<string> {
  const known = agentTypes.map(({ name }) => name);
  const refuse = (problem: string): never => {
    throw new TeamError("bad_input", { what: "offerAgents", problem });
  };
  const names = z.array(z.string()).min(1).safeParse(offered);
  if (!names.success) return refuse(`expected the names of agent types; known are ${known.join(", ")}`);
  const unknown = names.data.find((name) => !known.includes(name));
  if (unknown === undefined) return new Set(names.data);
  const hint = didYouMean(nearestName(unknown, known));
  return refuse(`there is no agent type "${unknown}"${hint}; known are ${known.join(", ")}`);
}
