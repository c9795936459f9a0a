import fc from "fast-check";
import { assign, createMachine, fromPromise, setup } from "xstate";
import { expect, test } from "vitest";
import { KeyWriter } from "../../../src/testing/machine/state-key.ts";
import { checkMachine } from "../../../src/testing/index.ts";
import { typesOf } from "./types-of.ts";

const keyOf = (value: unknown): string => new KeyWriter().write(value, "context");

test("equal data has one key, whatever the order of its fields", () => {
  const shuffled = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(shuffled);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value)
        .toReversed()
        .map(([key, each]) => [key, shuffled(each)]),
    );
  };
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(keyOf(shuffled(value))).toBe(keyOf(value));
    }),
  );
});

test("JSON that differs has another key", () => {
  const canonical = (value: unknown): string =>
    JSON.stringify(value, (_, each: unknown) =>
      typeof each === "object" && each !== null && !Array.isArray(each)
        ? Object.fromEntries(Object.entries(each).toSorted(([a], [b]) => (a < b ? -1 : 1)))
        : each,
    );
  // -0 is a value of its own here, and JSON forgets it.
  const json = fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value)) as unknown);
  fc.assert(
    fc.property(json, json, (a, b) => {
      expect(keyOf(a) === keyOf(b)).toBe(canonical(a) === canonical(b));
    }),
  );
});

class Socket {
  readonly open = true;
}
const cycle = (name: string): unknown => {
  const value: Record<string, unknown> = { name };
  value["self"] = value;
  return value;
};

test("values that are no JSON are told apart by what they are", () => {
  const values = [
    undefined,
    null,
    Number.NaN,
    0,
    -0,
    "0",
    0n,
    new Map([["a", 1]]),
    new Map([["a", 2]]),
    new Set(["a"]),
    ["a"],
    new Date(0),
    new Date(1),
    /a/,
    /a/g,
    new URL("http://a"),
    new Error("a"),
    new TypeError("a"),
    new Uint8Array([1]),
    new Uint8Array([2]),
    cycle("a"),
    cycle("b"),
    {},
  ];
  expect(new Set(values.map(keyOf)).size).toBe(values.length);
  expect(keyOf(cycle("a"))).toBe(keyOf(cycle("a")));
  expect(keyOf(new Map([["a", { x: 1n }]]))).toBe(keyOf(new Map([["a", { x: 1n }]])));
});

test("functions and instances are told apart by identity, and noted once with their place", () => {
  const writer = new KeyWriter();
  const [one, two] = [() => 1, () => 1];
  expect(writer.write([one, one, two], "context.on")).toBe("[#0,#0,#1]");
  expect(writer.write({ socket: new Socket() }, "context")).not.toBe(writer.write({ socket: new Socket() }, "context"));
  expect([...writer.notes]).toEqual([
    "context.on[] is a function: told apart by identity; give `key` if it is data",
    "context.socket is an instance of Socket: told apart by identity; give `key` if it is data",
  ]);
});

test("a machine with a socket made anew each time is cut, and the note says what to do", () => {
  const machine = createMachine({
    id: "m",
    initial: "a",
    context: { socket: new Socket() },
    states: { a: { on: { AGAIN: { actions: assign({ socket: () => new Socket() }) } } } },
  });
  const cut = checkMachine(machine, { limits: { statesMax: 50 } });
  expect(cut).toMatchObject({ verdict: "inconclusive", limitsHit: ["statesMax"] });
  expect(cut.toString()).toContain("context.socket is an instance of Socket");
  expect(checkMachine(machine, { key: () => "one" })).toMatchObject({ states: 1, notes: [], limitsHit: [] });
});

test("an actor in the context is known by its name, so it is no new one each time", () => {
  const machine = setup({
    types: typesOf<{ context: { ref: unknown } }>(),
    actors: { job: fromPromise(() => Promise.resolve(1)) },
  }).createMachine({
    id: "m",
    initial: "a",
    context: { ref: null },
    states: {
      a: {
        on: {
          START: { target: "b", actions: assign({ ref: ({ spawn }) => spawn("job", { id: "job" }) }) },
        },
      },
      b: { on: { "xstate.done.actor.job": "a", "xstate.error.actor.job": "a" } },
    },
  });
  const { states, notes, verdict } = checkMachine(machine);
  expect({ notes, verdict }).toEqual({ notes: [], verdict: "holds" });
  expect(states).toBe(3);
});
