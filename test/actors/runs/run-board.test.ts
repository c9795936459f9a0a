import { expect, test } from "vitest";
import { RunBoard, type RunBoardOptions } from "../../../src/actors/runs/run-board.ts";
import { createVirtualClock } from "../../../src/testing/virtual-clock.ts";
import type { Clock } from "../../../src/protocol/clock.ts";
import type { DesiredRun } from "../../../src/machines/index.ts";

/** A board of one place whose runs never end by themselves, and the actors that it has started, in order. */
function startBoard(more: Partial<RunBoardOptions> = {}) {
  const started: string[] = [];
  const board = new RunBoard({
    applied: () => Promise.resolve(),
    concurrentRunsMax: 1,
    startStaggerMs: 0,
    clock: createVirtualClock(),
    onLost: () => {},
    ...more,
    start: ({ actor }) => {
      started.push(actor);
      return { abort: () => {}, poke: () => {}, done: new Promise(() => {}), failed: null };
    },
  });
  return { board, started };
}

const run = (actor: string, n = 1): DesiredRun => ({ actor, epoch: 1, n, kind: "work" });

test("a run that waits for a place keeps it when its actor is touched", () => {
  const { board, started } = startBoard();
  for (const actor of ["A", "B", "C", "D"]) void board.reconcile(actor, run(actor));
  void board.reconcile("B", run("B", 2));
  for (const actor of ["A", "B", "C"]) {
    void board.reconcile(actor, null);
    board.startWaiting();
  }
  expect(started).toEqual(["A", "B", "C", "D"]);
});

test("a run that is no longer wanted gives its place in the row up", () => {
  const { board, started } = startBoard();
  for (const actor of ["A", "B", "C"]) void board.reconcile(actor, run(actor));
  void board.reconcile("B", null);
  void board.reconcile("B", run("B"));
  for (const actor of ["A", "C"]) {
    void board.reconcile(actor, null);
    board.startWaiting();
  }
  expect(started).toEqual(["A", "C", "B"]);
});

test("who waits and is no longer wanted in the same breath as the one before it is not started", () => {
  const { board, started } = startBoard();
  for (const actor of ["A", "B"]) void board.reconcile(actor, run(actor));
  for (const actor of ["A", "B"]) void board.reconcile(actor, null);
  board.startWaiting();
  expect([started, board.waiting]).toEqual([["A"], 0]);
});

test("who waits in a team that is gone is not started when a place becomes free", () => {
  const { board, started } = startBoard();
  for (const actor of ["A", "B", "C"]) void board.reconcile(actor, run(actor));
  board.stopUnless((actor) => actor === "C");
  board.startWaiting();
  expect([started, board.waiting]).toEqual([["A", "C"], 0]);
});

test("a clock that is set back holds a start up for no longer than its pause", async () => {
  const virtual = createVirtualClock();
  let back = 0;
  const clock: Clock = {
    now: () => virtual.now() - back,
    setTimeout: (callback, ms) => virtual.setTimeout(callback, ms),
    clearTimeout: (handle) => virtual.clearTimeout(handle),
  };
  const { board, started } = startBoard({ concurrentRunsMax: 0, startStaggerMs: 1_000, clock });
  void board.reconcile("A", run("A"));
  back = 3_600_000;
  void board.reconcile("B", run("B"));
  await virtual.advance(1_000);
  expect([started, board.timers]).toEqual([["A", "B"], 0]);
});
