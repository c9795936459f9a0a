import { expect, test } from "vitest";
import { createMachine } from "xstate";
import {
  checkMachine,
  checkMatchers,
  checkModel,
  teamModel,
  type CheckMatchers,
  type CheckResult,
} from "../../../src/testing/index.ts";

expect.extend(checkMatchers);

declare module "vitest" {
  interface Matchers<R extends void | Promise<void> = void | Promise<void>, T = unknown> extends CheckMatchers<R> {}
}

const model = teamModel({ members: [{ name: "A" }] });

test("toHold passes where everything was explored and nothing is wrong", () => {
  expect(checkModel(model)).toHold();
});

test("toHold fails with the counterexample", () => {
  const result = checkModel(model, { always: { "A never ends": ({ team }) => team.is("running") } });
  expect(() => expect(result).toHold()).toThrow(/violated: A never ends[^]*1\. A delivers/);
});

test("toHold fails for a search that was cut short, and says by what", () => {
  const result = checkModel(model, { limits: { depthMax: 1 } });
  expect(() => expect(result).toHold()).toThrow(/inconclusive \(cut short by depthMax\): \d+ states/);
});

test("toHold fails for what is never true, and names it", () => {
  const result = checkModel(model, { sometimes: { dissolved: ({ team }) => team.is("dissolved") } });
  expect(() => expect(result).toHold()).toThrow("never true: dissolved");
});

test("toCover fails with the transitions that were never taken, but for those that are allowed", () => {
  const result = checkModel(model);
  expect(() => expect(result).toCover()).toThrow(/never taken:[^]*team\.active\|team\.dissolve\|0/);
  expect(result).toCover(Object.fromEntries(result.coverage.uncovered.map(({ id }) => [id, "not asked for"])));
});

test("toHold and toCover work for a single machine too, and print what was found", () => {
  const machine = createMachine({
    id: "m",
    initial: "a",
    states: { a: { on: { GO: ["b", "a"] } }, b: { on: { GO: "a" } } },
  });
  const allow = { "m.a|GO|1": "kept" };
  expect(() => expect(checkMachine(machine)).toHold()).toThrow(
    /violated: machine "m"[^]*dead transitions:\n {2}m\.a\|GO\|1/,
  );
  expect(() => expect(checkMachine(machine)).toCover()).toThrow(/never taken:[^]*m\.a\|GO\|1/);
  expect(checkMachine(machine, { allow })).toHold();
  expect(checkMachine(machine, { allow })).toCover();
  expect(checkMachine(machine)).toCover(allow);
});

test("toCover of one machine asks for its transitions alone, and for a machine that there is", () => {
  const { coverage } = checkModel(model);
  const ofTeam = coverage.uncovered.filter(({ id }) => id.startsWith("team"));
  expect(ofTeam.length).toBeGreaterThan(0);
  expect(() => expect({ coverage }).toCover({}, "team")).toThrow(/^never taken:\nteam[^]*$/);
  expect(() => expect({ coverage }).toCover({}, "team")).not.toThrow(/member/);
  expect({ coverage }).toCover(Object.fromEntries(ofTeam.map(({ id }) => [id, "not asked for"])), "team");
  expect(() => expect({ coverage }).toCover({}, "tea")).toThrow(/no machine is called "tea"; there are .*team/);
});

test.each([undefined, null, {}, Promise.resolve()])(
  "what no check gave neither holds nor covers: %s",
  (given: unknown) => {
    const refused = expect.objectContaining({ code: "bad_input" });
    expect(() => checkMatchers.toHold(given as CheckResult)).toThrow(refused);
    expect(() => checkMatchers.toCover(given as CheckResult)).toThrow(refused);
  },
);
