import { availableParallelism, cpus, loadavg } from "node:os";
import type { Sample } from "./measure.ts";
import type { Measured } from "./workloads.ts";
import { workloads } from "./workloads.ts";

/** Medians over all processes of one subject in one workload. */
export interface Row {
  readonly workload: string;
  readonly subject: string;
  readonly unit: string;
  readonly cold: number;
  readonly warm: number;
  readonly warmCpuMs: number;
  readonly processes: number;
}

/** A row's figures as multiples of the control of the same run. */
export interface Ratios {
  readonly coldRatio: number | null;
  readonly warmRatio: number | null;
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/** What the samples of one subject say. */
export function factsOf(workload: string, subject: string, samples: readonly Sample[]): Row {
  const of = (read: (sample: Sample) => number) => median(samples.map(read));
  return {
    workload,
    subject,
    unit: workloads[workload]?.unit ?? "",
    cold: of(({ cold }) => cold.value),
    warm: of(({ warm }) => warm.value),
    warmCpuMs: of(({ warm }: { warm: Measured }) => warm.cpuMs),
    processes: samples.length,
  };
}

export function ratioOf(row: Row, rows: readonly Row[]): Ratios {
  const control = rows.find((each) => each.workload === row.workload && each.subject === "control");
  if (control === undefined) return { coldRatio: null, warmRatio: null };
  return { coldRatio: row.cold / control.cold, warmRatio: row.warm / control.warm };
}

/** What each figure must not exceed, and how it is read from the rows. */
interface Target {
  readonly name: string;
  readonly max: number;
  readonly unit: string;
  readonly read: (rows: readonly Row[]) => number | null;
}

const find = (rows: readonly Row[], workload: string, subject: string): Row | undefined =>
  rows.find((row) => row.workload === workload && row.subject === subject);

const warm = (rows: readonly Row[], workload: string, subject = "teamchart"): number | null =>
  find(rows, workload, subject)?.warm ?? null;

const quotient = (a: number | null, b: number | null): number | null => (a === null || b === null ? null : a / b);

const overControl =
  (workload: string): Target["read"] =>
  (rows) =>
    quotient(warm(rows, workload), warm(rows, workload, "control"));

const perMember = (rows: readonly Row[], members: number): number | null =>
  quotient(warm(rows, `dag${members}`), members);

const targets: readonly Target[] = [
  // 3.5 ms where bare promises take 0.12 ms.
  { name: "W2 warm, over the control", max: 29, unit: "x", read: overControl("W2") },
  { name: "W3 warm, over the control", max: 10, unit: "x", read: overControl("W3") },
  { name: "W4 warm, over the control", max: 10, unit: "x", read: overControl("W4") },
  {
    name: "W4 recorded into a file, over not recorded",
    max: 2,
    unit: "x",
    read: (rows) => quotient(warm(rows, "W4", "teamchart, recorded"), warm(rows, "W4")),
  },
  {
    name: "cost of a member at 4,000, over at 1,000",
    max: 1.3,
    unit: "x",
    read: (rows) => quotient(perMember(rows, 4_000), perMember(rows, 1_000)),
  },
  {
    name: "W6 heap of an idle member with its live actor",
    max: 2_500,
    unit: " bytes",
    read: (rows) => find(rows, "W6", "teamchart, live actors")?.cold ?? null,
  },
  {
    // Above liveActorsMax, or where nobody asks for actors.
    name: "W6 heap of an idle member without one",
    max: 600,
    unit: " bytes",
    read: (rows) => find(rows, "W6", "teamchart")?.cold ?? null,
  },
];

const notMeasured = `Not measured here: models and tools (members take no time), durable buses (W7, W1-W4 synced), the time that
live actors take, several processes or machines, and latency under load. "cold" is the
first repetition in a fresh process, compiler and all; "warm" the median of the later half of the repetitions. The
wall clock includes whatever else this machine did: compare ratios, not milliseconds.
`;

const figure = (value: number): string => (value >= 100 ? value.toFixed(0) : value.toPrecision(3));

/** The tables as text. */
export function reportText(rows: readonly Row[], { loadBefore }: { readonly loadBefore: number }): string {
  const ratio = (value: number | null) => (value === null ? "" : `${figure(value)}x`);
  const lines = rows.map((row) => {
    const { coldRatio, warmRatio } = ratioOf(row, rows);
    const { workload, subject, unit, cold, warm: warmed, warmCpuMs } = row;
    return `| ${workload} | ${subject} | ${unit} | ${figure(cold)} | ${ratio(coldRatio)} | ${figure(warmed)} | ${ratio(warmRatio)} | ${figure(warmCpuMs)} |`;
  });
  const judged = targets.flatMap(({ name, max, unit, read }) => {
    const value = read(rows);
    return value === null
      ? []
      : [`| ${name} | ${figure(value)}${unit} | <= ${max}${unit} | ${value <= max ? "met" : "MISSED"} |`];
  });
  return `${machineText(loadBefore)}, ${rows[0]?.processes ?? 0} processes each

| workload | subject | unit | cold | over control | warm | over control | warm cpu ms |
| --- | --- | --- | --- | --- | --- | --- | --- |
${lines.join("\n")}

| target | now | | |
| --- | --- | --- | --- |
${judged.join("\n")}

${notMeasured}`;
}

/** The machine, and how busy it was: the bench itself keeps about one processor busy, whatever is beyond that disturbs. */
function machineText(loadBefore: number): string {
  const processors = availableParallelism();
  const [loadAfter = Number.NaN] = loadavg();
  const isBusy = loadBefore > processors / 2 || loadAfter > processors;
  const load = `load average ${loadBefore.toFixed(1)} before, ${loadAfter.toFixed(1)} after`;
  const advice = isBusy ? " (TOO BUSY: quote none of these figures)" : "";
  return `Node ${process.version}, ${processors} of ${cpus()[0]?.model.trim() ?? "unknown processors"}, ${load}${advice}`;
}
