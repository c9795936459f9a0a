import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { jsonLines, teamchart } from "../support/teamchart.ts";
import { caseFaults, type Expectation } from "./expectation.ts";

const names = globSync("*.team.yaml", { cwd: import.meta.dirname })
  .map((file) => basename(file, ".team.yaml"))
  .toSorted();

test("there are cases", () => {
  expect(names.length).toBeGreaterThan(9);
});

test.each(names)("%s runs as its expectation says", async (name) => {
  const file = join(import.meta.dirname, name);
  const expected = JSON.parse(readFileSync(`${file}.expect.json`, "utf8")) as Expectation;
  const { code, stdout } = await teamchart(["run", `${file}.team.yaml`, "--json", "--bus", "memory"]);
  expect({ faults: caseFaults(expected, jsonLines(stdout)), code }).toEqual({ faults: [], code: expected.exit });
});

test("a case sees what falls short: a wrong value, a range, a pattern, an order, a member and a status", () => {
  const lines = [
    { type: "event", actor: "B", status: "completed" },
    { type: "event", actor: "A", status: "failed" },
    { type: "result", outcome: "failed", members: [{ name: "A", attempt: 3, reason: "no_report" }] },
  ];
  const expected: Expectation = {
    exit: 0,
    result: { outcome: "completed", members: { A: { attempt: { max: 2 }, reason: { matches: "^model" } } } },
    order: [["A", "failed", "B", "completed"]],
    absent: ["A"],
    never: [["A", "failed"]],
  };
  expect(caseFaults(expected, lines)).toHaveLength(6);
  expect(caseFaults({ exit: 0, error: { code: "cycle" } }, lines)).toHaveLength(1);
});
