import { expect, test } from "vitest";
import { check, expectPinned, oneOfEach, shapesOf, type Size } from "./pack.ts";

/**
 * G1 to G10 for every graph of three persistent members and every pair of interventions, in every order: one of each kind and
 * two in all is every pair at once. The numbers are pinned: they tell a change of what can happen.
 */
const pinned: Readonly<Record<string, Size>> = {
  "A, B, C": [71154, 625870],
  "A, B<-A, C": [187892, 1517167],
  "A, B<-A, C<-A": [92621, 749451],
  "A, B<-A, C<-B": [82872, 644359],
  "A, B, C<-A+B": [46363, 362678],
  "A, B<-A, C<-A+B": [84444, 652200],
};

test.each(shapesOf(3))(
  "three persistent members, every pair of interventions: %s",
  (shape, members) => {
    const options = { budgets: oneOfEach, interventionsMax: 2 };
    expectPinned(check(`three persistent: ${shape}`, { members, lifetimes: "persistent" }, options), pinned[shape]);
  },
  600_000,
);

test("there are six graphs of three members", () => {
  expect(shapesOf(3)).toHaveLength(6);
});
