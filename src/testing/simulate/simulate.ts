import { drawScenario } from "./draw-scenario.ts";
import { Operator } from "./operator.ts";
import { judgeWorld } from "./judge-world.ts";
import { parseSimulateOptions, type SimulateOptions } from "./simulate-options.ts";
import { createSimulation, type Simulation } from "./simulation.ts";
import { SimUser } from "./sim-user.ts";
import { World } from "./world.ts";

/** A world that has not come to rest by then will not. */
const worldMsMax = 240_000;
/** How long its nodes may take to end. */
const endMsMax = 60_000;

/**
 * Runs one session in a simulated world, and judges it.
 *
 * The real runtime runs: team systems, owners, leases, checkpoints, runs, model loops with the scripted model, tools. What
 * is simulated is what they stand on: time, the store and the ways to it, the processes. Everything that happens later
 * (a delivery, a confirmation, a timer, a model's answer) goes through one queue, whose order the seed decides, as it decides
 * the team, what its members do, what the user says, and which `faults` come. So the same seed gives the same `trace`, byte by
 * byte, with the same version of this package.
 *
 * It is `violated` when a state is not what a fresh fold of the log gives, when a guarantee is broken that is read from the log
 * by rules of its own, when the session does not come to an end, or when the runtime reports a fault that the world's faults do
 * not explain. Resolves for every seed; rejects with `bad_input` for options that can't be used.
 */
export async function simulate(options: SimulateOptions): Promise<Simulation> {
  const { seed, faults } = parseSimulateOptions(options);
  const world = new World(seed);
  const scenario = drawScenario(world.random.fork("scenario"));
  const operator = new Operator(world, scenario, faults);
  const user = new SimUser(world, operator, scenario);
  operator.start();
  user.start();
  const isOver = (): boolean => operator.isDone && user.isDone && rests(operator);
  const isAtRest = await runUntil(world, isOver, worldMsMax);
  for (const node of operator.nodes) node.compare();
  const { session } = operator.owner ?? { session: null };
  const state = session?.status().state ?? "nobody has it";
  await end(world, operator);
  return createSimulation(world, { seed, state, problem: judgeWorld(world, operator.nodes, { isAtRest, state }) });
}

/** Whether nothing is left to be done for the session. */
function rests({ owner }: Operator): boolean {
  const session = owner?.session ?? null;
  if (session === null) return false;
  const { lead, state } = session.status();
  const isLeadAtRest = lead === "waiting_user" || lead === "ended" || lead === "awaiting_team";
  return (
    session.alive.runs === 0 && state !== "running" && state !== "dissolving" && (isLeadAtRest || lead === "shutdown")
  );
}

/** Runs the world until something holds; false when it doesn't in time, or when nothing is left to happen. */
async function runUntil({ scheduler }: World, holds: () => boolean, msMax: number): Promise<boolean> {
  const untilMs = scheduler.now() + msMax;
  while (!holds()) if (scheduler.now() > untilMs || !(await scheduler.step())) return false;
  return true;
}

/** Ends all nodes: the living in good order, the dead without anybody who waits. */
async function end(world: World, operator: Operator): Promise<void> {
  let isEnded = false;
  for (const node of operator.nodes) node.process.resume();
  const ending = operator.end().then(
    () => (isEnded = true),
    (fault: unknown) => {
      world.unexpected.push(fault);
      isEnded = true;
    },
  );
  if (!(await runUntil(world, () => isEnded, endMsMax))) world.unexpected.push(new Error("a node does not end"));
  else await ending;
  for (const node of operator.nodes) {
    node.kill();
    await node.bury();
  }
  await world.store.core.close();
}
