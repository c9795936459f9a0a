import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { replay } from "../../src/testing/index.ts";
import { RecordingFold } from "../../src/testing/recording-fold.ts";
import { rejection } from "../support/sessions.ts";
import { kernelWith } from "./check/mutants/machine-mutants.ts";

const folder = join(import.meta.dirname, "../fixtures/recordings");
const recordings = readdirSync(folder).filter((name) => name.endsWith(".ndjson"));

const linesOf = (name: string): readonly string[] =>
  readFileSync(join(folder, name), "utf8").split("\n").filter(Boolean);

test("there is a recording of a release", () => {
  expect(recordings).not.toEqual([]);
});

test.each(recordings)(
  "the recording %s is folded as that release did, or refused for its machines, never guessed",
  async (name) => {
    const replayed = await replay(join(folder, name)).catch((error: unknown) => error);
    const { machines } = JSON.parse(linesOf(name)[0] ?? "{}") as { machines: Record<string, string> };
    expect(Object.keys(machines).toSorted()).toEqual(["lead", "member", "session", "team"]);
    if (replayed instanceof Error) expect(replayed).toMatchObject({ code: "machine_version" });
    else expect(replayed).toMatchObject({ truncated: null, result: { outcome: "completed", answer: "done" } });
  },
);

test.each([
  ["member.work.in_progress|step.ended|0: negate guard", "step.ended"],
  ["team.active|team.judged|0: negate guard", "step.ended"],
])("a changed guard (%s) is shown by the record that it makes another one of", async (id, type) => {
  const lines = linesOf("0.1.0.ndjson");
  const fold = new RecordingFold(Infinity, null, kernelWith(id));
  const error = await rejection(
    (async () => {
      for (const line of lines) fold.take(line);
    })(),
  );
  expect(error).toMatchObject({ code: "replay_mismatch", data: { record: expect.any(Number) } });
  const { record } = (error as { data: { record: number } }).data;
  expect(JSON.parse(lines[record] ?? "{}")).toMatchObject({ event: { type } });
  // What stood before it is folded alike, so this is the way to the change.
  const before = new RecordingFold(Infinity, null, kernelWith(id));
  for (const line of lines.slice(0, record)) before.take(line);
  expect(before.finish().lines).toBe(record);
});
