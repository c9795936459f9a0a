import {
  assign,
  createMachine,
  fromCallback,
  fromObservable,
  fromPromise,
  fromTransition,
  raise,
  sendParent,
  sendTo,
  setup,
  spawnChild,
  stopChild,
  type AnyActorRef,
} from "xstate";
import { expect, test } from "vitest";
import { checkMachine } from "../../../src/testing/index.ts";
import { typesOf } from "./types-of.ts";

const loader = setup({
  types: typesOf<{ context: { user: string | null }; events: { type: "LOAD" } | { type: "CANCEL" } }>(),
  actors: { loadUser: fromPromise<string>(() => Promise.reject(new Error("must not run"))) },
  guards: { isKnown: (_, { name }: { name: string }) => name !== "" },
}).createMachine({
  id: "loader",
  context: { user: null },
  initial: "idle",
  states: {
    idle: { on: { LOAD: "loading" } },
    loading: {
      invoke: {
        src: "loadUser",
        onDone: [
          {
            guard: { type: "isKnown", params: ({ event }) => ({ name: event.output }) },
            target: "shown",
            actions: assign({ user: ({ event }) => event.output }),
          },
          { target: "unknown" },
        ],
        onError: "failed",
      },
      on: { CANCEL: "idle" },
    },
    shown: { type: "final" },
    unknown: { on: { LOAD: "loading" } },
    failed: { on: { LOAD: "loading" } },
  },
});

test("what an invoked actor gives is a choice of the world, made only while it is invoked", () => {
  const result = checkMachine(loader, { invokes: { loadUser: { done: ["Ann", ""] } } });
  expect(result).toMatchObject({ verdict: "holds", states: 5, missing: [], dead: [] });
});

test("an output that is asked for and not given leaves open what depends on it, and is named", () => {
  const result = checkMachine(loader);
  expect(result).toMatchObject({ verdict: "inconclusive", dead: [], unreachable: [] });
  expect(result.missing).toMatchObject([
    { event: "loadUser is done", field: "output", states: ["loader.loading"], path: [{ name: "LOAD" }, {}] },
  ]);
});

test("outcomes that are left out on purpose are not made", () => {
  const { dead } = checkMachine(loader, { invokes: { loadUser: { done: ["Ann"], error: [] } } });
  expect(dead.map(({ transition, why }) => [transition.id, why])).toEqual([
    ["loader.loading|xstate.done.actor.0.loader.loading|1", "overridden"],
    ["loader.loading|xstate.error.actor.0.loader.loading|0", "event"],
    ["loader.unknown|LOAD|0", "source"],
    ["loader.failed|LOAD|0", "source"],
  ]);
});

test("an actor's error that nobody handles stops the machine, and is found", () => {
  const machine = setup({ actors: { save: fromPromise(() => Promise.resolve(1)) } }).createMachine({
    id: "m",
    initial: "saving",
    states: { saving: { invoke: { id: "save", src: "save", onDone: "saved" } }, saved: { type: "final" } },
  });
  const result = checkMachine(machine);
  expect(result.verdict).toBe("violated");
  expect(result.errors).toMatchObject([
    { cause: "unhandled", event: "save fails", states: ["m.saving"], message: "save failed" },
  ]);
  expect(checkMachine(machine, { invokes: { save: { error: [] } } }).verdict).toBe("holds");
});

test("a field of a default error that a guard reads is missing, its message is not", () => {
  const machine = (read: (error: Error & { code?: string }) => boolean) =>
    setup({ actors: { save: fromPromise(() => Promise.resolve(1)) } }).createMachine({
      id: "m",
      initial: "saving",
      states: {
        saving: {
          invoke: {
            id: "save",
            src: "save",
            onDone: "end",
            onError: [{ guard: ({ event }) => read(event.error as Error), target: "again" }, { target: "end" }],
          },
        },
        again: { on: { GO: "saving" } },
        end: { type: "final" },
      },
    });
  expect(checkMachine(machine(({ code }) => code === "BUSY")).missing).toMatchObject([{ field: "error.code" }]);
  expect(checkMachine(machine(({ message }) => message === "busy"))).toMatchObject({
    missing: [],
    verdict: "violated",
    unreachable: ["m.again"],
  });
});

test("an actor ends once; invoked anew it may end again", () => {
  const machine = setup({ actors: { job: fromPromise(() => Promise.resolve(1)) } }).createMachine({
    id: "m",
    type: "parallel",
    invoke: { id: "job", src: "job", onDone: { actions: raise({ type: "count" }) }, onError: {} },
    states: {
      counter: {
        initial: "none",
        states: { none: { on: { count: "once" } }, once: { on: { count: "twice" } }, twice: {} },
      },
    },
  });
  expect(checkMachine(machine, { events: [] }).unreachable).toEqual(["m.counter.twice"]);
  const again = setup({
    types: typesOf<{ context: { n: number } }>(),
    actors: { job: fromPromise(() => Promise.resolve(1)) },
  }).createMachine({
    id: "m",
    context: { n: 0 },
    initial: "works",
    states: {
      works: {
        invoke: { id: "job", src: "job", onDone: "rests", onError: "end" },
      },
      rests: {
        entry: assign({ n: ({ context }) => context.n + 1 }),
        always: [{ guard: ({ context }) => context.n >= 2, target: "end" }, "works"],
      },
      end: { type: "final" },
    },
  });
  expect(checkMachine(again)).toMatchObject({ verdict: "holds" });
});

