import { once } from "node:events";
import { appendFileSync, existsSync } from "node:fs";
import { tool } from "ai";
import { createTeamSystem, defineAgent } from "../../src/index.ts";
import type { ScriptInput } from "../../src/protocol/script.ts";
import { busAt } from "./bus-at.ts";
import { anyInput } from "./sessions.ts";

/** What a child does: everything that it needs is in this plan and in the file of the bus. */
export interface WorkerPlan {
  readonly role: "worker" | "owner";
  readonly path: string;
  /** Where each execution of a tool leaves a line. */
  readonly effects: string;
  /** As long as this file is not there, the tool `wait` goes on. */
  readonly gate: string;
  readonly name: string;
  readonly runsMax?: number;
  readonly leaseMs?: number;
  readonly script: ScriptInput;
  /** For an owner: the prompts of its members by their names. */
  readonly members?: readonly string[];
}

/** The agent types of all plans; the owner needs what is said of them, the worker does it. */
export const agentsOf = ({ effects, gate, name }: Pick<WorkerPlan, "effects" | "gate" | "name">) => ({
  clerk: defineAgent({
    runsOn: "workers",
    model: "scripted",
    tools: {
      once: tool({
        inputSchema: anyInput,
        execute: (_input: unknown, { toolCallId }) => {
          appendFileSync(effects, `once ${toolCallId} ${name}\n`);
          return "done once";
        },
      }),
      wait: tool({
        inputSchema: anyInput,
        execute: async (_input: unknown, { toolCallId, abortSignal }) => {
          appendFileSync(effects, `wait ${toolCallId} ${name}\n`);
          while (!existsSync(gate) && abortSignal?.aborted !== true)
            await new Promise((resolve) => setTimeout(resolve, 10));
          return "waited";
        },
      }),
    },
  }),
  caller: defineAgent({
    runsOn: "workers",
    // Both are there at once, or neither comes to its end.
    run: async ({ name: member, send, mail }) => {
      await send(member === "Ann" ? "Bob" : "Ann", `hello from ${member}`);
      const { content } = await mail.next();
      return { summary: `${content}, on ${name}` };
    },
  }),
});

async function work(plan: WorkerPlan): Promise<void> {
  const { path, name, runsMax, leaseMs, script } = plan;
  const bus = await busAt(path);
  const system = await createTeamSystem({ bus, agents: agentsOf(plan), script, environment: {} });
  const offering = await system.offerAgents(["clerk", "caller"], {
    name,
    ...(runsMax === undefined ? {} : { runsMax }),
    ...(leaseMs === undefined ? {} : { leaseMs }),
    onRun: ({ type, member }) => void process.stdout.write(`${type} ${member}\n`),
  });
  process.stdout.write("ready\n");
  await once(process, "SIGTERM");
  await offering.close();
  await system.close();
  await bus.close();
  // Nothing of it holds the process: it ends by itself.
}

async function own(plan: WorkerPlan): Promise<void> {
  const system = await createTeamSystem({
    bus: await busAt(plan.path),
    agents: agentsOf(plan),
    environment: {},
  });
  const session = await system.openSession({ id: "s" });
  const members = (plan.members ?? []).map((name) => ({ name, agentType: "clerk", prompt: `Task of ${name}.` }));
  await session.createTeam({ name: "T", members });
  process.stdout.write("ready\n");
}

const [given] = process.argv.slice(2);
// As a process of its own it carries out the plan of its argument.
if (import.meta.main && given !== undefined) {
  const plan = JSON.parse(given) as WorkerPlan;
  await (plan.role === "worker" ? work(plan) : own(plan));
}
