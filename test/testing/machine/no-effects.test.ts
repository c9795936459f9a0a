import {
  createActor,
  createMachine,
  emit,
  enqueueActions,
  fromCallback,
  fromPromise,
  log,
  raise,
  sendTo,
  setup,
  spawnChild,
} from "xstate";
import { expect, test } from "vitest";
import { checkMachine } from "../../../src/testing/index.ts";

/** A machine all of whose effects are written down, and its timers would be armed at once. */
function noisyMachine(done: (what: string) => void) {
  const callback = fromCallback(() => {
    done("callback");
    return () => done("cleanup");
  });
  const promise = fromPromise(() => {
    done("promise");
    return Promise.resolve(1);
  });
  const child = createMachine({
    entry: () => done("child entry"),
    invoke: { src: promise },
    after: { 1: { actions: () => done("child timer") } },
  });
  return setup({
    actors: { callback, promise, child },
    actions: { write: (_, { what }: { what: string }) => done(what) },
  }).createMachine({
    id: "noisy",
    initial: "a",
    entry: { type: "write", params: { what: "entry" } },
    exit: { type: "write", params: { what: "exit" } },
    invoke: [
      { src: "callback", onError: {} },
      { src: fromCallback(() => done("inline")), onError: {} },
    ],
    on: { "xstate.error.actor.*": {} },
    states: {
      a: {
        entry: [
          spawnChild("promise", { id: "spawned", systemId: "spawned" }),
          log("log"),
          emit({ type: "emitted" }),
          enqueueActions(({ enqueue }) => {
            enqueue(() => done("enqueued"));
            enqueue.spawnChild("child", { id: "child" });
          }),
        ],
        exit: () => done("inline exit"),
        on: {
          GO: {
            target: "b",
            actions: [
              () => done("inline action"),
              sendTo("child", { type: "hello" }),
              raise({ type: "later" }, { delay: 5 }),
            ],
          },
        },
      },
      b: {
        after: { 1: { target: "c", actions: () => done("timer") } },
      },
      c: { on: { later: "d" } },
      d: { type: "final" },
    },
  });
}

test("checking runs no action, starts no actor and arms no timer", async () => {
  const effects: string[] = [];
  const timers = new Set<unknown>();
  const original = globalThis.setTimeout;
  globalThis.setTimeout = ((...given: Parameters<typeof original>) => {
    timers.add(given[1]);
    return original(...given);
  }) as typeof original;
  let check: ReturnType<typeof checkMachine>;
  try {
    check = checkMachine(noisyMachine((what) => effects.push(what)));
  } finally {
    globalThis.setTimeout = original;
  }
  await new Promise((resolve) => void setImmediate(resolve));
  expect(effects).toEqual([]);
  expect([...timers]).toEqual([]);
  // All of it was walked through.
  expect(check).toMatchObject({ unreachable: [], dead: [], errors: [] });
});

test("the same machine has its effects when it runs", () => {
  const effects = new Set<string>();
  const actor = createActor(
    noisyMachine((what) => effects.add(what)),
    { logger: () => effects.add("log") },
  ).start();
  actor.send({ type: "GO" });
  actor.stop();
  const early = ["entry", "callback", "inline", "promise", "enqueued", "child entry", "inline exit", "inline action"];
  expect([...effects]).toEqual(expect.arrayContaining([...early, "log", "cleanup"]));
});
