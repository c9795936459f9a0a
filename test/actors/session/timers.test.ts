import { expect, test } from "vitest";
import { TimerBoard } from "../../../src/actors/session/timers.ts";
import type { DesiredTimer } from "../../../src/machines/index.ts";
import { createVirtualClock } from "../../../src/testing/virtual-clock.ts";

/** A board whose clock counts what is armed and disarmed. */
function startBoard() {
  const clock = createVirtualClock();
  const due: string[] = [];
  const board = new TimerBoard(clock, ({ key }) => due.push(key));
  return { clock, due, board };
}

const timer = (key: string, generation = 1): DesiredTimer => ({ key, generation, armedAt: 0, ms: 100 });

test("a timer that is kept is armed once, an older generation gives way, and null disarms", async () => {
  const { board, clock, due } = startBoard();
  board.keep("a", timer("a"));
  board.keep("a", timer("a"));
  board.keep("a", timer("a", 2));
  board.keep("b", timer("b"));
  board.keep("b", null);
  expect([board.size, clock.pending]).toEqual([1, 1]);
  await clock.advance(100);
  expect([due, board.size]).toEqual([["a"], 0]);
});

test("whatever is not among the desired timers is disarmed", async () => {
  const { board, clock, due } = startBoard();
  board.reconcile([timer("a"), timer("b"), timer("c")]);
  board.reconcile([timer("b"), timer("c", 2)]);
  expect(clock.pending).toBe(2);
  await clock.advance(100);
  expect(due.toSorted()).toEqual(["b", "c"]);
});

test("looking at one key looks at no other, however many are armed", () => {
  const { board } = startBoard();
  const looked = new Set<string>();
  for (let n = 0; n < 100; n += 1) {
    const key = `idle:${n}`;
    const watched = {
      ...timer(key),
      get generation() {
        looked.add(key);
        return 1;
      },
    };
    board.keep(key, watched);
  }
  looked.clear();
  board.keep("idle:7", timer("idle:7"));
  expect([...looked]).toEqual(["idle:7"]);
});
