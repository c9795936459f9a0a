import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { setup, transition, type AnyMachineSnapshot, type AnyStateMachine, type EventObject } from "xstate";
import { createStepper, leadMachine, memberMachine, sessionMachine, teamMachine } from "../../src/machines/index.ts";
import { leadContext } from "../../src/machines/lead-machine.ts";
import { memberContext } from "../../src/machines/member-events.ts";
import { teamContext } from "../../src/machines/team-machine.ts";
import { allOrders } from "./all-orders.ts";
import { leadEvents } from "./lead-events.ts";
import { memberEvents } from "./member-events.ts";
import { sessionEvents } from "./session-events.ts";
import { teamEvents } from "./team-events.ts";

const cases: readonly [string, AnyStateMachine, object, readonly EventObject[]][] = [
  ["member, oneshot", memberMachine, memberContext("oneshot", true), memberEvents],
  ["member, persistent", memberMachine, memberContext("persistent", false), memberEvents],
  ["team", teamMachine, teamContext, teamEvents],
  ["lead", leadMachine, leadContext("hosted"), leadEvents],
  ["session", sessionMachine, {}, sessionEvents],
];

const plain = ({ value, context, status, tags }: AnyMachineSnapshot) => ({
  value,
  context,
  status,
  tags: [...tags].toSorted(),
});
/** Nudges and losses are counted one beside the other, not each with each: no guard looks at both. */
const keyOf = ({ value, context }: AnyMachineSnapshot): string => {
  const { run, attempt, nudges = 0, losses = 0, ...rest } = context as Record<string, unknown>;
  const counts = nudges !== 0 && losses !== 0 ? "both" : [nudges, losses];
  return JSON.stringify([value, rest, run === 0, attempt === 0, counts]);
};

test.each(cases)(
  "%s: a remembered step equals XState's own transition, for every state and event",
  (_, machine, context, events) => {
    const stepper = createStepper<AnyMachineSnapshot, EventObject>(machine);
    let pairs = 0;
    const different: unknown[] = [];
    allOrders(stepper, stepper.initial(context), events, keyOf, (before, event, after) => {
      pairs++;
      const [next, actions] = transition(machine, before, event);
      const again = stepper.step(before, event);
      const ours = JSON.stringify([plain(after), again.effects]);
      const theirs = JSON.stringify([plain(next), actions.map((action) => action.type)]);
      if (ours !== theirs || stepper.step(before, event) !== again) different.push([before.value, event, ours, theirs]);
    });
    expect(different).toEqual([]);
    expect(pairs).toBeGreaterThan(0);
  },
);

test.each(cases)("%s: equal snapshots are one object, however they came to be", (_, machine, context, events) => {
  const stepper = createStepper<AnyMachineSnapshot, EventObject>(machine);
  fc.assert(
    fc.property(fc.array(fc.nat(events.length - 1), { maxLength: 30 }), (picks) => {
      let snapshot = stepper.initial(context);
      for (const pick of picks) snapshot = stepper.step(snapshot, events[pick]!).next;
      expect(stepper.resolve(snapshot.value, snapshot.context)).toBe(snapshot);
    }),
  );
});

describe("the door to XState", () => {
  const toyTypes: {
    context: { n: number };
    events: { type: "go" } | { type: "end" } | { type: "look" } | { type: "bad" };
  } = null as never;
  const toy = setup({
    types: toyTypes,
    actions: { seen: () => {} },
    guards: {
      breaks: () => {
        throw new Error("a guard broke");
      },
    },
  }).createMachine({
    context: { n: 0 },
    initial: "a",
    on: { look: { actions: "seen" } },
    states: {
      a: { on: { go: "b", end: "done", bad: { guard: "breaks", target: "b" } } },
      b: {},
      done: { type: "final" },
    },
  });
  const stepper = createStepper<AnyMachineSnapshot, EventObject>(toy);
  const first = stepper.initial({ n: 0 });

  test("ignores every event for a snapshot that is done, root handlers included", () => {
    const { next } = stepper.step(first, { type: "end" });
    expect(next.status).toBe("done");
    expect(stepper.step(next, { type: "look" })).toEqual({ next, effects: [], handled: false, transitions: [] });
  });

  test("ignores every event for a snapshot that was stopped", () => {
    const stopped = { ...first, status: "stopped" } as AnyMachineSnapshot;
    expect(stepper.step(stopped, { type: "go" })).toMatchObject({ next: stopped, handled: false });
  });

  test("calls a transition that only acts handled, and an unknown event ignored", () => {
    expect(stepper.step(first, { type: "look" })).toMatchObject({ next: first, effects: ["seen"], handled: true });
    expect(stepper.step(first, { type: "nonsense" })).toMatchObject({ next: first, effects: [], handled: false });
  });

  test("lets a throw in a guard out, remembers nothing of it, and takes the next event", () => {
    expect(() => stepper.step(first, { type: "bad" })).toThrow("breaks");
    expect(() => stepper.step(first, { type: "bad" })).toThrow("breaks");
    expect(stepper.step(first, { type: "go" })).toMatchObject({ handled: true, effects: [] });
  });

  test("names the transitions that were taken", () => {
    expect(stepper.step(first, { type: "go" }).transitions).toEqual(["(machine).a|go|0"]);
  });
});

test("a snapshot of another stepper that does not move stays the same object", () => {
  const [here, there] = [0, 1].map(() => createStepper<AnyMachineSnapshot, EventObject>(memberMachine));
  const started = there!.step(there!.initial(memberContext("oneshot", false)), { type: "member.start" }).next;
  // The same state is known here by another object.
  here!.step(here!.initial(memberContext("oneshot", false)), { type: "member.start" });
  const step = here!.step(started, { type: "run.answered" });
  expect(step.handled).toBe(true);
  expect(step.next).toBe(started);
});
