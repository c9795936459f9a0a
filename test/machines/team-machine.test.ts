import { describe, expect, test } from "vitest";
import { createKernel, type TeamEvent } from "../../src/machines/index.ts";
import { teamContext } from "../../src/machines/team-machine.ts";
import type { TeamSnapshot } from "../../src/machines/kernel/state.ts";
import { allOrders } from "./all-orders.ts";
import { teamEvents } from "./team-events.ts";

const stepper = createKernel().steppers.team;
const keyOf = ({ value, context }: TeamSnapshot): string => JSON.stringify([value, context]);
const orders = (onStep: (before: TeamSnapshot, event: TeamEvent, after: TeamSnapshot) => void = () => {}) =>
  allOrders(stepper, stepper.initial(teamContext), teamEvents, keyOf, onStep);
const top = ({ value }: TeamSnapshot): string => (typeof value === "string" ? value : (Object.keys(value)[0] ?? ""));
/** `orders` for its steps: the callback holds the claims. */
const expectEveryStep = (...args: Parameters<typeof orders>): void => void orders(...args);

describe("a team, in any order of any events", () => {
  test("has exactly the states it is known to have", () => {
    expect(orders().length).toBe(14);
  });

  test("G7: goes forming, active, dissolving, dissolved, and never back", () => {
    const order = ["forming", "active", "dissolving", "dissolved"];
    expectEveryStep((before, _event, after) => {
      if (top(after) === "rejected") expect(top(before)).toMatch(/forming|rejected/);
      else expect(order.indexOf(top(after))).toBeGreaterThanOrEqual(order.indexOf(top(before)));
    });
  });

  test("G7: after the end nothing changes", () => {
    expectEveryStep((before, event, after) => {
      if (top(before) === "dissolved" || top(before) === "rejected") expect([event, after]).toEqual([event, before]);
    });
  });

  test("ends with the outcome that was judged when the dissolve was accepted", () => {
    expectEveryStep((before, event, after) => {
      if (event.type === "team.emptied" && top(before) === "dissolving")
        expect(after.value).toEqual({ dissolved: before.context.outcome });
      if (top(before) === "dissolving") expect(after.context.outcome).toBe(before.context.outcome);
    });
  });

  test("forces everybody when the grace period is over, and at once on abort", () => {
    expectEveryStep((before, event, after) => {
      const forces = event.type === "grace.expired" || (event.type === "team.dissolve" && event.mode === "abort");
      if (forces && top(before) === "dissolving") expect(after.value).toEqual({ dissolving: "forcing" });
    });
  });
});
