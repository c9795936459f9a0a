import { assign, cancel, createMachine, raise, sendTo } from "xstate";
import { expect, test } from "vitest";
import { checkMachine } from "../../../src/testing/index.ts";

const namesOf = (path: readonly { name: string }[] | undefined) => path?.map(({ name }) => name);

test("timers are due in the order that their delays allow, and only while they are armed", () => {
  const machine = createMachine({
    id: "m",
    initial: "a",
    states: {
      a: { after: { 2_000: "late", 1_000: "early" } },
      early: { on: { GO: "rest" } },
      late: { on: { GO: "rest" } },
      rest: { type: "final" },
    },
  });
  const { unreachable, coverage } = checkMachine(machine);
  expect(unreachable).toEqual(["m.late"]);
  expect(coverage.taken).toEqual(["m.a|xstate.after.1000.m.a|0", "m.early|GO|0"]);
});

test("a timer that was due is not due again until its state is entered anew", () => {
  const machine = createMachine({
    id: "m",
    context: { n: 0 },
    initial: "a",
    states: {
      a: {
        after: { 100: { actions: assign({ n: ({ context }: { context: { n: number } }) => context.n + 1 }) } },
        always: { guard: ({ context }) => context.n === 2, target: "twice" },
        on: { END: "end" },
      },
      twice: {},
      end: { type: "final" },
    },
  });
  expect(checkMachine(machine).unreachable).toEqual(["m.twice"]);
});

test("a timer that is cancelled is never due, and a delayed event to itself is", () => {
  const machine = createMachine({
    id: "m",
    initial: "a",
    entry: [raise({ type: "warn" }, { delay: 100, id: "warn" }), raise({ type: "stop" }, { delay: 50 })],
    states: {
      a: { on: { warn: "warned", stop: "stopped" } },
      warned: {},
      stopped: { entry: cancel("warn"), on: { warn: "warned" } },
    },
  });
  const { unreachable, deadlocks } = checkMachine(machine, { events: [] });
  expect(unreachable).toEqual(["m.warned"]);
  expect(deadlocks.map(({ path }) => namesOf(path))).toEqual([["stop after 50"]]);
});

test("what a machine sends to itself comes before anything else", () => {
  const machine = createMachine({
    id: "m",
    initial: "a",
    states: {
      a: { on: { GO: "b" } },
      b: { entry: sendTo(({ self }) => self, { type: "next" }), on: { next: "c", GO: "lost" } },
      c: { on: { GO: "a" } },
      lost: {},
    },
  });
  const { unreachable } = checkMachine(machine, { events: [{ type: "GO" }] });
  expect(unreachable).toEqual(["m.lost"]);
});

test("timers without end are cut, and nothing is claimed", () => {
  const machine = createMachine({
    id: "m",
    initial: "a",
    states: { a: { on: { GO: { actions: raise({ type: "later" }, { delay: 10 }) } } }, lost: {} },
  });
  expect(checkMachine(machine)).toMatchObject({
    verdict: "inconclusive",
    limitsHit: ["pendingMax"],
    unreachable: [],
    dead: [],
  });
});
