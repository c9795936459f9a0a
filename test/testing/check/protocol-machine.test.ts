import { expect, test } from "vitest";
import {
  assign,
  createMachine,
  fromPromise,
  raise,
  sendTo,
  setup,
  spawnChild,
  type AnyMachineSnapshot,
  type AnyStateMachine,
} from "xstate";
import { checkModel, teamModel } from "../../../src/testing/index.ts";

const members = [{ name: "A" }];
const modelOf = (machine: AnyStateMachine, more: { readonly input?: unknown } = {}) =>
  teamModel({
    members,
    protocol: { machine, on: ({ status }) => (status === undefined ? [] : [{ type: status }]), ...more },
  });

const later = fromPromise(async () => 1);

test.each<[string, RegExp, AnyStateMachine]>([
  [
    "invoke",
    /the state "p\.a\.b" invokes/,
    createMachine({
      id: "p",
      initial: "a",
      states: { a: { initial: "b", states: { b: { invoke: { src: later } } } } },
    }),
  ],
  [
    "after",
    /the state "p\.a" has `after`/,
    createMachine({ id: "p", initial: "a", states: { a: { after: { 10: "b" } }, b: {} } }),
  ],
  [
    "spawnChild",
    /an action of the state "p\.a" spawns/,
    createMachine({ id: "p", initial: "a", states: { a: { entry: spawnChild(later) } } }),
  ],
  [
    "a named spawnChild",
    /an action of the state "p\.a" spawns/,
    setup({ actors: { later }, actions: { go: spawnChild("later") } }).createMachine({
      id: "p",
      initial: "a",
      states: { a: { on: { x: { actions: "go" } } } },
    }),
  ],
  [
    "sendTo",
    /an action of the state "p\.a" sends to another actor/,
    createMachine({ id: "p", initial: "a", states: { a: { exit: sendTo("b", { type: "x" }) } } }),
  ],
  [
    "a delayed raise",
    /an action of the state "p\.a" raises an event after a delay/,
    createMachine({ id: "p", initial: "a", states: { a: { entry: raise({ type: "x" }, { delay: 5 }) } } }),
  ],
  ["no id", /the id "\(machine\)" is no name of its own/, createMachine({ initial: "a", states: { a: {} } })],
  ["the id of one of ours", /the id "team" is no name/, createMachine({ id: "team", initial: "a", states: { a: {} } })],
])("a machine with %s is refused with bad_input, naming the place", (_, problem, machine) => {
  expect(() => modelOf(machine)).toThrow(
    expect.objectContaining({ code: "bad_input", message: expect.stringMatching(problem) }),
  );
});

test("a machine that raises at once, has history, parallel regions, final states and input is stepped as XState does", () => {
  const machine = setup({
    types: { context: {} as { limit: number; seen: number }, input: {} as { limit: number } },
    guards: { few: ({ context }) => context.seen < context.limit },
  }).createMachine({
    id: "p",
    context: ({ input }) => ({ limit: input.limit, seen: 0 }),
    type: "parallel",
    states: {
      counting: {
        initial: "on",
        states: {
          on: {
            initial: "low",
            states: {
              low: {
                on: {
                  in_progress: {
                    guard: "few",
                    target: "high",
                    actions: [assign({ seen: ({ context }) => context.seen + 1 }), raise({ type: "ping" })],
                  },
                },
              },
              high: {},
            },
            on: { completed: "off", failed: "off" },
          },
          off: { always: "back" },
          back: { type: "history", target: "on.low" },
        },
      },
      pinged: { initial: "no", states: { no: { on: { ping: "yes" } }, yes: { type: "final" } } },
    },
  });
  const model = modelOf(machine, { input: { limit: 1 } });
  const result = checkModel(model, {
    budgets: { outcomes: 1 },
    sometimes: {
      pinged: ({ protocol }) => protocol.matches({ pinged: "yes" }),
      "counted to the limit": ({ protocol }) => protocol.context.seen === 1,
    },
    always: { "never above": ({ protocol }) => protocol.context.seen <= 1 },
  });
  expect(result.violation?.toString() ?? null).toBeNull();
  expect(result.verdict).toBe("holds");
  expect(result.coverage.reached).toContain("p.counting.on.high");
  expect(result.coverage.unreached.filter((id) => id.startsWith("p."))).toEqual(["p.counting.off"]);
});

test("a context that JSON does not tell apart is refused at first, and a violation where it comes up later", () => {
  const first = createMachine({ id: "p", context: { seen: new Set() }, initial: "a", states: { a: {} } });
  expect(() => modelOf(first)).toThrow(/the context of p has no JSON in "seen" in a/);
  const late = createMachine({
    id: "p",
    context: { seen: 0 },
    initial: "a",
    states: { a: { on: { completed: { actions: assign({ seen: () => Number.NaN }) } } } },
  });
  expect(checkModel(modelOf(late)).violation?.problem).toMatch(
    /p threw in a on completed: the context of p has no JSON in "seen"/,
  );
});

test("an actor spawned in an assign is a violation", () => {
  const machine = createMachine({
    id: "p",
    initial: "a",
    states: { a: { on: { completed: { actions: assign(({ spawn }) => (spawn(later), {})) } } } },
  });
  expect(checkModel(modelOf(machine)).violation?.problem).toMatch(/p threw in a on completed: p has spawned the actor/);
});

test("events that differ deep inside are different events", () => {
  const machine = setup({
    types: { context: {} as { last: string }, events: {} as { type: "say"; what: { text: string } } },
  }).createMachine({
    id: "p",
    context: { last: "" },
    on: { say: { actions: assign({ last: ({ event }) => event.what.text }) } },
  });
  const moves = ["x", "y"].map((text) => ({
    name: text,
    budget: "message" as const,
    event: { type: "say" as const, what: { text } },
  }));
  const { sometimes, verdict } = checkModel(
    teamModel({ members, protocol: { machine, on: () => [], moves: () => moves } }),
    {
      budgets: { message: 1 },
      guarantees: false,
      sometimes: {
        x: ({ protocol }) => protocol.context.last === "x",
        y: ({ protocol }) => protocol.context.last === "y",
      },
    },
  );
  expect(sometimes.map(({ reached }) => reached)).toEqual([true, true]);
  expect(verdict).toBe("holds");
});

test("a context that an assign changes in place is refused: other states have the same one", () => {
  const machine = setup({ types: { context: {} as { seen: string[] } } }).createMachine({
    id: "p",
    context: { seen: [] },
    on: {
      "*": {
        actions: assign(({ context, event }) => {
          context.seen.push(event.type);
          return { seen: context.seen };
        }),
      },
    },
  });
  expect(() => modelOf(machine)).toThrow(/p threw .*object is not extensible/);
});

test("final states with different outputs are different states", () => {
  const machine = setup({ types: { output: {} as { how: string } } }).createMachine({
    id: "p",
    initial: "open",
    output: ({ event }) => ({ how: String(event.output) }),
    states: {
      open: { on: { completed: "over", failed: "over" } },
      over: { type: "final", output: ({ event }) => event.type },
    },
  });
  const never = (how: string) => ({
    always: { never: ({ protocol }: { protocol: AnyMachineSnapshot }) => protocol.output?.how !== how },
  });
  const options = { budgets: { outcomes: 1 } };
  const violated = ["completed", "failed"].map(
    (how) => checkModel(modelOf(machine), { ...options, ...never(how) }).verdict,
  );
  expect(violated).toEqual(["violated", "violated"]);
});
