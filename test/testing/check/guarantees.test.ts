import { expect, test } from "vitest";
import { checkModel, teamModel } from "../../../src/testing/index.ts";
import { guarantees } from "../../../src/testing/check/guarantees.ts";
import { kernelWith } from "./mutants/machine-mutants.ts";

// What each of them catches: planted-faults.test.ts and mutants.test.ts.

test("the guarantees are G1 to G10, and G13 for task boards", () => {
  expect(guarantees.map(({ name }) => name.split(" ")[0])).toEqual([
    ...Array.from({ length: 10 }, (_, index) => `G${index + 1}`),
    "G13",
  ]);
});

test("without the guarantees a broken machine goes unnoticed", () => {
  const kernel = kernelWith("member.work.failed: drop entry announceFailed");
  const check = (options: { guarantees?: boolean }) =>
    checkModel(teamModel({ members: [{ name: "A" }], kernel }), { budgets: { outcomes: 1 }, ...options }).verdict;
  expect([check({}), check({ guarantees: false })]).toEqual(["violated", "holds"]);
});

test("what leads to the initial state is judged too", () => {
  const kernel = kernelWith("session.opened.unowned|owner.claimed|0: to session.opened.unowned");
  const { violation } = checkModel(teamModel({ members: [{ name: "A" }], kernel }));
  expect(violation).toMatchObject({
    moves: [],
    problem: "the session is unowned after owner.claimed, should be owned",
  });
  expect(violation?.toString()).toContain("in the initial state");
});
