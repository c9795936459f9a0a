import { expect, test } from "vitest";
import { kindsOf, planNext, type PlanOptions } from "../../../src/cli/check/plan-stages.ts";
import type { Stage, StageDone, StageResult } from "../../../src/cli/check/stage.ts";
import { checkModel, dagShapes, teamModel } from "../../../src/testing/index.ts";

const plain: PlanOptions = {
  members: 3,
  hasBoard: false,
  persistent: 0,
  isHosted: false,
  deep: false,
  interventionsMax: 10,
  transitionsMax: 1_000_000,
};

const result = (transitions: number, verdict: StageResult["verdict"] = "holds"): StageResult => ({
  verdict,
  states: transitions,
  transitions,
  depth: 1,
  seconds: 1,
  limitsHit: [],
  taken: [],
  reached: [],
  violation: null,
});

/** Plans until nothing is left; `sizes` says how large a stage is. */
function planAll(
  options: PlanOptions,
  sizes: (stage: Stage) => StageResult,
): { names: string[]; left: readonly string[] } {
  const done: StageDone[] = [];
  for (;;) {
    const { next, left } = planNext(done, options);
    if (next === null) return { names: done.map(({ stage }) => stage.name), left };
    done.push({ stage: next, result: sizes(next) });
  }
}

test("a small team is looked at with one more intervention each time", () => {
  const { names, left } = planAll(plain, ({ interventions }) => result(10 * 8 ** (interventions ?? 0)));
  expect(names).toEqual(["nothing", "any one", "any two", "any three"]);
  expect(left).toEqual([]);
});

test("where all kinds together would be too much, those that fit are looked at alone and the others are named", () => {
  const { names, left } = planAll(plain, ({ interventions }) => result(interventions === 0 ? 60_000 : 100_000));
  expect(names[0]).toBe("nothing");
  expect(names).toContain("one timer");
  expect(names).not.toContain("one message");
  expect(left).toContain("one message");
  expect(left).toContain("any two");
});

test("a first stage that has no end is followed by walks, and by nothing else", () => {
  const sizes = (): StageResult => result(1_000, "inconclusive");
  expect(planAll({ ...plain, members: 40 }, sizes).names).toEqual(["nothing", "500 walks"]);
});

test("nobody interferes with walks of a team in which everybody could write to hundreds", () => {
  const done = [{ stage: planNext([], { ...plain, members: 500 }).next as Stage, result: result(1, "inconclusive") }];
  expect(planNext(done, { ...plain, members: 500 }).next?.options).toMatchObject({
    strategy: "walk",
    walks: 40,
    budgets: {},
  });
});

test("deep goes on to all interventions together, whatever that takes, or as far as it may", () => {
  const names = (interventionsMax: number) =>
    planAll({ ...plain, deep: true, interventionsMax }, () => result(10_000_000)).names;
  expect(names(kindsOf(false).length)).toEqual(["nothing", "any one", "any two", "any three", "each once"]);
  expect(names(2)).toEqual(["nothing", "any one", "any two"]);
});

test("nothing follows a violated stage", () => {
  expect(planAll(plain, () => result(10, "violated")).names).toEqual(["nothing"]);
});

test.each(
  dagShapes(3)
    .slice(2)
    .map((members, index) => [index, members] as const),
)("what is begun for shape %d of three members takes no more than it may", (_index, members) => {
  for (const lifetimes of ["oneshot", "persistent"] as const) {
    const model = teamModel({ members, lifetimes });
    const persistent = lifetimes === "persistent" ? members.length : 0;
    const options = { ...plain, persistent, transitionsMax: 40_000 };
    let spent = 0;
    const { names } = planAll(options, (stage) => {
      const checked = checkModel(model, stage.options);
      spent += checked.transitions;
      return { ...result(checked.transitions), states: checked.states };
    });
    expect(names.length).toBeGreaterThan(1);
    expect(spent).toBeLessThanOrEqual(options.transitionsMax);
  }
});

test("a message that may wake five persistent members is not begun, and all else is", () => {
  const five = { ...plain, members: 5, persistent: 5 };
  // What one message makes of two such teams was counted: 0.8 and 4.9 million transitions.
  const sizes = (first: number) => (stage: Stage) => result(stage.interventions === 0 ? first : 5 * first);
  expect(planAll(five, sizes(35)).names).toContain("any one");
  const { names, left } = planAll(five, sizes(910));
  expect(left).toEqual(["one message", "any two"]);
  expect(names).toHaveLength(kindsOf(false).length);
});

test("a permission is not begun where a hosted lead, who may ask too, makes too much of it", () => {
  // Counted for five oneshot members in a fan: 96,290 transitions, and 1,375,421 with one permission.
  const five = { ...plain, members: 5, isHosted: true };
  const { names, left } = planAll(five, ({ interventions }) => result(interventions === 0 ? 96_290 : 150_000));
  expect([names.includes("one permission"), left.includes("one permission")]).toEqual([false, true]);
});

test("every kind of intervention is planned for", () => {
  const { names, left } = planAll({ ...plain, hasBoard: true, transitionsMax: 1_000 }, ({ kind }) =>
    result(kind === null ? 10 : 1),
  );
  const seen = [...names, ...left].filter((name) => name.startsWith("one "));
  expect(seen.toSorted()).toEqual(
    kindsOf(true)
      .map((kind) => `one ${kind}`)
      .toSorted(),
  );
});

test("without a task board nothing is planned for what is done to tasks", () => {
  const { names, left } = planAll({ ...plain, transitionsMax: 1_000 }, ({ kind }) => result(kind === null ? 10 : 1));
  expect([...names, ...left]).not.toContain("one task");
});
