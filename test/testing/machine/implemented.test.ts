import { and, assign, createMachine, fromPromise, not, setup, type AnyStateMachine } from "xstate";
import { expect, test } from "vitest";
import { checkMachine } from "../../../src/testing/index.ts";

/** What a machine names and nobody has given would make every finding one about another machine. */

const guarded = (guard: never): AnyStateMachine =>
  createMachine({
    id: "m",
    initial: "a",
    states: { a: { on: { GO: { target: "b", guard } } }, b: { on: { GO: "a" } } },
  });

const loading = createMachine({
  id: "m",
  initial: "a",
  states: { a: { invoke: { src: "load", onDone: "b", onError: "b" } }, b: { on: { GO: "a" } } },
});
const waiting = createMachine({
  id: "m",
  initial: "a",
  states: { a: { after: { soon: "b" } }, b: { on: { GO: "a" } } },
});

test.each([
  [
    "a guard",
    guarded("isReady" as never),
    'the guard "isReady" of m.a|GO|0 has no implementation',
    "guards: { isReady }",
  ],
  ["a guard with params", guarded({ type: "isReady" } as never), 'the guard "isReady"', "guards: { isReady }"],
  [
    "a part of a guard",
    guarded(and([() => true, not("isReady")]) as never),
    'the guard "isReady"',
    "guards: { isReady }",
  ],
  ["an actor", loading, 'the actor "load" that m.a invokes has no implementation', "actors: { load }"],
  ["a delay", waiting, 'the delay "soon" of m.a has no implementation', "delays: { soon }"],
])("%s that is named and not given is refused, with how it is given", (_, machine, problem, given) => {
  expect(() => checkMachine(machine)).toThrow(
    expect.objectContaining({ code: "bad_input", message: expect.stringContaining(problem) }),
  );
  expect(() => checkMachine(machine)).toThrow(`give it by setup({ ${given} }) or machine.provide({ ${given} })`);
});

test("a machine to which all is given later is checked, and an action need not be there: none is run", () => {
  const given = loading.provide({ actors: { load: fromPromise(async () => 1) } });
  expect(checkMachine(given).verdict).toBe("holds");
  expect(checkMachine(waiting.provide({ delays: { soon: 10 } })).verdict).toBe("holds");
  expect(checkMachine(guarded("isReady" as never).provide({ guards: { isReady: () => true } })).verdict).toBe("holds");
  const acting = createMachine({
    id: "m",
    initial: "a",
    states: { a: { on: { GO: { target: "b", actions: "say" } } }, b: { on: { GO: "a" } } },
  });
  expect(checkMachine(acting).verdict).toBe("holds");
});

test.each([
  ["assign", assign({ list: ({ context: { list } }: { context: { list: number[] } }) => (list.push(1), list) })],
  ["assign of all", assign(({ context }: { context: { list: number[] } }) => (context.list.push(1), context))],
])("an %s that changes the context in place is refused, with the event and the state", (_, actions) => {
  const machine = setup({ types: { context: { list: [0] } } }).createMachine({
    id: "m",
    context: () => ({ list: [] }),
    initial: "a",
    // XState types an action by its machine.
    states: { a: { on: { GO: { target: "b", actions: actions as never } } }, b: { on: { GO: "a" } } },
  });
  expect(() => checkMachine(machine)).toThrow(
    /machine: a guard or an assign changes the context in place, on GO in m\.a; give new values instead/,
  );
});
