import { expect, test } from "vitest";
import { checkModel, checkPath, teamModel, type Counterexample, type SessionView } from "../../../src/testing/index.ts";
import { replay } from "../../../src/testing/replay.ts";

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
