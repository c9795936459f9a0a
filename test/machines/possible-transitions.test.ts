import fc from "fast-check";
import { expect, test } from "vitest";
import { and, createActor, not, or, setup, stateIn, type AnyMachineSnapshot } from "xstate";
import { possibleTransitions } from "../../src/machines/index.ts";
import { choices, playSession } from "../support/random-session.ts";

test("of every event that a machine takes in any session, the transitions taken are among those that hold", () => {
  let taken = 0;
  fc.assert(
    fc.property(choices(80), (numbers) => {
      let before = new Map<string, AnyMachineSnapshot>();
      playSession(numbers, ({ applied }, session) => {
        const seen = new Set<string>();
        for (const { actor, event, took, transitions } of applied.steps) {
          const snapshot = before.get(actor);
          // Of an actor's second step the state before it isn't at hand.
          if (snapshot === undefined || seen.has(actor)) continue;
          if (transitions.length > 0) seen.add(actor);
          const tried = new Map(possibleTransitions(snapshot, took ?? event).map((each) => [each.id, each.holds]));
          for (const id of transitions) {
            // A transition out of a state that was entered in this very step.
            if (id.includes("|always|")) continue;
            expect([id, tried.get(id)]).toEqual([id, true]);
            taken++;
          }
        }
        before = new Map<string, AnyMachineSnapshot>([
          ["lead", session.lead.snapshot],
          ...[...session.members.values()].map((member) => [member.token, member.snapshot] as const),
        ]);
      });
    }),
    { numRuns: 40 },
  );
  expect(taken).toBeGreaterThan(500);
});

const machine = setup({
  types: { context: {} as { count: number }, events: {} as { type: "go"; ready: boolean } | { type: "stop" } },
  guards: {
    isMany: ({ context }) => context.count > 2,
    isReady: ({ event }) => event.type === "go" && event.ready,
    throws: () => {
      throw new Error("no");
    },
  },
}).createMachine({
  context: { count: 1 },
  initial: "a",
  states: {
    a: {
      on: {
        go: [
          { guard: "isMany", target: "b" },
          { guard: and(["isMany", "isReady"]), target: "b" },
          { guard: or([not("isMany"), "isReady"]), target: "b" },
          { guard: and([not("isMany"), "isReady"]), target: "b" },
          { guard: stateIn("a"), target: "b" },
          { guard: "throws", target: "b" },
          { target: "b" },
        ],
        stop: "b",
      },
    },
    b: { on: { go: "a" } },
  },
});

test("without an event a guard holds, doesn't, or depends on what the event carries", () => {
  const snapshot = createActor(machine).getSnapshot();
  const all = possibleTransitions(snapshot);
  expect(all.map(({ event, guard, holds }) => [event, guard, holds])).toEqual([
    ["go", "isMany", false],
    ["go", "isMany and isReady", false],
    ["go", "not isMany or isReady", true],
    ["go", "not isMany and isReady", null],
    ["go", "in a", true],
    ["go", "throws", null],
    ["go", null, true],
    ["stop", null, true],
  ]);
  expect(all[3]?.guards).toEqual([
    { name: "isMany", holds: false },
    { name: "isReady", holds: null },
  ]);
});

test("with an event only what it is tried on is judged, with all that it carries", () => {
  const snapshot = createActor(machine).getSnapshot();
  expect(possibleTransitions(snapshot, { type: "go", ready: true } as never).map(({ holds }) => holds)).toEqual([
    false,
    false,
    true,
    true,
    true,
    null,
    true,
  ]);
  expect(possibleTransitions(snapshot, { type: "stop" }).map(({ id }) => id)).toEqual(["(machine).a|stop|0"]);
  expect(possibleTransitions(snapshot, { type: "nobody" })).toEqual([]);
});
