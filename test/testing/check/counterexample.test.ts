import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { checkModel, checkPath, teamModel, type Counterexample, type SessionView } from "../../../src/testing/index.ts";
import { replay } from "../../../src/testing/replay.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { faultyKernel } from "./faulty-kernel.ts";

const chain = [{ name: "A" }, { name: "B", dependsOn: ["A"] }];
const neverFails = { "nobody fails": (state: SessionView) => state.members.every((member) => !member.is("failed")) };

function violationOf(options: Parameters<typeof checkModel>[1]): Counterexample {
  const { violation } = checkModel(teamModel({ members: chain }), options);
  if (violation === null) throw new Error("there is no violation");
  return violation;
}

test("a counterexample reads as a numbered sequence of messages, with the property and the state at the end", () => {
  const violation = violationOf({ always: neverFails, budgets: { outcomes: 1 } });
  expect(violation.toString().split("\n")).toEqual([
    "violated: nobody fails",
    "  it does not hold",
    "1. A fails  [A -> A: run.failed => failed]",
    "     A -> Lead: notice.member_failed",
    "     Team -> Team: team.judged",
    "     A -> Lead: notice.team_stalled",
    "then: Team stalled; A failed/parked; B blocked/parked",
  ]);
});

test("a counterexample is a recording that a replay folds to the same state", async () => {
  const violation = violationOf({ always: neverFails, budgets: { outcomes: 1 } });
  const { session, kernel, inputs, truncated } = await replay(violation.toRecording());
  expect(inputs).toBe(3 + violation.moves.length);
  expect(truncated?.problem).toBe("there is no result line");
  const [member] = session.members.values();
  expect(member && kernel.steppers.facts.member(member.snapshot).work).toBe("failed");
});

/** Runs a generated test with as much of vitest as it uses; resolves with what it wrote and whether it failed. */
async function runTest(text: string): Promise<{ failed: boolean; output: string }> {
  const folder = temporaryFolder();
  const stub = `export const test = (name, run) => { console.log(name); run(); };
      export const expect = (value) => ({ toBeNull: () => { if (value !== null) throw new Error(value); } });`;
  await writeFile(join(folder, "vitest.mjs"), stub);
  const source = new URL("../../../src/testing/index.ts", import.meta.url).href;
  const linked = text.replace('"teamchart/testing"', JSON.stringify(source)).replace('"vitest"', '"./vitest.mjs"');
  await writeFile(join(folder, "generated.test.mts"), linked);
  const run = promisify(execFile)(process.execPath, [
    "--conditions=@teamchart/source",
    join(folder, "generated.test.mts"),
  ]);
  try {
    const { stdout } = await run;
    return { failed: false, output: stdout };
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    return { failed: true, output: stdout + stderr };
  }
}

test("the test that it writes fails with the same violation", async () => {
  const violation = violationOf({
    always: { "no team stalls": ({ team }: SessionView) => !team.is("stalled") },
    budgets: { outcomes: 1 },
  });
  const { failed, output } = await runTest(violation.toTest());
  expect(failed).toBe(true);
  expect(output).toContain("violated: no team stalls");
  expect(output).toContain("1. A fails");
});

test("the test that it writes passes once the fault is gone", async () => {
  const model = teamModel({ members: chain, kernel: faultyKernel("startsEarly") });
  const violation = checkModel(model).violation;
  expect(violation?.property).toBe("G1 no member works before its upstreams completed");
  const { failed, output } = await runTest(violation?.toTest() ?? "");
  expect(output).toContain("G1 no member works");
  expect(failed).toBe(false);
});

test("what can never be made true again is written as a check of the whole model", () => {
  const violation = violationOf({
    alwaysPossible: { finish: ({ team }) => team.is("finished") },
    budgets: { outcomes: 1 },
  });
  expect(violation.toTest()).toContain("checkModel(model, {");
});

test("a path is walked by the names of its moves, and one that does not exist is refused", () => {
  const model = teamModel({ members: chain });
  expect(checkPath(model, ["A delivers", "B delivers"]).violation).toBeNull();
  expect(checkPath(model, ["A delivers", "A fails"].slice(0, 1), { always: neverFails }).violation).toBeNull();
  expect(() => checkPath(model, ["B delivers"])).toThrow(/not a path/);
});
