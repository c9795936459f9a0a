import { assign, createActor, createMachine, fromPromise, setup, type AnyStateMachine } from "xstate";
import { expect, test } from "vitest";
import { checkMachine, type MachineCheckOptions } from "../../../src/testing/index.ts";
import { typesOf } from "./types-of.ts";

const door = createMachine({
  id: "door",
  initial: "closed",
  states: { closed: { on: { OPEN: "open", KICK: "broken" } }, open: { on: { CLOSE: "closed" } }, broken: {} },
});
// What is tried here is what no type allows.
const untyped = (machine: unknown, options: unknown = {}) =>
  checkMachine(machine as AnyStateMachine, options as MachineCheckOptions);
const bad = (what: string, problem: RegExp): unknown =>
  expect.objectContaining({
    code: "bad_input",
    data: { what, problem: expect.stringMatching(problem) as unknown as string },
  });

test.each([
  [undefined, /it is undefined/],
  [null, /it is null/],
  ["door", /it is string/],
  [{ initial: "a", states: { a: {} } }, /not its config/],
  [fromPromise(() => Promise.resolve(1)), /no state machine/],
  [createActor(door), /running actor/],
])("%s is no machine, and the error says what it is instead", (machine, problem) => {
  expect(() => untyped(machine)).toThrow(bad("machine", problem));
});

test.each<[unknown, string, RegExp]>([
  [null, "options", /give an object/],
  [{ event: [] }, "options.event", /no such option \(did you mean events\?\); known are input, events/],
  [{ events: "OPEN" }, "options.events", /list of events/],
  [{ events: ["OPEN"] }, "options.events[0]", /object with a `type`/],
  [{ events: [{ kind: "OPEN" }] }, "options.events[0]", /`type` is not a text/],
  [{ events: [{ type: "*" }] }, "options.events[0]", /wildcard/],
  [{ events: () => "OPEN" }, "options.events", /no list/],
  [{ events: () => [{}] }, "options.events(...)[0]", /`type`/],
  [{ key: "value" }, "options.key", /not a function/],
  [{ key: () => 3 }, "options.key", /gave number, no text/],
  [{ limits: { states: 3 } }, "options.limits.states", /known are statesMax/],
  [{ limits: { statesMax: "3" } }, "options.limits.statesMax", /give a number from 1 on, not "3"/],
  [{ limits: { statesMax: 0 } }, "options.limits.statesMax", /give a number from 1 on, not 0/],
  [{ limits: { depthMax: -1 } }, "options.limits.depthMax", /give a number from 0 on, not -1/],
  [{ limits: { microstepsMax: 0 } }, "options.limits.microstepsMax", /give a number from 1 on, not 0/],
  [{ limits: 3 }, "options.limits", /give an object/],
  [{ invokes: [] }, "options.invokes", /give an object/],
  [{ invokes: { load: [] } }, "options.invokes.load", /give an object/],
  [{ invokes: { load: { output: [] } } }, "options.invokes.load.output", /known are done, error, snapshot/],
  [{ invokes: { load: { done: 1 } } }, "options.invokes.load.done", /give a list/],
  [{ invokes: { load: {} } }, "options.invokes.load", /no actor has this id or src; there are none/],
  [{ allow: [] }, "options.allow", /give an object/],
  [{ allow: { "door.broken": "" } }, "options.allow.door.broken", /reason/],
  [{ allow: { "door.locked": "?" } }, "options.allow.door.locked", /no such transition and no such state/],
  [{ allow: { "door.open": "?" } }, "options.allow.door.open", /nothing to allow/],
  [{ allow: { "door.open|CLOSE|0": "?" } }, "options.allow.door.open|CLOSE|0", /is taken/],
])("options %j are refused", (options, what, problem) => {
  expect(() => untyped(door, options)).toThrow(bad(what, problem));
});

test("what is meant can be allowed with its reason: a deadlock, a dead transition, an unreachable state with all inside", () => {
  expect(checkMachine(door).verdict).toBe("violated");
  expect(checkMachine(door, { allow: { "door.broken": "nobody repairs it" } })).toMatchObject({
    verdict: "holds",
    deadlocks: [],
  });
  const machine = createMachine({
    id: "m",
    initial: "a",
    states: {
      a: { on: { GO: ["b", "old"] } },
      b: { on: { GO: "a" } },
      old: { initial: "x", states: { x: { on: { GO: "#m.a" } } } },
    },
  });
  const allow = { "m.old": "kept for stored snapshots", "m.a|GO|1": "leads to it" };
  expect(checkMachine(machine, { allow })).toMatchObject({ verdict: "holds", dead: [], unreachable: [] });
  expect(checkMachine(machine, { allow }).coverage.uncovered).toEqual([]);
});

