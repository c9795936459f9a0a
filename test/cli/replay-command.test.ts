import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { checkModel, teamModel } from "../../src/testing/index.ts";
import { inProcess } from "../support/in-process.ts";
import { jsonLines, teamchart } from "../support/teamchart.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/** Records a case with the command, and gives back the file. */
async function record(name: string): Promise<string> {
  const path = join(temporaryFolder(), "r.ndjson");
  const file = join(import.meta.dirname, "../cases", `${name}.team.yaml`);
  await teamchart(["run", file, "--record", path, "--session", "s"]);
  return path;
}

test("a recording of the command is true, and its end is told", async () => {
  const path = await record("failure-replan");
  const { code, stdout } = await teamchart(["replay", path]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^session s: \d+ lines and \d+ inputs are true\n/);
  expect(stdout).toMatch(/^cancelled {4}A {2}model_error: context_length/m);
  expect(stdout).toContain("result: completed");
});

test("--json prints the events of the run, then what was found", async () => {
  const path = await record("unknown-recipient");
  const lines = jsonLines((await teamchart(["replay", path, "--json"])).stdout);
  const recorded = jsonLines(readFileSync(path, "utf8")).filter(({ type }) => type === "event");
  expect(lines.slice(0, -1).map(({ seq, step }) => [seq, step])).toEqual(recorded.map(({ seq, step }) => [seq, step]));
  expect(lines.at(-1)).toMatchObject({ type: "replay", session: "s", truncated: null, status: { state: "completed" } });
});

test("a counterexample of the checker is replayed like any recording, up to the state that it ends in", async () => {
  const { violation } = checkModel(teamModel({ members: [{ name: "A" }] }), {
    always: { "nobody fails": (state) => state.members.every((member) => !member.is("failed")) },
    budgets: { outcomes: 1 },
  });
  const lines = violation?.toRecording() ?? [];
  const path = join(temporaryFolder(), "counterexample.ndjson");
  writeFileSync(path, `${lines.join("\n")}\n`);
  const { code, stdout, stderr } = await inProcess(["replay", path]);
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout).toMatch(/^session \S+: \d+ lines and \d+ inputs are true\n/);
  expect(stdout).toContain("a counterexample: its last step violates nobody fails\n  it does not hold\n");
  expect(stdout).toMatch(/^failed {7}A /m);
  // Its end is where the property is violated.
  expect(stdout).not.toContain("It has no end");
  const { stdout: json } = await inProcess(["replay", path, "--json"]);
  const violated = { property: "nobody fails", problem: "it does not hold" };
  expect(jsonLines(json).at(-1)).toMatchObject({ type: "replay", violation: violated });
});

test("--until tells how it stood then", async () => {
  const path = await record("diamond");
  const { stdout } = await teamchart(["replay", path, "--until", "10"]);
  expect(stdout).toContain("up to sequence 10");
  expect(stdout).toMatch(/^blocked {6}Reporter$/m);
  expect(stdout).toContain("team Auth review: running");
});

test("a changed recording ends with 1 and names the record", async () => {
  const path = await record("diamond");
  writeFileSync(path, readFileSync(path, "utf8").replace('"bytes":43', '"bytes":44'));
  const { code, stdout } = await teamchart(["replay", path, "--json"]);
  expect(code).toBe(1);
  expect(jsonLines(stdout)).toEqual([
    expect.objectContaining({
      type: "error",
      code: "replay_mismatch",
      data: expect.objectContaining({ record: expect.any(Number) }),
    }),
  ]);
});

test("a recording that was cut off is true as far as it goes", async () => {
  const path = await record("diamond");
  writeFileSync(path, readFileSync(path, "utf8").split("\n").slice(0, 20).join("\n"));
  const { code, stdout } = await teamchart(["replay", path]);
  expect(code).toBe(0);
  expect(stdout).toContain("It has no end");
});

test("the recording of a refused file ends with its error", async () => {
  const { code, stdout } = await teamchart(["replay", await record("cycle")]);
  expect(code).toBe(0);
  expect(stdout).toContain("ended by cycle: the dependencies form a cycle");
});
