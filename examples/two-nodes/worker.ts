// A worker: carries out runs of counters for whoever has a session in the file. Start as many as you like.
import { once } from "node:events";
import { createTeamSystem } from "teamchart";
import { sqliteBus } from "teamchart/sqlite";
import { agents } from "./agents.ts";

const bus = sqliteBus({ path: process.argv[2] ?? "two-nodes.db" });
const system = await createTeamSystem({ bus, agents });
const offering = await system.offerAgents(["counter"], {
  runsMax: 1,
  onRun: ({ type, member }) => console.log(`${type} ${member}`),
});
console.log(`worker ${offering.worker} offers ${offering.agentTypes.join(", ")}`);

// `once` keeps no process alive; an open offering does.
await Promise.race(["SIGINT", "SIGTERM"].map((signal) => once(process, signal)));
await system.close(); // gives back what it runs: another worker goes on with it
await bus.close();
