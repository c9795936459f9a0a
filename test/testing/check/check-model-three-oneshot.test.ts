import { expect, test } from "vitest";
import { check, expectPinned, oneOfEach, shapesOf, type Size } from "./pack.ts";

/**
 * G1 to G10 for every graph of three oneshot members and every pair of interventions, in every order: one of each kind and
 * two in all is every pair at once. The numbers are pinned: they tell a change of what can happen.
 */
const pinned: Readonly<Record<string, Size>> = {
  "A, B, C": [324103, 3385852],
  "A, B<-A, C": [142293, 1217408],
  "A, B<-A, C<-A": [36885, 314307],
  "A, B<-A, C<-B": [13433, 87323],
  "A, B, C<-A+B": [47442, 393998],
  "A, B<-A, C<-A+B": [15570, 99225],
};

test.each(shapesOf(3))(
  "three oneshot members, every pair of interventions: %s",
  (shape, members) => {
    const options = { budgets: oneOfEach, interventionsMax: 2 };
    expectPinned(check(`three oneshot: ${shape}`, { members, lifetimes: "oneshot" }, options), pinned[shape]);
  },
  600_000,
);

test("there are six graphs of three members", () => {
  expect(shapesOf(3)).toHaveLength(6);
});
