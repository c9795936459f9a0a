import { toCheckpoint, type FactReader, type KernelRecord } from "teamchart/machines";
import type { Timeline } from "./timeline.ts";

/** Inputs that one case holds; a longer trace is told to be cut by its recording. */
const inputsMax = 5_000;

/** A trace as a vitest case, or why there is none. */
export type TraceCase = { readonly text: string } | { readonly problem: string };

/**
 * The inputs up to the place that is shown, as a vitest case: it folds them with `teamchart/machines` alone and expects the
 * states that are shown. Bodies are not in it, only their digests.
 */
export function traceCase(timeline: Timeline, name: string): TraceCase {
  const { position, current, base, kernel } = timeline;
  if (position > inputsMax)
    return {
      problem: `A case holds at most ${inputsMax} inputs, and here are ${position}. Go back on the timeline, or export the recording.`,
    };
  const records = timeline.entries.slice(0, position).map(({ record }) => record);
  const title = `${name}, up to sequence ${current.seq}`;
  const start = base.seq === 0 ? "kernel.create()" : `fromCheckpoint(${JSON.stringify(toCheckpoint(base))}, kernel)`;
  const imports = base.seq === 0 ? "createKernel" : "createKernel, fromCheckpoint";
  return {
    text: [
      `import { ${imports}, type KernelRecord } from "teamchart/machines";`,
      `import { expect, test } from "vitest";`,
      ``,
      `const records: KernelRecord[] = [`,
      ...records.map((record) => `  ${recordText(record)},`),
      `];`,
      ``,
      `test(${JSON.stringify(title)}, () => {`,
      `  const kernel = createKernel();`,
      `  const session = ${start};`,
      `  for (const record of records) kernel.apply(session, record);`,
      `  const states = [...session.members.values()].map((member) => [member.name, kernel.steppers.facts.member(member.snapshot).work]);`,
      `  expect(states).toEqual(${JSON.stringify(statesOf(timeline, kernel.steppers.facts))});`,
      `  expect(session.lead.snapshot.value).toEqual(${JSON.stringify(current.lead.snapshot.value)});`,
      `  expect(session.team?.snapshot.value ?? null).toEqual(${JSON.stringify(current.team?.snapshot.value ?? null)});`,
      `});`,
      ``,
    ].join("\n"),
  };
}

const recordText = (record: KernelRecord): string => JSON.stringify(record);

const statesOf = ({ current }: Timeline, facts: FactReader): readonly (readonly [string, string])[] =>
  [...current.members.values()].map((member) => [member.name, facts.member(member.snapshot).work]);