test("an allowed finding that a cut search could not see is not refused", () => {
  const limits = { statesMax: 1 };
  expect(checkMachine(door, { limits, allow: { "door.broken": "?" } }).verdict).toBe("inconclusive");
});

test.each([
  ["statesMax", { statesMax: 2 }],
  ["depthMax", { depthMax: 1 }],
  ["ms", { ms: 0 }],
] as const)("a search that hits %s claims nothing unreachable or dead", (limit, limits) => {
  const machine = setup({ types: typesOf<{ context: { n: number } }>() }).createMachine({
    id: "m",
    context: { n: 0 },
    initial: "a",
    states: {
      a: { on: { GO: { actions: assign({ n: ({ context }) => context.n + 1 }) } } },
      lost: { on: { GO: "a" } },
    },
  });
  expect(checkMachine(machine, { limits })).toMatchObject({
    verdict: "inconclusive",
    limitsHit: [limit],
    unreachable: [],
    dead: [],
    deadlocks: [],
    unhandled: [],
  });
  // What tells states apart may leave the count out: then there is an end, and the finding.
  expect(checkMachine(machine, { key: ({ value }) => JSON.stringify(value) })).toMatchObject({
    verdict: "violated",
    unreachable: ["m.lost"],
  });
});

test("events may depend on the snapshot, and carry payloads", () => {
  const machine = setup({
    types: typesOf<{ context: { n: number }; events: { type: "SET"; n: number } | { type: "END" } }>(),
  }).createMachine({
    id: "m",
    context: { n: 0 },
    initial: "a",
    states: {
      a: {
        on: {
          SET: { actions: assign({ n: ({ event }) => event.n }) },
          END: { guard: ({ context }) => context.n === 2, target: "end" },
        },
      },
      end: { type: "final" },
    },
  });
  const result = checkMachine(machine, {
    events: ({ context }) => [{ type: "SET", n: Math.min(2, context.n + 1) } as const, { type: "END" } as const],
  });
  expect(result).toMatchObject({ verdict: "holds", states: 4 });
  const open = checkMachine(machine);
  expect(open).toMatchObject({ verdict: "inconclusive", dead: [], missing: [{ event: "SET", field: "n" }] });
});

test("a guard that throws for want of a payload is not the machine's fault, and kills nothing else", () => {
  const machine = setup({ types: typesOf<{ events: { type: "PICK"; item: { id: string } } }>() }).createMachine({
    id: "m",
    initial: "a",
    states: {
      a: { on: { PICK: { guard: ({ event }) => event.item.id === "x", target: "b" } } },
      b: { on: { PICK: ["a", "a"] } },
      lost: {},
    },
  });
  const result = checkMachine(machine);
  expect(result.verdict).toBe("violated");
  expect(result.errors).toMatchObject([{ event: "PICK", states: ["m.a"], isDecided: false }]);
  expect(result.missing).toMatchObject([{ event: "PICK", field: "item", states: ["m.a"] }]);
  // What no payload could change is claimed, and nothing else.
  expect(result.unreachable).toEqual(["m.lost"]);
  expect(result.dead).toMatchObject([{ transition: { id: "m.b|PICK|1" }, why: "shadowed" }]);
  const given = checkMachine(machine, { events: [{ type: "PICK", item: { id: "x" } }], allow: { "m.lost": "?" } });
  expect(given).toMatchObject({ errors: [], missing: [], unreachable: [], dead: [{ why: "shadowed" }] });
});

test.each(["events", "key"])("what a function of the options throws is its caller's mistake: %s", (name) => {
  const fault = new Error("out of order");
  const options = {
    [name]: () => {
      throw fault;
    },
  };
  expect(() => untyped(door, options)).toThrow(bad(`options.${name}`, /it threw: out of order/));
  expect(() => untyped(door, options)).toThrow(expect.objectContaining({ cause: fault }));
});

test("a guard may throw what no text can be made of", () => {
  const guard = (): boolean => {
    throw Object.create(null);
  };
  const odd = createMachine({ id: "odd", on: { E: { guard, actions: "act" } } });
  expect(checkMachine(odd).errors).toHaveLength(1);
});
