import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { faultKinds, replay, simulate } from "../../../src/testing/index.ts";
import { importsOf } from "../../repository/checks/imports.ts";
import { rejection } from "../../support/sessions.ts";

/** Seeds of which each has a session of its own. */
const seeds = Array.from({ length: 300 }, (_, index) => index + 1);

const faults = new Map<string, number>();
const states = new Set<string>();

test("300 simulated sessions hold, whatever happens to them", async () => {
  const violated: string[] = [];
  for (const seed of seeds) {
    const result = await simulate({ seed });
    states.add(result.state);
    for (const [fault, count] of result.faults) faults.set(fault, (faults.get(fault) ?? 0) + count);
    if (result.verdict === "violated") violated.push(String(result));
  }
  expect(violated).toEqual([]);
});

test("among them every fault came, and teams of every end", () => {
  expect([...faults.keys()].toSorted()).toEqual([
    "crash",
    "dropped",
    "duplicate",
    "freeze",
    "handover",
    "interruption",
    "lost",
    "lost lease",
    "lost run",
    "slow",
    "unconfirmed",
  ]);
  expect([...states]).toEqual(expect.arrayContaining(["completed", "dissolved", "failed", "finished"]));
});

test.each([3, 12, 57, 131])("seed %i gives the same trace again, byte by byte", async (seed) => {
  const [one, other] = [await simulate({ seed }), await simulate({ seed })];
  expect(other.trace.join("\n")).toBe(one.trace.join("\n"));
  expect(other.hash).toBe(one.hash);
  expect((await simulate({ seed: seed + 1 })).hash).not.toBe(one.hash);
});

test("a recording of it is folded to the same session", async () => {
  const result = await simulate({ seed: 57 });
  const { inputs, truncated } = await replay(result.toRecording());
  expect(inputs).toBe(result.inputs);
  expect(truncated?.problem).toBe("there is no result line");
});

test("only the faults that are asked for come", async () => {
  for (const seed of seeds.slice(0, 10)) {
    expect((await simulate({ seed, faults: [] })).faults).toEqual(new Map());
    const { faults: came } = await simulate({ seed, faults: ["duplicate"] });
    expect([...came.keys()].filter((fault) => fault !== "duplicate")).toEqual([]);
  }
});

test.each([
  [{}, "simulate.seed", "a whole number"],
  [{ seed: 0.5 }, "simulate.seed", "not 0.5"],
  [{ seed: 1, fault: [] }, "simulate.fault", "did you mean faults"],
  [{ seed: 1, faults: ["crashes"] }, "simulate.faults", faultKinds.join(", ")],
  [{ seed: 1, faults: "crash" }, "simulate.faults", "give a list"],
])("%j is refused", async (options, what, problem) => {
  const error = await rejection(simulate(options as never));
  expect(error).toMatchObject({ code: "bad_input", data: { what } });
  expect(String(error)).toContain(problem);
});

test("the oracle has at most 150 lines and knows nothing of machines", () => {
  const path = "src/testing/simulate/oracle.ts";
  const text = readFileSync(path, "utf8");
  expect(text.split("\n").length - 1).toBeLessThanOrEqual(150);
  const imported = importsOf({ path, text }).map(({ specifier }) => specifier);
  expect(new Set(imported)).toEqual(new Set(["../../protocol/recording.ts", "./evidence.ts"]));
});
