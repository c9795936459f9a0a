import { describe, expect, test } from "vitest";
import { memberContext, type MemberEvent } from "../../src/machines/member-events.ts";
import { createKernel } from "../../src/machines/index.ts";
import type { MemberSnapshot } from "../../src/machines/kernel/state.ts";
import { allOrders } from "./all-orders.ts";
import { memberEvents } from "./member-events.ts";

const stepper = createKernel().steppers.member;
const keyOf = ({ value, context }: MemberSnapshot): string => {
  const { attempt, run, ...counts } = context;
  return JSON.stringify([value, counts, attempt > 0, run > 0]);
};
const orders = (
  lifetime: "oneshot" | "persistent",
  requirePlan: boolean,
  onStep: (before: MemberSnapshot, event: MemberEvent, after: MemberSnapshot) => void = () => {},
) => allOrders(stepper, stepper.initial(memberContext(lifetime, requirePlan)), memberEvents, keyOf, onStep);

describe.each([
  ["oneshot", false, 1010],
  ["oneshot", true, 962],
  ["persistent", false, 806],
  ["persistent", true, 794],
] as const)("a %s member (plan required: %s), in any order of any events", (lifetime, requirePlan, states) => {
  test("has exactly the states it is known to have", () => {
    expect(orders(lifetime, requirePlan).length).toBe(states);
  });

  test("runs exactly while somebody is there", () => {
    for (const { value } of orders(lifetime, requirePlan)) {
      const present = value.presence === "running" || value.presence === "draining";
      expect([value, typeof value.run === "object"]).toEqual([value, present]);
    }
  });

  test("R8 R9: is parked only while blocked or failed, and never works without a run or idleness", () => {
    for (const { value } of orders(lifetime, requirePlan)) {
      const { work, presence } = value;
      if (presence === "parked") expect(["blocked", "failed"]).toContain(work);
      if (work === "blocked") expect(presence).toBe("parked");
      if (work === "in_progress") expect(["running", "draining", "idle"]).toContain(presence);
      if (presence === "idle") expect(lifetime).toBe("persistent");
    }
  });

  test("G3: completed and cancelled are final for an attempt, and shutdown is final", () => {
    orders(lifetime, requirePlan, (before, event, after) => {
      const [was, is] = [before.value, after.value];
      if (was.work === "cancelled") expect([event, is.work]).toEqual([event, "cancelled"]);
      if (was.work === "completed" && event.type !== "member.retry")
        expect([event, is.work]).toEqual([event, "completed"]);
      if (was.presence !== "shutdown") return;
      // A plan may still write off what failed before it was shut down, so that its team can finish.
      const writtenOff = was.work === "failed" && event.type === "member.cancel";
      expect([event, is]).toEqual([event, writtenOff ? { ...was, work: "cancelled" } : was]);
    });
  });

  test("G4: an event that leaves mail unread never leaves it to somebody idle", () => {
    orders(lifetime, requirePlan, (before, event, after) => {
      const { effects } = stepper.step(before, event);
      // A failed member has nothing unread.
      const awake = before.value.presence !== "idle" && before.value.work !== "failed";
      const fellAsleep = awake && after.value.presence === "idle";
      if ("mail" in event && event.mail && fellAsleep) expect(effects).toContain("deadLetterMail");
    });
  });

  test("R12: only a start or a retry begins an attempt, and every new run has a new number", () => {
    orders(lifetime, requirePlan, (before, event, after) => {
      const [was, is] = [before.context, after.context];
      if (is.attempt !== was.attempt) {
        expect(["member.start", "member.retry"]).toContain(event.type);
        expect([is.attempt, is.run]).toEqual([was.attempt + 1, was.run + 1]);
      }
      if (before.value.run === "none" && after.value.run !== "none") expect(is.run).toBe(was.run + 1);
    });
  });
});

test("the states carry the tags of the one legend", () => {
  const tags = new Set(
    ["oneshot", "persistent"].flatMap((each) =>
      orders(each as "oneshot", true).flatMap((snapshot) => [...snapshot.tags]),
    ),
  );
  const legend = ["blocked", "cancelled", "completed", "failed", "idle", "in_progress", "shutdown"];
  expect([...tags].toSorted()).toEqual(legend);
});
