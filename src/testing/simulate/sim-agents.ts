import { jsonSchema, tool, type ToolSet } from "ai";
import { defineAgent, type FunctionRun } from "../../actors/agents/agent.ts";
import type { GivenAgents } from "../../actors/agents/agent-types.ts";
import { sleep } from "../../actors/model-run/sleep.ts";
import { isTeamError } from "../../errors/index.ts";
import { pending } from "../../tools/pending.ts";
import type { Scenario } from "./draw-scenario.ts";
import type { SeededRandom } from "./seeded-random.ts";
import type { SimProcess } from "./sim-process.ts";
import type { World } from "./world.ts";

const nothing = jsonSchema<Record<string, unknown>>({ type: "object" });

/** The tools of simulated agents: one with an effect, one that may be repeated, and one that somebody outside finishes. */
function simTools(world: World, process: SimProcess, epochOf: () => number): ToolSet {
  const executed = (call: string, mayRepeat: boolean): string => {
    const afterSeq = world.records.at(-1)?.seq ?? 0;
    world.observe(process, { type: "tool.executed", actor: "", call, mayRepeat, afterSeq, epoch: epochOf() });
    return "ok";
  };
  return {
    effect: tool({ inputSchema: nothing, execute: (_input, { toolCallId }) => executed(toolCallId, false) }),
    look: tool({ inputSchema: nothing, execute: (_input, { toolCallId }) => executed(toolCallId, true) }),
    job: tool({
      inputSchema: nothing,
      execute: (_input, { toolCallId }) => {
        executed(toolCallId, false);
        return pending({ note: "a job", timeoutMs: 8_000 });
      },
    }),
  };
}

/** A function agent at work: what it does is drawn anew each time, as that of real code that looks at the world would be. */
class SimFunction {
  readonly #world: World;
  readonly #process: SimProcess;
  readonly #random: SeededRandom;
  readonly #context: FunctionRun;

  constructor(world: World, process: SimProcess, context: FunctionRun, number: number) {
    this.#world = world;
    this.#process = process;
    this.#context = context;
    this.#random = world.random.fork(`run ${number} of ${context.name}`);
  }

  async work(): Promise<{ summary: string }> {
    const random = this.#random;
    for (let steps = random.int(0, 3); steps > 0; steps--) await this.#step();
    await this.#pause(random.pick([5, 800, 3_000]));
    if (random.chance(0.12)) throw new Error("it did not work");
    return { summary: `by ${this.#context.name}` };
  }

  async #step(): Promise<void> {
    const { mail, tools, board, signal } = this.#context;
    switch (this.#random.int(0, 5)) {
      case 0:
        return this.#send();
      case 1:
        await mail.take();
        return;
      case 2: {
        // A tool of the AI SDK always has an `execute` here, and takes what its own types say.
        const execute = tools["effect"]?.execute as (input: object, options: object) => unknown;
        await Promise.resolve(execute({}, { toolCallId: "", messages: [], abortSignal: signal })).catch(ignoreRefusal);
        return;
      }
      case 3:
        if (board !== null) return this.#claim(board);
        return this.#pause(200);
      default:
        return this.#pause(1_500);
    }
  }

  async #send(): Promise<void> {
    const { name, send } = this.#context;
    const to = this.#random.pick(["Lead", "broadcast", "Ada", "Bo", "Cy", name]);
    const mark = this.#world.mark(`from ${name}`);
    const seen = { actor: name, command: "message", mark } as const;
    try {
      await send(to, mark);
      this.#world.observe(this.#process, { type: "accepted", ...seen });
    } catch (error) {
      ignoreRefusal(error);
      if (!isTeamError(error, "fenced")) this.#world.observe(this.#process, { type: "refused", ...seen });
    }
  }

  async #claim(board: NonNullable<FunctionRun["board"]>): Promise<void> {
    try {
      const task = await board.claim();
      if (task === null) return;
      await this.#pause(400);
      await board.update({
        task: task.task,
        status: this.#random.pick(["completed", "completed", "failed", "pending"]),
      });
    } catch (error) {
      ignoreRefusal(error);
    }
  }

  #pause(maxMs: number): Promise<void> {
    return sleep(this.#process.clock, this.#random.int(1, maxMs), this.#context.signal);
  }
}

/** A refusal is an answer like any other; whatever else is thrown ends the run. */
function ignoreRefusal(error: unknown): void {
  if (!isTeamError(error)) throw error;
}

/** What the agents of a process know beside the world. */
export interface AgentSurroundings extends Pick<Scenario, "asks"> {
  /** How often the function of a member was started, over all processes. */
  readonly starts: Map<string, number>;
  /** The epoch that the session has for this process. */
  readonly epochOf: () => number;
}

/** The agent types of one process of the world. */
export function simAgents(
  world: World,
  process: SimProcess,
  { asks, starts, epochOf }: AgentSurroundings,
): GivenAgents {
  const ask = [...asks];
  const run = async (context: FunctionRun): Promise<{ summary: string }> => {
    const number = (starts.get(context.name) ?? 0) + 1;
    starts.set(context.name, number);
    const seen = { actor: context.name, run: number };
    world.observe(process, { type: "function.began", ...seen, epoch: epochOf() });
    const end = (): void => world.observe(process, { type: "function.ended", ...seen });
    context.signal.addEventListener("abort", end, { once: true });
    try {
      return await new SimFunction(world, process, context, number).work();
    } finally {
      context.signal.removeEventListener("abort", end);
      if (!context.signal.aborted) end();
    }
  };
  return {
    function: defineAgent({ run, tools: { effect: functionEffect(world, process) }, ask }),
    model: defineAgent({ model: "scripted", tools: simTools(world, process, epochOf), ask, idempotent: ["look"] }),
  };
}

/** Calls of functions are numbered anew in each run, so they say nothing of what was executed before. */
const functionEffect = (world: World, process: SimProcess): ToolSet[string] =>
  tool({
    inputSchema: nothing,
    execute: () => {
      world.note(`${world.scheduler.now()} ${process.name} effect of a function`);
      return "ok";
    },
  });
