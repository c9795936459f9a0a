import { expect, test } from "vitest";
import { budgetKinds, checkModel, teamModel } from "../../../src/testing/index.ts";
import { kernelWith } from "./mutants/machine-mutants.ts";

const oneOfEach = Object.fromEntries(budgetKinds.map((kind) => [kind, 1]));
const wide = Array.from({ length: 100 }, (_, index) => ({
  name: `M${index}`,
  dependsOn: index < 10 ? [] : [`M${index % 10}`],
}));

test("walks with the same seed are the same, and others are not", () => {
  const walk = (seed: number) => {
    const { seconds: _seconds, ...rest } = checkModel(teamModel({ members: wide.slice(0, 15) }), {
      strategy: "walk",
      walks: 5,
      seed,
      budgets: oneOfEach,
    });
    return JSON.parse(JSON.stringify(rest)) as Pick<typeof rest, "states" | "transitions">;
  };
  const [first, again, other] = [walk(7), walk(7), walk(8)];
  expect(first).toEqual(again);
  expect(first.transitions).toBeGreaterThan(0);
  expect([first.states, first.transitions]).not.toEqual([other.states, other.transitions]);
});

test("walks without a violation prove nothing", () => {
  const result = checkModel(teamModel({ members: wide }), { strategy: "walk", walks: 3, budgets: oneOfEach });
  expect(result).toMatchObject({ verdict: "inconclusive", violation: null, limitsHit: ["walks"] });
});

test("a violation that walks find is told without the moves that it does not need", () => {
  const kernel = kernelWith("member.work.failed: drop entry announceFailed");
  const model = teamModel({ members: wide.slice(0, 20), kernel });
  const { verdict, violation } = checkModel(model, { strategy: "walk", walks: 50, budgets: oneOfEach });
  expect(verdict).toBe("violated");
  expect(violation?.moves.length).toBeLessThanOrEqual(5);
  expect(violation?.property.split(" ")[0]).toBe("G5");
});

test("a walk without an end is ended by its time", () => {
  const model = teamModel({ members: [{ name: "A", lifetime: "persistent" }], journals: true });
  const limits = { ms: 0, depthMax: 1_000_000 };
  const { transitions, limitsHit } = checkModel(model, {
    strategy: "walk",
    walks: 1,
    budgets: { message: 1_000_000 },
    limits,
  });
  expect(transitions).toBeLessThanOrEqual(256);
  expect(limitsHit).toEqual(["ms", "walks"]);
});
