import { expect, test } from "vitest";
import { checkModel, teamModel } from "../../../src/testing/index.ts";

const model = teamModel({ members: [{ name: "A" }] });
const size = String.raw`\d+ states, \d+ transitions, depth \d+, \d+\.\d s`;

test("a check that holds says so, and how much was looked at", () => {
  const result = checkModel(model);
  expect(String(result)).toMatch(new RegExp(`^holds: ${size}$`));
  expect(String(result)).toContain(`${result.states} states, ${result.transitions} transitions, depth ${result.depth}`);
});

test("a violated check shows its counterexample, the property first", () => {
  const result = checkModel(model, { always: { "A never ends": ({ team }) => team.is("running") } });
  expect(String(result)).toMatch(new RegExp(`^violated: A never ends\n.*\n1\\. A delivers[^]*\nfound in ${size}$`));
});

test("a check names what is never true", () => {
  const result = checkModel(model, { sometimes: { dissolved: ({ team }) => team.is("dissolved") } });
  expect(String(result)).toMatch(new RegExp(`^violated: never true: dissolved\nin ${size}$`));
});

test("a check that was cut short says by what, and what was not met so far", () => {
  const sometimes = { dissolved: ({ team }: { team: { is(state: "dissolved"): boolean } }) => team.is("dissolved") };
  const result = checkModel(model, { limits: { depthMax: 1 }, sometimes });
  expect(String(result)).toMatch(
    new RegExp(`^inconclusive \\(cut short by depthMax\\): ${size}\nnot true so far: dissolved$`),
  );
});

test("walks say that they prove nothing, and name a limit that ended them early", () => {
  expect(String(checkModel(model, { strategy: "walk", walks: 3 }))).toMatch(
    new RegExp(`^inconclusive \\(only walks were made, which prove nothing\\): ${size}$`),
  );
  const wide = { strategy: "walk", walks: 1_000_000, limits: { ms: 1 } } as const;
  expect(String(checkModel(model, wide))).toMatch(/^inconclusive \(cut short by ms\): /);
});
