import { expect, test } from "vitest";
import { check, expectPinned } from "./pack.ts";
import { packSizes, twoMemberCases } from "./pack-cases.ts";

/** G1 to G10 for both graphs of two members and every triple of interventions, in every order. */
test.each(twoMemberCases)(
  "%s",
  (what, model, options) => {
    expectPinned(check(what, model, options), packSizes[what]);
  },
  600_000,
);

test("there are two graphs of two members, each checked oneshot and persistent", () => {
  expect(twoMemberCases).toHaveLength(4);
});
