import type { Bench, BenchContext, BenchGraph } from "./adapter.ts";
import { chain, diamond, fan, randomDag } from "./graphs.ts";

/** What one repetition of a workload measured. */
export interface Measured {
  /** Wall time of one repetition, or bytes for W6. */
  readonly value: number;
  /** Time of this process's threads, garbage collection included; a crowded machine stretches it less. */
  readonly cpuMs: number;
}

/** One workload: how often it is repeated in its process, and how one repetition is made. */
export interface Workload {
  readonly unit: "ms" | "bytes/member";
  readonly repetitions: number;
  /** Makes what the repetitions share; its time counts for the first one only where nothing else would be cold. */
  prepare(bench: Bench): Promise<() => Promise<Measured>>;
}

/**
 * Runs it between two looks at the clocks. No collection is forced before: one at a moment when no session is open makes
 * V8 forget the code it has compiled for them, which is no steady state. Each repetition pays for the garbage of the one
 * before, the control's like ours.
 */
export async function measure(run: () => Promise<unknown>): Promise<Measured> {
  const cpu = process.cpuUsage();
  const start = performance.now();
  await run();
  const value = performance.now() - start;
  const { user, system } = process.cpuUsage(cpu);
  return { value, cpuMs: (user + system) / 1_000 };
}

/** A context that holds the members to the order of their graph. */
function contextOf({ n, deps }: BenchGraph, runId: string): BenchContext & { check(): void } {
  const ran = new Uint8Array(n);
  return {
    runId,
    step(index) {
      if (ran[index] !== 0) throw new Error(`member ${index} ran twice`);
      for (const upstream of deps[index] ?? []) if (ran[upstream] === 0) throw new Error(`member ${index} ran early`);
      ran[index] = 1;
    },
    check() {
      const missing = ran.indexOf(0);
      if (missing >= 0) throw new Error(`member ${missing} never ran`);
    },
  };
}

const graphWorkload = (graph: () => BenchGraph, repetitions: number): Workload => ({
  unit: "ms",
  repetitions,
  async prepare(bench) {
    let teams = 0;
    return async () => {
      const given = graph();
      const context = contextOf(given, `team-${++teams}`);
      const measured = await measure(() => bench.dag(given, context));
      context.check();
      return measured;
    };
  },
});

const messages = 10_000;
const listeners = 1_000;
const idlers = 1_000;

/** The workloads by name; `dag1000` and `dag4000` tell how the cost of a member grows with the team. */
export const workloads: Readonly<Record<string, Workload>> = {
  W1: graphWorkload(diamond, 100),
  W2: graphWorkload(() => chain(100), 200),
  W3: graphWorkload(() => fan(1_000), 40),
  W4: graphWorkload(() => randomDag(10_000), 12),
  dag1000: graphWorkload(() => randomDag(1_000), 40),
  dag4000: graphWorkload(() => randomDag(4_000), 20),
  "W5 to and fro": {
    unit: "ms",
    repetitions: 3,
    prepare: async (bench) => () => measure(() => bench.pingpong(messages)),
  },
  "W5 broadcast": {
    unit: "ms",
    repetitions: 10,
    async prepare(bench) {
      const broadcaster = await bench.broadcaster(listeners);
      return () => measure(() => broadcaster.send());
    },
  },
  W6: {
    unit: "bytes/member",
    repetitions: 1,
    prepare: async (bench) => () => heapOf(() => bench.idle(idlers), idlers),
  },
};

/** What `make` keeps on the heap, per member, once everything that can be collected is. */
async function heapOf(make: () => Promise<unknown>, count: number): Promise<Measured> {
  const before = await restingHeap();
  const kept = await make();
  const value = ((await restingHeap()) - before) / count;
  // What was made must live until it is measured.
  if (kept === undefined) throw new Error("nothing was kept");
  return { value, cpuMs: 0 };
}

async function restingHeap(): Promise<number> {
  for (let round = 0; round < 3; round++) {
    globalThis.gc?.();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
