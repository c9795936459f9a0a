import { expect, test } from "vitest";
import { RunBoard } from "../../../src/actors/runs/run-board.ts";
import { createVirtualClock } from "../../../src/testing/virtual-clock.ts";
import type { DesiredRun } from "../../../src/machines/index.ts";

/** A board of one place whose runs never end by themselves, and the actors that it has started, in order. */
function startBoard() {
  const started: string[] = [];
  const board = new RunBoard({
    concurrentRunsMax: 1,
    startStaggerMs: 0,
    clock: createVirtualClock(),
    onLost: () => {},
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
