// One measurement in a process of its own: node bench/measure.ts SUBJECT WORKLOAD, one line of JSON on stdout.
import { createKernel } from "teamchart/machines";
import { createBench, type Bench, type RuntimeBench } from "./adapter.ts";
import { controls } from "./controls.ts";
import { chain, fan, randomDag } from "./graphs.ts";
import { foldGraph } from "./kernel-only.ts";
import { recordToFile } from "./record-to-file.ts";
import { measure, workloads, type Measured } from "./workloads.ts";

/** The first repetition, and the median of the later half: nothing was run before the one, enough before the other. */
export interface Sample {
  readonly cold: Measured;
  readonly warm: Measured;
}

const byValue = (a: Measured, b: Measured): number => a.value - b.value;

async function repeat(count: number, once: () => Promise<Measured>): Promise<Sample> {
  const cold = await once();
  const later: Measured[] = [];
  for (let done = 1; done < count; done++) {
    const measured = await once();
    if (done >= count / 2) later.push(measured);
  }
  return { cold, warm: later.toSorted(byValue)[Math.floor(later.length / 2)] ?? cold };
}

/** Makes every idle member's live actor, as a page that shows them all would. */
const withLiveActors = (bench: RuntimeBench): Bench => ({
  dag: (graph, context) => bench.dag(graph, context),
  pingpong: (count) => bench.pingpong(count),
  broadcaster: (count) => bench.broadcaster(count),
  close: () => bench.close(),
  async idle(count) {
    const session = await bench.idle(count);
    return [session, session.status().members.map(({ name }) => session.actor(name))];
  },
});

/** The subjects that are measured through the adapter. */
const subjects: Readonly<Record<string, () => Promise<Bench>>> = {
  control: () => Promise.resolve(controls),
  teamchart: () => createBench({ durability: "memory" }),
  "teamchart, recorded": () => createBench({ durability: "memory", onSession: recordToFile }),
  "teamchart, live actors": async () => withLiveActors(await createBench({ durability: "memory" })),
};

const graphs = {
  W2: () => chain(100),
  W3: () => fan(1_000),
  W4: () => randomDag(10_000),
} as const;

/** What is measured by a subject's name. */
async function sampleOf(subject: string, name: string): Promise<Sample> {
  const workload = workloads[name];
  if (workload === undefined) throw new Error(`unknown workload "${name}"`);
  if (subject === "kernel") {
    const graph = graphs[name as keyof typeof graphs]();
    const kernel = createKernel();
    return repeat(workload.repetitions, () => measure(async () => foldGraph(kernel, graph)));
  }
  const open = subjects[subject];
  if (open === undefined) throw new Error(`unknown subject "${subject}"`);
  const bench = await open();
  const once = await workload.prepare(bench);
  const sample = await repeat(workload.repetitions, once);
  await bench.close();
  return sample;
}

const [subject = "", name = ""] = process.argv.slice(2);
process.stdout.write(`${JSON.stringify(await sampleOf(subject, name))}\n`);
