import { expect, test } from "vitest";
import { checkModel, checkPath, teamModel, type CheckOptions } from "../../../src/testing/index.ts";

const model = teamModel({ members: [{ name: "A" }] });

/** Options as no type would let them pass. */
const check = (options: unknown) => checkModel(model, options as CheckOptions);

test.each([
  [null, "options", "not null"],
  [{ budget: { outcomes: 1 } }, "options.budget", "did you mean budgets?"],
  [{ alway: { x: () => false } }, "options.alway", "did you mean always?"],
  [{ always: () => false }, "options.always", "not a function"],
  [{ always: [() => false] }, "options.always", "not a list"],
  [{ quiescent: { x: true } }, "options.quiescent.x", "a property is a function"],
  [{ sometimes: { x: undefined } }, "options.sometimes.x", "a property is a function"],
  [{ budgets: 3 }, "options.budgets", "not 3"],
  [{ budgets: { mesage: 1 } }, "options.budgets.mesage", "did you mean message?"],
  [{ budgets: { outcomes: -1 } }, "options.budgets.outcomes", "not -1"],
  [{ budgets: { outcomes: 0.5 } }, "options.budgets.outcomes", "not 0.5"],
  [{ budgets: { outcomes: NaN } }, "options.budgets.outcomes", "not NaN"],
  [{ budgets: { outcomes: "1" } }, "options.budgets.outcomes", 'not "1"'],
  [{ interventionsMax: -1 }, "options.interventionsMax", "not -1"],
  [{ limits: { states: 1 } }, "options.limits.states", "known are statesMax, depthMax, ms"],
  [{ limits: { ms: NaN } }, "options.limits.ms", "not NaN"],
  [{ limits: { depthMax: "9" } }, "options.limits.depthMax", 'not "9"'],
  [{ limits: { depthMax: 2.5 } }, "options.limits.depthMax", "not 2.5"],
  [{ limits: { statesMax: 0 } }, "options.limits.statesMax", "from 1 on, not 0"],
  [{ walks: 0 }, "options.walks", "from 1 on, not 0"],
  [{ strategy: "wlak" }, "options.strategy", 'not "wlak"'],
  [{ walks: 1.5 }, "options.walks", "not 1.5"],
  [{ seed: NaN }, "options.seed", "not NaN"],
  [{ symmetry: "no" }, "options.symmetry", 'not "no"'],
  [{ guarantees: 0 }, "options.guarantees", "not 0"],
  [{ ghost: { next: () => 0 } }, "options.ghost.initial", "remembered at first"],
  [{ ghost: { initial: 0 } }, "options.ghost.next", "not undefined"],
  [{ onProgress: 1 }, "options.onProgress", "not 1"],
  [{ allow: { "member.gone": 1 } }, "options.allow.member.gone", "the reason"],
])("options that can't be used are refused: %j", (options, what, problem) => {
  expect(() => check(options)).toThrow(
    expect.objectContaining({ code: "bad_input", data: { what, problem: expect.stringContaining(problem) as string } }),
  );
});

test("a path refuses the same options", () => {
  const misspelt = { alwys: { x: () => false } } as object;
  expect(() => checkPath(model, [], misspelt)).toThrow(expect.objectContaining({ code: "bad_input" }));
});

test("budgets and limits without an end, and those left open, are taken", () => {
  const limits = { ms: Infinity, statesMax: undefined };
  expect(check({ budgets: { timer: Infinity, outcomes: undefined }, limits }).verdict).toBe("holds");
});
