import { createRecorder } from "../../actors/recording/recorder.ts";
import { digestOf } from "../../actors/owner/body-store.ts";
import { createKernel } from "../../machines/index.ts";
import { kernelRecord } from "./fresh-fold.ts";
import type { SimulationProblem } from "./judge-world.ts";
import { place, type World } from "./world.ts";

/** How a simulated session went. */
export interface Simulation {
  readonly seed: number;
  readonly verdict: "holds" | "violated";
  /** What is wrong, or null. */
  readonly problem: SimulationProblem | null;
  /** State of the team at the end. */
  readonly state: string;
  /** How many inputs the log has. */
  readonly inputs: number;
  /** How often which fault came. */
  readonly faults: ReadonlyMap<string, number>;
  /** Everything that happened, in its order. */
  readonly trace: readonly string[];
  /** sha-256 of the trace: two runs with the same one were the same. */
  readonly hash: string;
  /** The lines of a recording of the session, which `teamchart replay` takes. */
  toRecording(): string[];
  /** The seed and the verdict, with what is wrong. */
  toString(): string;
}

/** Writes down how a world has ended. */
export function createSimulation(
  { records, trace, faults }: World,
  { seed, state, problem }: Pick<Simulation, "seed" | "state" | "problem">,
): Simulation {
  const hash = digestOf(trace.join("\n"));
  return {
    seed,
    verdict: problem === null ? "holds" : "violated",
    problem,
    state,
    inputs: records.length,
    faults,
    trace,
    hash,
    toRecording: () => recordLog(records),
    toString() {
      const counts = [...faults].map(([fault, count]) => `${count} ${fault}`).join(", ");
      const what = problem === null ? "holds" : `violated (${problem.check}): ${problem.text}`;
      return `seed ${seed}: ${what}; team ${state}, ${records.length} inputs${counts === "" ? "" : `, ${counts}`}`;
    },
  };
}

function recordLog(records: World["records"]): string[] {
  const lines: string[] = [];
  const recorder = createRecorder({
    session: place.session,
    sink: {
      write(line) {
        lines.push(line);
        return null;
      },
    },
    onFault(fault) {
      throw new Error("a simulated session can't be recorded", { cause: fault });
    },
  });
  const kernel = createKernel();
  const session = kernel.create();
  for (const stored of records) {
    const record = kernelRecord(stored);
    const room = recorder.record(session, kernel.apply(session, record), record, stored.body);
    if (room !== null) throw new Error("a sink that is never full was full");
  }
  return lines;
}
