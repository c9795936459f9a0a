import { assign, createMachine, raise, setup } from "xstate";
import { expect, test } from "vitest";
import { checkMachine } from "../../../src/testing/index.ts";
import { typesOf } from "./types-of.ts";

const namesOf = (path: readonly { name: string }[]) => path.map(({ name }) => name);

test("a machine without fault holds, and all of it is covered", () => {
  const machine = createMachine({
    id: "door",
    initial: "closed",
    states: { closed: { on: { OPEN: "open" } }, open: { on: { CLOSE: "closed" } } },
  });
  const result = checkMachine(machine);
  expect(result).toMatchObject({ verdict: "holds", states: 2, transitions: 4, depth: 1, unreachable: [], dead: [] });
  expect(result.coverage).toEqual({
    taken: ["door.closed|OPEN|0", "door.open|CLOSE|0"],
    uncovered: [],
    own: [expect.objectContaining({ id: "door" })],
    reached: ["door", "door.closed", "door.open"],
    unreached: [],
  });
});

test("states that nothing reaches are named, each with those inside, and what leaves them is dead for that reason", () => {
  const machine = createMachine({
    id: "m",
    initial: "a",
    states: {
      a: { on: { GO: "b" } },
      b: { on: { BACK: "a" } },
      lost: { initial: "x", states: { x: { on: { GO: "y" } }, y: { on: { GO: "#m.a" } } } },
    },
  });
  const { verdict, unreachable, dead } = checkMachine(machine);
  expect(verdict).toBe("violated");
  expect(unreachable).toEqual(["m.lost", "m.lost.x", "m.lost.y"]);
  expect(dead.map(({ transition, why }) => [transition.id, why])).toEqual([
    ["m.lost.x|GO|0", "source"],
    ["m.lost.y|GO|0", "source"],
  ]);
});

test("why a transition is dead is told apart", () => {
  const machine = setup({ guards: { never: () => false } }).createMachine({
    id: "m",
    initial: "a",
    on: { GO: { actions: [] } },
    states: {
      a: {
        on: { GO: ["b", "a"], STAY: { guard: "never", target: "b" }, QUIET: "b" },
        always: { guard: "never", target: "b" },
      },
      b: { on: { GO: "a" } },
    },
  });
  const { dead } = checkMachine(machine, { events: [{ type: "GO" }, { type: "STAY" }] });
  expect(Object.fromEntries(dead.map(({ transition, why }) => [transition.id, why]))).toEqual({
    "m|GO|0": "overridden",
    "m.a|GO|1": "shadowed",
    "m.a|STAY|0": "guard",
    "m.a|QUIET|0": "event",
    "m.a|always|0": "guard",
  });
  expect(dead.find(({ why }) => why === "guard")?.transition).toMatchObject({ guard: "never", targets: ["m.b"] });
});

test.each([
  [
    "eventless transitions",
    createMachine({
      id: "m",
      initial: "rest",
      states: { rest: { on: { GO: "a" } }, a: { always: "b" }, b: { always: "a" } },
    }),
    ["m.a", "m.b"],
    ["m.a|always|0", "m.b|always|0"],
  ],
  [
    "raised events",
    createMachine({
      id: "m",
      initial: "rest",
      states: {
        rest: { on: { GO: "a" } },
        a: { entry: raise({ type: "tick" }), on: { tick: "b" } },
        b: { entry: raise({ type: "tick" }), on: { tick: "a" } },
      },
    }),
    ["m.a", "m.b"],
    ["m.a|tick|0", "m.b|tick|0"],
  ],
  [
    "a counter that never ends",
    createMachine({
      id: "m",
      context: { n: 0 },
      initial: "rest",
      states: {
        rest: { on: { GO: "a" } },
        a: { always: { actions: assign({ n: ({ context }) => context.n + 1 }) } },
      },
    }),
    ["m.a"],
    ["m.a|always|0"],
  ],
])("%s that never settle are found with their states, and nothing hangs", (_, machine, states, transitions) => {
  const { verdict, alwaysCycles } = checkMachine(machine, { events: [{ type: "GO" }] });
  expect(verdict).toBe("violated");
  expect(alwaysCycles).toMatchObject([{ states, transitions, path: [{ name: "GO", event: { type: "GO" } }] }]);
});

test("a cycle at the start is found, also where XState's own bound ends it", () => {
  const config = { id: "m", initial: "a", states: { a: { always: "b" }, b: { always: "a" } } } as const;
  for (const machine of [createMachine(config), createMachine({ ...config, options: { maxIterations: 20 } })]) {
    const { alwaysCycles, states, errors } = checkMachine(machine);
    expect(alwaysCycles).toMatchObject([{ states: ["m.a", "m.b"], path: [] }]);
    expect([states, errors]).toEqual([0, []]);
  }
});

test("a long loop that ends is no cycle", () => {
  const machine = createMachine({
    id: "m",
    context: { n: 0 },
    initial: "a",
    states: {
      a: {
        always: [
          {
            guard: ({ context }) => context.n < 500,
            actions: assign({ n: ({ context }: { context: { n: number } }) => context.n + 1 }),
          },
          "end",
        ],
      },
      end: { type: "final" },
    },
  });
  expect(checkMachine(machine)).toMatchObject({ verdict: "holds", alwaysCycles: [] });
  expect(checkMachine(machine, { limits: { microstepsMax: 100 } }).alwaysCycles).toHaveLength(1);
});

