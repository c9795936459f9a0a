import { describe, expect, test } from "vitest";
import { createKernel, type LeadEvent } from "../../src/machines/index.ts";
import { leadContext } from "../../src/machines/lead-machine.ts";
import type { LeadSnapshot } from "../../src/machines/kernel/state.ts";
import { allOrders } from "./all-orders.ts";
import { leadEvents } from "./lead-events.ts";

const stepper = createKernel().steppers.lead;
const keyOf = ({ value, context }: LeadSnapshot): string => JSON.stringify([value, context.losses, context.run > 0]);
const orders = (
  kind: "hosted" | "own" | "none",
  onStep: (before: LeadSnapshot, event: LeadEvent, after: LeadSnapshot) => void = () => {},
) => allOrders(stepper, stepper.initial(leadContext(kind)), leadEvents, keyOf, onStep);
/** `orders` for its steps: the callback holds the claims. */
const expectEveryStep = (...args: Parameters<typeof orders>): void => void orders(...args);

describe("a lead, in any order of any events", () => {
  test.each([
    ["hosted", 208],
    ["own", 16],
    ["none", 16],
  ] as const)("%s: has exactly the states it is known to have", (kind, states) => {
    expect(orders(kind).length).toBe(states);
  });

  test("only a hosted lead ever runs", () => {
    for (const kind of ["own", "none"] as const) {
      for (const { value } of orders(kind)) expect(["waiting_user", "shutdown"]).toContain(value.turn);
    }
  });

  test("an end of a turn with something unseen goes straight on", () => {
    expectEveryStep("hosted", (before, event, after) => {
      if (event.type !== "turn.ended" || typeof before.value.turn === "string") return;
      expect(typeof after.value.turn).toBe(event.unseen ? "object" : "string");
    });
  });

  test("a lead whose turn ended while a team is there can be woken; without a team it waits for the user", () => {
    expectEveryStep("hosted", (before, event, after) => {
      if (event.type !== "turn.ended" || event.unseen || typeof before.value.turn === "string") return;
      const there = before.value.team === "active" || before.value.team === "dissolving";
      expect(after.value.turn).toBe(there ? "ended" : "waiting_user");
    });
  });

  test("every way out of a live turn closes its polls and questions", () => {
    expectEveryStep("hosted", (before, event, after) => {
      const left = typeof before.value.turn === "object" && typeof after.value.turn === "string";
      if (left) expect(stepper.step(before, event).effects).toContain("closePolls");
    });
  });

  test("a closed session's lead ignores everything", () => {
    expectEveryStep("hosted", (before, _event, after) => {
      if (before.value.turn === "shutdown") expect(after.value.turn).toBe("shutdown");
    });
  });
});
