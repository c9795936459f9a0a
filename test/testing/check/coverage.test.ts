import { expect, test } from "vitest";
import { checkModel, mergeCoverage, teamModel } from "../../../src/testing/index.ts";

const model = teamModel({ members: [{ name: "A" }] });

test("a transition that was never taken is listed with its guard and target, unless it is allowed", () => {
  const id = "team.active|team.dissolve|1";
  const find = (allow: Record<string, string>) =>
    checkModel(model, { allow }).coverage.uncovered.find((each) => each.id === id);
  expect(find({})).toMatchObject({
    source: "team.active",
    event: "team.dissolve",
    targets: ["team.dissolving.forcing"],
  });
  expect(find({ [id]: "nobody dissolves here" })).toBeUndefined();
});

test("allowing a transition that no machine has is a mistake", () => {
  expect(() => checkModel(model, { allow: { "team.active|team.dissolved|7": "?" } })).toThrow(
    expect.objectContaining({
      code: "bad_input",
      message: expect.stringMatching(/no machine has .*; did you mean team\./),
    }),
  );
});

test("several runs together cover what each of them covers", () => {
  const [plain, dissolved] = [{}, { dissolve: 1 }].map((budgets) => checkModel(model, { budgets }).coverage);
  if (plain === undefined || dissolved === undefined) throw new Error("two runs have two coverages");
  const merged = mergeCoverage([plain, dissolved]);
  expect(merged.taken).toEqual([...new Set([...plain.taken, ...dissolved.taken])].toSorted());
  expect(merged.reached).toContain("team.dissolved.dissolved");
  expect(plain.unreached).toContain("team.dissolved.dissolved");
});
