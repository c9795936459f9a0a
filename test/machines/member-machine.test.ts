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

interface Taken {
  readonly before: MemberSnapshot;
  readonly event: MemberEvent;
  readonly after: MemberSnapshot;
}

/** Every state that any order of events leads to, and every step on the way. */
function explore(lifetime: "oneshot" | "persistent", requirePlan: boolean) {
  const steps: Taken[] = [];
  const initial = stepper.initial(memberContext(lifetime, requirePlan));
  const states = allOrders(stepper, initial, memberEvents, keyOf, (before, event, after) =>
    steps.push({ before, event, after }),
  );
  return { states, steps };
}

const told = ({ before, event, after }: Taken) => [before.value, event, after.value];

describe.each([
  ["oneshot", false, 1010],
  ["oneshot", true, 962],
  ["persistent", false, 626],
  ["persistent", true, 614],
] as const)("a %s member (plan required: %s), in any order of any events", (lifetime, requirePlan, count) => {
  const { states, steps } = explore(lifetime, requirePlan);
  const values = states.map(({ value }) => value);

  test("has exactly the states it is known to have", () => {
    expect(states.length).toBe(count);
  });

  test("runs exactly while somebody is there", () => {
    const isPresent = ({ presence }: MemberSnapshot["value"]) => presence === "running" || presence === "draining";
    expect(values.filter((value) => isPresent(value) !== (value.run !== "none"))).toEqual([]);
  });

  test("R8 R9: is parked only while blocked or failed, and works only with a run or idle", () => {
    const placesOf = (work: string) =>
      new Set(values.filter((value) => value.work === work).map((each) => each.presence));
    const idle = lifetime === "persistent" ? ["idle"] : [];
    expect(placesOf("blocked")).toEqual(new Set(["parked"]));
    expect(placesOf("in_progress")).toEqual(new Set(["running", "draining", ...idle]));
    expect(placesOf("failed")).toEqual(new Set(["parked", "shutdown"]));
    const answering = lifetime === "persistent" ? ["idle", "running", "draining"] : [];
    expect(placesOf("completed")).toEqual(new Set(["shutdown", ...answering]));
    expect(placesOf("cancelled")).toEqual(new Set(["shutdown", ...answering]));
  });

  test("G3: completed and cancelled are final for an attempt", () => {
    const left = steps.filter(({ before, event, after }) => {
      const isFinal =
        before.value.work === "cancelled" || (before.value.work === "completed" && event.type !== "member.retry");
      return isFinal && after.value.work !== before.value.work;
    });
    expect(left.map(told)).toEqual([]);
  });

  test("shutdown is never left, and only a plan that writes off a failure changes anything there", () => {
    const gone = steps.filter(({ before, after }) => before.value.presence === "shutdown" && before !== after);
    for (const { before, event, after } of gone) {
      expect([before.value.work, event.type]).toEqual(["failed", "member.cancel"]);
      expect(after.value).toEqual({ ...before.value, work: "cancelled" });
    }
  });

  test("G4: an event that leaves mail unread never leaves it to somebody who falls asleep", () => {
    const asleep = steps.filter(
      ({ before, event, after }) =>
        "mail" in event &&
        event.mail &&
        // A failed member has nothing unread.
        before.value.work !== "failed" &&
        before.value.presence !== "idle" &&
        after.value.presence === "idle" &&
        !stepper.step(before, event).effects.includes("deadLetterMail"),
    );
    expect(asleep.map(told)).toEqual([]);
  });

  test("R12: only a start or a retry begins an attempt, always with a run of its own", () => {
    const begun = steps.filter(({ before, after }) => after.context.attempt !== before.context.attempt);
    expect(new Set(begun.map(({ event }) => event.type))).toEqual(new Set(["member.start", "member.retry"]));
    const strange = begun.filter(
      ({ before, after }) =>
        after.context.attempt !== before.context.attempt + 1 || after.context.run !== before.context.run + 1,
    );
    expect(strange.map(told)).toEqual([]);
  });

  test("G2: a run that begins always has a new number", () => {
    const old = steps.filter(
      ({ before, after }) =>
        before.value.run === "none" && after.value.run !== "none" && after.context.run !== before.context.run + 1,
    );
    expect(old.map(told)).toEqual([]);
  });

  test("the states carry the tags of the one legend", () => {
    const tags = new Set(states.flatMap((snapshot) => [...snapshot.tags]));
    const idle = lifetime === "persistent" ? ["idle"] : [];
    expect(tags).toEqual(new Set(["blocked", "in_progress", "completed", "failed", "cancelled", "shutdown", ...idle]));
  });
});
