import { afterAll, expect, test } from "vitest";
import { mergeCoverage, type Coverage } from "../../../src/testing/index.ts";
import { check, expectPinned, type Size } from "./pack.ts";
import { packCases } from "./pack-cases.ts";
import { transitionIds, uncoveredReasons, unrestedReasons } from "./uncovered.ts";

const pinned: Readonly<Record<string, Size>> = {
  "two oneshot: A, B": [100029, 1325578],
  "two persistent: A, B": [57422, 615660],
  "two oneshot: A, B<-A": [16725, 187251],
  "two persistent: A, B<-A": [68334, 675348],
  "fan-in of five": [26717, 858857],
  "diamond of five": [5112, 153552],
  "fan-in of five persistent": [1993, 59832],
  "diamond of five persistent": [766, 21442],
  "hosted lead": [23190, 189011],
  "hosted lead, two calls": [4311, 26372],
  "hosted lead, lost runs": [4412, 26765],
  "hosted lead, chain": [5866, 28629],
  plan: [1469, 12477],
  "plan, two calls": [5479, 41076],
  "two calls": [7185, 91326],
  "two calls that wait": [499, 2807],
  "two calls, persistent": [10282, 61964],
  "cancel downstream": [3695, 27180],
  "skip the failed": [7660, 47630],
  "lost runs": [10799, 82701],
  "two replans": [80760, 570239],
  "two dissolves": [2233, 18135],
};
const covered: Coverage[] = [];

test.each(packCases)(
  "%s",
  (what, model, options) => {
    const result = check(what, model, options);
    covered.push(result.coverage);
    expectPinned(result, pinned[what]);
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
