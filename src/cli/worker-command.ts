import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { createTeamSystem, TeamError, type TeamSystem, type TeamSystemOptions, type WorkerEvent } from "../index.ts";
import type { CommandContext } from "./command-context.ts";
import { exitCodes, type ExitCode } from "./exit-codes.ts";
import { untilInterrupted } from "./inspect/serve-inspector.ts";
import { jsonLine } from "./json-line.ts";
import { openBus } from "./open-bus.ts";
import { printable } from "./printable.ts";
import { readTeamFile } from "./read-team-file.ts";
import { routesOfAgents, systemOptionsOf } from "./run/team-file-job.ts";
import { commandSettings } from "./settings/command-settings.ts";
import { settingEntries } from "./settings/config-entries.ts";
import { printConfig } from "./settings/print-config.ts";
import { warnInto } from "./log.ts";

const refuse = (what: string, problem: string): TeamError => new TeamError("bad_input", { what, problem });

/** Offers the agents of a file or a module on the bus, and carries out runs of them until it is interrupted. */
export async function workerCommand(path: string | null, context: CommandContext): Promise<ExitCode> {
  const { host, output, log, settings } = context;
  const { values } = settings;
  if (values.printConfig) {
    printConfig(settingEntries(commandSettings.worker, settings), { output, json: values.json });
    return exitCodes.done;
  }
  if (values.bus === "memory") throw refuse("--bus memory", "no other process can reach it; name the sqlite bus");
  const given = await givenOptions(path, context);
  const onFault = warnInto(log);
  const agents = values.agents ?? agentsForWorkers(given.options, given.place);
  await using opened = await openBus(values.bus, { cwd: host.cwd(), env: host.env, onFault });
  // A file is no bus in memory; the type can't say so.
  if (opened.bus === null) throw refuse("--bus", "no other process can reach it");
  const own = { environment: host.env, ...given.options, bus: opened.bus };
  await using system = await createTeamSystem({ onFault, ...own });
  const models = await given.models(system, agents);
  await using offering = await system.offerAgents(agents, {
    ...(values.name === null ? {} : { name: values.name }),
    runsMax: values.runs,
    onRun: (event) => tell(event, context),
  });
  announce({ worker: offering.worker, agents: offering.agentTypes, bus: values.bus, models }, context);
  await untilInterrupted(context);
  if (offering.runs > 0) output.tell(`Giving ${offering.runs} runs back; another worker goes on with them.`);
  return exitCodes.done;
}

/** Where a worker's agents come from. */
interface GivenOptions {
  readonly place: string;
  readonly options: TeamSystemOptions;
  /** How the offered agents are driven, printable; rejects for one that can't be. */
  readonly models: (system: TeamSystem, agents: readonly string[]) => Promise<string>;
}

async function givenOptions(path: string | null, { host, settings }: CommandContext): Promise<GivenOptions> {
  const { config, model } = settings.values;
  if ((path === null) === (config === null)) {
    throw refuse("worker", "expected a team file or --config MODULE, one of the two");
  }
  if (path !== null) {
    const run = { file: await readTeamFile(path), path, cwd: host.cwd(), model };
    const models = (system: TeamSystem, agents: readonly string[]) => routesOfAgents(system, run, agents);
    return { place: path, options: await systemOptionsOf(run), models };
  }
  const place = config ?? "";
  const options = await loadOptions(resolve(host.cwd(), place), place);
  return { place, options: model === null ? options : { model, ...options }, models: async () => "" };
}

const isFactory = (value: unknown): value is () => unknown => typeof value === "function";

/** The options that a module has as its default export, or that a function there makes. */
async function loadOptions(path: string, place: string): Promise<TeamSystemOptions> {
  let made: unknown;
  try {
    // Whatever a module exports by default, this is how it is asked for.
    const module = (await import(pathToFileURL(path).href)) as { readonly default?: unknown };
    made = isFactory(module.default) ? await module.default() : module.default;
  } catch (cause) {
    const problem = `it can't be loaded: ${cause instanceof Error ? cause.message : String(cause)}`;
    throw refuse(`--config ${place}`, printable(problem));
  }
  if (typeof made !== "object" || made === null) {
    throw refuse(`--config ${place}`, "its default export is neither options of createTeamSystem nor a function");
  }
  if ("bus" in made) throw refuse(`--config ${place}`, "it gives a bus; that is for --bus to say, so leave it out");
  // What is wrong in it `createTeamSystem` refuses, key by key.
  return made;
}

/** The agent types that say that they are for workers. */
function agentsForWorkers({ agents = {} }: TeamSystemOptions, place: string): readonly string[] {
  const all = agents instanceof Map ? [...agents] : Object.entries(agents);
  const names = all.flatMap(([name, agent]) => (isForWorkers(agent) ? [String(name)] : []));
  if (names.length > 0) return names;
  throw refuse("worker", `no agent type of ${place} says runsOn: workers; name those that it offers by --agents`);
}

const isForWorkers = (agent: unknown): boolean =>
  typeof agent === "object" && agent !== null && "runsOn" in agent && agent.runsOn === "workers";

interface Announced {
  readonly worker: string;
  readonly agents: readonly string[];
  readonly bus: string;
  readonly models: string;
}

function announce(offered: Announced, { output, settings }: CommandContext): void {
  const { worker, agents, bus, models } = offered;
  const driven = models === "" ? "" : ` (${models})`;
  const sentence = `worker ${worker} on ${bus} offers ${agents.join(", ")}${driven}, until Ctrl-C`;
  output.print(settings.values.json ? jsonLine({ type: "worker", ...offered }) : `${printable(sentence)}\n`);
}

const verbs: Readonly<Record<WorkerEvent["type"], string>> = {
  taken: "runs",
  ended: "is done with",
  lost: "has lost",
  given_back: "has given back",
};

function tell({ type, session, member, agentType }: WorkerEvent, { output, settings }: CommandContext): void {
  const sentence = `${verbs[type]} ${member} (${agentType}) of the session ${session}`;
  output.print(
    settings.values.json
      ? jsonLine({ type: "run", state: type, session, member, agentType })
      : `${printable(sentence)}\n`,
  );
}
