// The node that owns the session: its counters run on workers, wherever those are.
import { createTeamSystem } from "teamchart";
import { sqliteBus } from "teamchart/sqlite";
import { agents } from "./agents.ts";

/** Runs the team and returns what it delivered. */
export async function countOnWorkers(path: string): Promise<string> {
  const bus = sqliteBus({ path });
  try {
    await using system = await createTeamSystem({ bus, agents });
    const session = await system.openSession();
    const team = await session.createTeam({
      name: "Count",
      members: [
        { name: "Ann", agentType: "counter", prompt: "to be or not to be" },
        { name: "Bob", agentType: "counter", prompt: "that is the question" },
        { name: "Reporter", agentType: "reporter", prompt: "Sum up.", dependsOn: ["Ann", "Bob"] },
      ],
    });
    for (const { name, worker } of session.status().members) {
      if (worker === null) console.log(`${name} waits for a worker`);
    }
    const { outcome, members } = await team.finished();
    return `${outcome}: ${members.at(-1)?.summary}`;
  } finally {
    await bus.close();
  }
}

if (import.meta.main) console.log(await countOnWorkers(process.argv[2] ?? "two-nodes.db"));
