import { appendFileSync } from "node:fs";
import { jsonSchema, tool } from "ai";
import { sqliteBus } from "../../src/bus/sqlite.ts";
import { createTeamSystem, defineAgent, type Session, type TeamSystem } from "../../src/index.ts";
import type { ScriptInput } from "../../src/protocol/script.ts";

/** What a child runs: everything that its next life needs is in this file, in the database and in the list of effects. */
export interface ChildPlan {
  /** The file of the bus. */
  readonly path: string;
  /** Where each execution of a tool leaves a line. */
  readonly effects: string;
  readonly session: string;
  readonly script: ScriptInput;
  /** The first thing that is said to the lead. */
  readonly prompt: string;
  /** The append before which, or right after which, the process is killed; null = it lives. */
  readonly kill: { readonly append: number; readonly when: "before" | "after" } | null;
}

/** A bus that kills this process at an append, as a power cut would: by no exception and no handler. */
function deadlyBus({ path, kill }: ChildPlan) {
  const bus = sqliteBus({ path });
  let appends = 0;
  const die = (): void => void process.kill(process.pid, "SIGKILL");
  return {
    ...bus,
    append: async (append: Parameters<typeof bus.append>[0]) => {
      const isLast = ++appends === kill?.append;
      if (isLast && kill?.when === "before") die();
      const seq = await bus.append(append);
      if (isLast) die();
      return seq;
    },
  };
}

const lead = { model: "scripted" } as const;

/** The session of a plan, opened in a system of its own. */
async function openPlan(plan: ChildPlan): Promise<{ system: TeamSystem; session: Session; close(): Promise<void> }> {
  const bus = deadlyBus(plan);
  const effect = (name: string, { call }: { call: string }): void => appendFileSync(plan.effects, `${name} ${call}\n`);
  const worker = defineAgent({
    model: "scripted",
    tools: {
      once: tool({
        inputSchema: jsonSchema<Record<string, unknown>>({ type: "object" }),
        execute: (_input, { toolCallId }) => {
          effect("once", { call: toolCallId });
          return "done once";
        },
      }),
    },
  });
  const system = await createTeamSystem({ bus, agents: { worker }, script: plan.script, environment: {} });
  const session = await system.openSession({ id: plan.session, lead });
  return {
    system,
    session,
    async close() {
      await system.close();
      await bus.close();
    },
  };
}

/** Runs a plan to its end, from its beginning or from where it was. */
export async function runPlan(plan: ChildPlan) {
  const { session, close } = await openPlan(plan);
  const { lead: told } = session.state;
  const hasBegun = told.unread.length > 0 || told.snapshot.context.run > 0;
  if (!hasBegun) session.send(plan.prompt).catch(() => {});
  // A prompt that was just sent has not arrived yet.
  while (!hasBegun && session.state.lead.snapshot.context.run === 0)
    await new Promise((resolve) => setImmediate(resolve));
  await session.settled();
  const result = session.result();
  await close();
  return result;
}

const [given] = process.argv.slice(2);
// As a process of its own it runs the plan of its argument.
if (import.meta.main && given !== undefined) await runPlan(JSON.parse(given) as ChildPlan);
