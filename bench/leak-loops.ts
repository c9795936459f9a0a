import { createTeamSystem, defineAgent, type Session, type TeamSystem } from "teamchart";

/** What a process holds on to, once everything that can be collected is. */
export interface Held {
  readonly heapBytes: number;
  /** Handles and timers that keep the process alive, by kind. */
  readonly resources: readonly string[];
}

/** One leak loop: `once` makes, runs and dissolves a team; whatever it needs longer is made before. */
export interface LeakLoop {
  once(): Promise<void>;
  close(): Promise<void>;
}

const members = [
  { name: "Ann", agentType: "worker", prompt: "Work." },
  { name: "Bob", agentType: "worker", prompt: "Work.", dependsOn: ["Ann"] },
  { name: "Cleo", agentType: "worker", prompt: "Stay.", dependsOn: ["Ann"], lifetime: "persistent" },
] as const;

const openSystem = (): Promise<TeamSystem> =>
  createTeamSystem({
    agents: {
      worker: defineAgent({
        run: async (run) => {
          if (run.name === "Ann") await run.send("Cleo", "hello");
          return { summary: `${run.name} was here`, paths: [] };
        },
      }),
    },
  });

/** A team that does some work, talks, and is dissolved. */
async function runTeam(session: Session): Promise<void> {
  const team = await session.createTeam({ name: "Crew", members });
  const { state } = await team.finished();
  if (state !== "finished") throw new Error(`the team is ${state}`);
  await team.dissolve({ mode: "abort" });
}

/** A session for each team. */
export async function sessionLoop(): Promise<LeakLoop> {
  const system = await openSystem();
  return {
    async once() {
      await using session = await system.openSession();
      await runTeam(session);
    },
    close: () => system.close(),
  };
}

/** One session for all teams. */
export async function teamLoop(): Promise<LeakLoop> {
  const system = await openSystem();
  const session = await system.openSession();
  return {
    async once() {
      await runTeam(session);
      const { runs, timers } = session.alive;
      if (runs > 0 || timers > 0) throw new Error(`${runs} runs and ${timers} timers outlived their team`);
    },
    close: () => system.close(),
  };
}

/** What this process holds now. The process must run with --expose-gc. */
export async function held(): Promise<Held> {
  for (let round = 0; round < 4; round++) {
    globalThis.gc?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
  return {
    heapBytes: process.memoryUsage().heapUsed,
    resources: process.getActiveResourcesInfo().toSorted(),
  };
}
