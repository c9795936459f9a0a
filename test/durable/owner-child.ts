import { tool, type ToolSet } from "ai";
import { createTeamSystem, isTeamError, type TeamSystemOptions } from "../../src/index.ts";
import { busAt, shorterLeases } from "../support/bus-at.ts";
import { anyInput, call, complete } from "../support/sessions.ts";

/** Steps that the member of a busy team takes before it delivers. */
export const stepsOfWork = 100;

const step: ToolSet[string] = tool({ inputSchema: anyInput, execute: () => "done" });

/** A member that is at work for some time, one small step after the other. */
export const busyTeam: Pick<TeamSystemOptions, "agents" | "script" | "limits"> = {
  agents: { worker: { model: "scripted", tools: { step } } },
  script: { A: [...Array.from({ length: stepsOfWork }, () => ({ ...call("step"), delayMs: 5 })), complete("done")] },
  limits: { stepsMax: 1_000 },
};

/**
 * Opens the session of a file or a server, says so, and lets go of it in order once the standard input ends. What it says: `open`,
 * `refused CODE`, `fault CODE`, `closed`. It never ends its process: when nothing is left alive, that is over.
 */
async function ownSession(path: string, leaseMs: number | null): Promise<void> {
  const bus = leaseMs === null ? await busAt(path) : shorterLeases(await busAt(path), leaseMs);
  const onFault = (fault: unknown): void => console.log(`fault ${isTeamError(fault) ? fault.code : String(fault)}`);
  const system = await createTeamSystem({ bus, onFault, environment: {}, ...busyTeam });
  try {
    const session = await system.openSession({ id: "s" });
    if (session.team === null) {
      await session.createTeam({ name: "T", members: [{ name: "A", agentType: "worker", prompt: "Work." }] });
    }
    console.log("open");
  } catch (error) {
    console.log(`refused ${isTeamError(error) ? error.code : String(error)}`);
  }
  process.stdin.resume().once("end", () => {
    const closing = system.close().then(() => bus.close());
    closing.then(() => console.log("closed"), onFault);
  });
}

const [given, leaseMs] = process.argv.slice(2);
if (import.meta.main && given !== undefined) await ownSession(given, leaseMs === undefined ? null : Number(leaseMs));
