import { expect, test } from "vitest";
import { check, expectPinned, oneOfEach, shapesOf, type Size } from "./pack.ts";

/**
 * G1 to G10 for every graph of three oneshot members and every pair of interventions, in every order: one of each kind and
 * two in all is every pair at once. The numbers are pinned: they tell a change of what can happen.
 */
const pinned: Readonly<Record<string, Size>> = {
  "A, B, C": [300941, 3173248],
  "A, B<-A, C": [132608, 1150591],
  "A, B<-A, C<-A": [33865, 293143],
  "A, B<-A, C<-B": [12655, 83788],
  "A, B, C<-A+B": [44683, 376376],
  "A, B<-A, C<-A+B": [14705, 95462],
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
