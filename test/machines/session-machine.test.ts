import { expect, test } from "vitest";
import { createKernel } from "../../src/machines/index.ts";
import { allOrders } from "./all-orders.ts";
import { sessionEvents } from "./session-events.ts";

const stepper = createKernel().steppers.session;

test("a session has four states in any order of any events, and closed is final", () => {
  const states = allOrders(
    stepper,
    stepper.initial({}),
    sessionEvents,
    ({ value }) => JSON.stringify(value),
    (before, _event, after) => {
      if (before.value === "closed") expect(after.value).toBe("closed");
    },
  );
  expect(states.map(({ value }) => value)).toEqual(["unopened", { opened: "unowned" }, { opened: "owned" }, "closed"]);
});

test("every claim announces the owner, a claim over a claim too", () => {
  const opened = stepper.step(stepper.initial({}), { type: "session.opened" }).next;
  const owned = stepper.step(opened, { type: "owner.claimed" });
  expect(owned.effects).toEqual(["announceOwner"]);
  expect(stepper.step(owned.next, { type: "owner.claimed" }).effects).toEqual(["announceOwner"]);
});
