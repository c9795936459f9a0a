import { afterAll, expect, test } from "vitest";
import { mergeCoverage, type Coverage } from "../../../src/testing/index.ts";
import { check, expectPinned } from "./pack.ts";
import { packSizes, smallCases } from "./pack-cases.ts";
import { transitionIds, uncoveredReasons, unrestedReasons } from "./uncovered.ts";

const covered: Coverage[] = [];

test.each(smallCases)(
  "%s",
  (what, model, options) => {
    const result = check(what, model, options);
    covered.push(result.coverage);
    expectPinned(result, packSizes[what]);
  },
  600_000,
);

test("every transition of the machines is taken, but for those that have a reason not to be", () => {
  const { uncovered } = mergeCoverage(covered, uncoveredReasons);
  expect(uncovered.map(({ id, guard }) => `${id} ${guard ?? ""}`)).toEqual([]);
});

test("no transition has a reason not to be taken and is taken all the same", () => {
  const { taken } = mergeCoverage(covered);
  expect(taken.filter((id) => Object.hasOwn(uncoveredReasons, id))).toEqual([]);
});

test("every declared state is rested in, but for those that are left within the input that enters them", () => {
  expect(mergeCoverage(covered).unreached).toEqual(Object.keys(unrestedReasons));
});

afterAll(() => {
  const { taken } = mergeCoverage(covered);
  const reasons = Object.keys(uncoveredReasons).length;
  process.stdout.write(
    `the pack takes ${taken.length} of ${transitionIds().length} transitions, ${reasons} have reasons\n`,
  );
});