test("snapshots of an actor are shown where the machine listens to them", () => {
  const machine = setup({ actors: { feed: fromObservable(() => ({ subscribe: () => ({ unsubscribe() {} }) })) } });
  const made = machine.createMachine({
    id: "m",
    initial: "a",
    states: {
      a: {
        invoke: {
          id: "feed",
          src: "feed",
          onSnapshot: { guard: ({ event }) => event.snapshot.context === 3, target: "b" },
          onDone: "b",
          onError: "b",
        },
      },
      b: { type: "final" },
    },
  });
  const given = checkMachine(made, { invokes: { feed: { snapshot: [{ context: 3 }], done: [], error: [] } } });
  expect(given.coverage.taken).toEqual(["m.a|xstate.snapshot.feed|0"]);
  expect(checkMachine(made).missing).toMatchObject([{ event: "feed shows a snapshot", field: "snapshot" }]);
});

test("history is part of a state", () => {
  const machine = createMachine({
    id: "m",
    initial: "on",
    states: {
      on: {
        initial: "low",
        states: { low: { on: { TURN: "high" } }, high: { on: { TURN: "low" } }, hist: { type: "history" } },
        on: { POWER: "off" },
      },
      off: { on: { POWER: "on.hist" } },
    },
  });
  expect(checkMachine(machine)).toMatchObject({ verdict: "holds", states: 8 });
});

test("a wildcard gets an event that nothing narrower takes", () => {
  const machine = createMachine({
    id: "m",
    initial: "a",
    states: {
      a: { on: { "mouse.click": "b", "mouse.*": "c", "*": "d", other: "a" } },
      b: { on: { "*": "a" } },
      c: { on: { "*": "a" } },
      d: { on: { "*": "a" } },
    },
  });
  const result = checkMachine(machine);
  expect(result).toMatchObject({ verdict: "holds", dead: [] });
  const loose = checkMachine(machine, { events: [{ type: "mouse.click" }, { type: "other" }] });
  expect(loose.unreachable).toEqual(["m.c", "m.d"]);
});

test("done states, routes, forbidden events and actions of a parent are followed", () => {
  const machine = createMachine({
    id: "m",
    initial: "work",
    states: {
      work: {
        type: "parallel",
        onDone: "told",
        states: {
          x: { initial: "a", states: { a: { on: { X: "end" } }, end: { type: "final" } } },
          y: { initial: "a", states: { a: { on: { Y: "end", X: {} } }, end: { type: "final" } } },
        },
      },
      told: { entry: sendParent({ type: "done" }), on: { AGAIN: "work" } },
      help: { id: "help", route: {}, on: { AGAIN: "work" } },
    },
  });
  const result = checkMachine(machine);
  expect(result).toMatchObject({ verdict: "holds", dead: [], unreachable: [], errors: [] });
  expect(result.coverage.taken).toContain("m|xstate.route|0");
});

test("spawned actors act under their id, and one without a name under what it is made from", () => {
  const machine = setup({
    actors: { job: fromPromise(() => Promise.resolve(1)), counter: fromTransition((n: number) => n + 1, 0) },
  }).createMachine({
    id: "m",
    initial: "a",
    states: {
      a: { entry: spawnChild("job", { id: "named" }), on: { "xstate.done.actor.named": "b" } },
      b: { entry: [stopChild("named"), spawnChild("counter")], on: { "xstate.done.actor.*": "c" } },
      c: { type: "final" },
    },
  });
  const result = checkMachine(machine, { invokes: { named: { error: [] }, counter: { error: [] } } });
  expect(result).toMatchObject({ verdict: "holds", states: 3 });
});

test("actors of one systemId in many states don't meet, and are found by it", () => {
  const machine = setup({ actors: { log: fromCallback(() => {}) } }).createMachine({
    id: "m",
    initial: "a",
    states: {
      a: {
        invoke: { src: "log", systemId: "log", id: "log", onError: "b" },
        on: {
          AGAIN: { target: "a", reenter: true },
          GO: { guard: ({ event }) => event.type === "GO", target: "b" },
          TELL: { actions: sendTo(({ system }) => system.get("log") as AnyActorRef, { type: "hi" }) },
        },
      },
      b: { on: { GO: "a" } },
    },
  });
  const result = checkMachine(machine, { invokes: { log: { done: [] } } });
  expect(result).toMatchObject({ verdict: "holds", errors: [], states: 2 });
});

test("assigns see the actor and the system that a running machine shows them", () => {
  const seen = new Set<string>();
  const machine = setup({ actors: { log: fromCallback(() => {}) } }).createMachine({
    id: "m",
    initial: "a",
    states: {
      a: {
        invoke: { src: "log", systemId: "log", onError: "b" },
        on: {
          GO: {
            actions: assign(({ self, system }) => {
              const { value } = self.getSnapshot() as { value: string };
              const log = system.get("log") as AnyActorRef | undefined;
              seen.add(`${self.id} in ${value} beside ${log?.id}`);
              return {};
            }),
          },
        },
      },
      b: { type: "final" },
    },
  });
  checkMachine(machine);
  expect([...seen]).toEqual(["m in a beside 0.m.a"]);
});