test("a configuration that nothing leads out of is a deadlock with its shortest path, a final one is not", () => {
  const machine = createMachine({
    id: "m",
    initial: "a",
    states: { a: { on: { LONG: "b", END: "end" } }, b: { on: { ON: "stuck" } }, stuck: {}, end: { type: "final" } },
  });
  const { deadlocks, verdict } = checkMachine(machine);
  expect(verdict).toBe("violated");
  expect(deadlocks.map(({ states, path }) => [states, namesOf(path)])).toEqual([[["m.stuck"], ["LONG", "ON"]]]);
});

test("a state that only counts is no deadlock", () => {
  const machine = setup({ types: typesOf<{ context: { n: number } }>() }).createMachine({
    id: "m",
    context: { n: 0 },
    on: { COUNT: { guard: ({ context }) => context.n < 3, actions: assign({ n: ({ context }) => context.n + 1 }) } },
  });
  const { deadlocks, states } = checkMachine(machine);
  expect(states).toBe(4);
  expect(deadlocks.map(({ path }) => path.length)).toEqual([3]);
});

test("events that nothing takes are listed by innermost state; one that a parallel region takes is not", () => {
  const machine = createMachine({
    id: "m",
    type: "parallel",
    states: {
      light: { initial: "off", states: { off: { on: { ON: "on" } }, on: { on: { OFF: "off" } } } },
      sound: { initial: "mute", states: { mute: { on: { PLAY: "loud" } }, loud: { on: { STOP: "mute", OFF: {} } } } },
    },
  });
  expect(checkMachine(machine).unhandled).toEqual([
    { state: "m.light.on", events: ["ON"] },
    { state: "m.sound.mute", events: ["STOP"] },
    { state: "m.sound.loud", events: ["PLAY"] },
  ]);
});

test("what a guard or an assign throws is told with the event, the state and the path", () => {
  const machine = createMachine({
    id: "m",
    initial: "a",
    states: {
      a: { on: { GO: "b" } },
      b: {
        on: {
          ASK: {
            guard: () => {
              throw new Error("no answer");
            },
          },
          SET: {
            actions: assign(() => {
              throw new Error("no value");
            }),
          },
        },
      },
    },
  });
  const { errors, verdict } = checkMachine(machine);
  expect(verdict).toBe("violated");
  expect(errors).toMatchObject([
    { cause: "thrown", event: "ASK", states: ["m.b"], isDecided: true, path: [{ name: "GO" }, { name: "ASK" }] },
    { cause: "thrown", event: "SET", states: ["m.b"], message: "no value", isDecided: true },
  ]);
  expect(errors[0]?.message).toContain("no answer");
});

test("a context that can't be made is an error at the start", () => {
  const machine = createMachine({
    id: "m",
    context: ({ input }) => ({ name: (input as { name: string }).name }),
  });
  expect(checkMachine(machine).errors).toMatchObject([{ event: "the start", states: [], path: [] }]);
  expect(checkMachine(machine, { input: { name: "A" } }).errors).toEqual([]);
});

test("the findings read as text", () => {
  const machine = createMachine({
    id: "m",
    initial: "a",
    states: { a: { on: { GO: ["b", "lost"] } }, b: {}, lost: { on: { GO: "a" } } },
  });
  expect(
    checkMachine(machine)
      .toString()
      .replace(/\d\.\d s/, "0.0 s")
      .split("\n"),
  ).toEqual([
    'violated: machine "m": 2 states, 2 transitions, depth 1, 0.0 s, 1 of 3 transitions taken',
    "unreachable states:",
    "  m.lost",
    "dead transitions:",
    "  m.a|GO|1 -> m.lost: an earlier one without guard takes every such event",
    "  m.lost|GO|0 -> m.a: its state is never active",
    "deadlocks: not final, and nothing leads out:",
    "  m.b: 1. GO",
    "events that nothing takes, by state:",
    "  m.b  GO",
  ]);
});

test("of two regions that leave the same states one wins, and the other's transition is not taken", () => {
  const machine = createMachine({
    id: "m",
    initial: "both",
    states: {
      both: {
        type: "parallel",
        states: { x: { on: { LEAVE: "#m.left" } }, y: { on: { LEAVE: "#m.right" } } },
      },
      left: { type: "final" },
      right: { type: "final" },
    },
  });
  const { unreachable, dead } = checkMachine(machine);
  expect(unreachable).toEqual(["m.right"]);
  expect(dead).toMatchObject([{ transition: { id: "m.both.y|LEAVE|0" }, why: "overridden" }]);
});

test("a transition that throws is an error, and not dead as well", () => {
  const broken = (): never => {
    throw new Error("broken");
  };
  const machine = createMachine({
    id: "m",
    context: {},
    initial: "a",
    states: { a: { on: { GUARD: { guard: broken, target: "b" }, ASSIGN: { actions: assign(broken) } } }, b: {} },
  });
  const { errors, dead, unreachable } = checkMachine(machine);
  expect(errors.map(({ event }) => event)).toEqual(["GUARD", "ASSIGN"]);
  expect(dead).toEqual([]);
  expect(unreachable).toEqual(["m.b"]);
});
