import fc from "fast-check";
import { expect, test } from "vitest";
import { createVirtualClock } from "../../src/testing/virtual-clock.ts";

test("time stands still until it is moved", async () => {
  const clock = createVirtualClock(1_000);
  let fired = false;
  clock.setTimeout(() => (fired = true), 0);
  await Promise.resolve();
  expect([clock.now(), fired, clock.pending]).toEqual([1_000, false, 1]);
});

test("timers fire at their own time, in the order of their times, then in the order in which they were set", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: -5, max: 20 }), { maxLength: 12 }), async (delays) => {
      const clock = createVirtualClock();
      const fired: { index: number; at: number }[] = [];
      for (const [index, delay] of delays.entries()) {
        clock.setTimeout(() => fired.push({ index, at: clock.now() }), delay);
      }
      await clock.advance(20);
      const expected = delays
        .map((delay, index) => ({ index, at: Math.max(delay, 0) }))
        .toSorted((a, b) => a.at - b.at || a.index - b.index);
      expect(fired).toEqual(expected);
      expect([clock.now(), clock.pending]).toEqual([20, 0]);
    }),
    { numRuns: 50 },
  );
});

test("a timer that is not due stays armed", async () => {
  const clock = createVirtualClock();
  const fired: string[] = [];
  clock.setTimeout(() => fired.push("due"), 10);
  clock.setTimeout(() => fired.push("later"), 11);
  await clock.advance(10);
  expect([fired, clock.pending]).toEqual([["due"], 1]);
});

test("promises settle between two timers", async () => {
  const clock = createVirtualClock();
  const seen: string[] = [];
  clock.setTimeout(() => {
    void Promise.resolve()
      .then(() => new Promise((resolve) => setImmediate(resolve)))
      .then(() => seen.push("settled"));
  }, 1);
  clock.setTimeout(() => seen.push("next timer"), 1);
  await clock.advance(1);
  expect(seen).toEqual(["settled", "next timer"]);
});

test("what was under way before the move settles first, and its timers are due from then on", async () => {
  const clock = createVirtualClock();
  const firedAt: number[] = [];
  void Promise.resolve().then(() => clock.setTimeout(() => firedAt.push(clock.now()), 5));
  await clock.advance(5);
  expect(firedAt).toEqual([5]);
});

test("a timer set by a timer fires in the same move when it is due by its end", async () => {
  const clock = createVirtualClock();
  const firedAt: number[] = [];
  clock.setTimeout(() => clock.setTimeout(() => firedAt.push(clock.now()), 3), 2);
  await clock.advance(10);
  expect([firedAt, clock.now()]).toEqual([[5], 10]);
});

test("a cleared timer never fires, and clearing it again does nothing", async () => {
  const clock = createVirtualClock();
  let fired = false;
  const timer = clock.setTimeout(() => (fired = true), 1);
  clock.clearTimeout(timer);
  clock.clearTimeout(timer);
  await clock.advance(5);
  expect([fired, clock.pending]).toEqual([false, 0]);
});

test("a timer can clear another that is due at the same time", async () => {
  const clock = createVirtualClock();
  const fired: string[] = [];
  clock.setTimeout(() => clock.clearTimeout(second), 1);
  const second = clock.setTimeout(() => fired.push("second"), 1);
  await clock.advance(1);
  expect(fired).toEqual([]);
});

test("runUntilIdle goes from timer to timer and stops at the last one's time", async () => {
  const clock = createVirtualClock();
  const firedAt: number[] = [];
  clock.setTimeout(() => clock.setTimeout(() => firedAt.push(clock.now()), 3_600_000), 50);
  await clock.runUntilIdle();
  expect([firedAt, clock.now(), clock.pending]).toEqual([[3_600_050], 3_600_050, 0]);
});

test("timers that set each other for ever are refused instead of running for ever", async () => {
  const clock = createVirtualClock();
  const again = (): void => void clock.setTimeout(again, 0);
  again();
  await expect(clock.runUntilIdle()).rejects.toThrow(/without end/);
});

test("what a timer throws reaches whoever moves the clock, and the clock can be moved on", async () => {
  const clock = createVirtualClock();
  const fired: string[] = [];
  clock.setTimeout(() => {
    throw new Error("boom");
  }, 1);
  clock.setTimeout(() => fired.push("next"), 2);
  await expect(clock.advance(5)).rejects.toThrow("boom");
  await clock.advance(5);
  expect(fired).toEqual(["next"]);
});

test.each([-1, NaN, Infinity])("a move by %d is refused", async (ms) => {
  await expect(createVirtualClock().advance(ms)).rejects.toThrow(RangeError);
});

test("two moves at once are refused", async () => {
  const clock = createVirtualClock();
  const first = clock.advance(1);
  await expect(clock.advance(1)).rejects.toThrow(/moving already/);
  await first;
});
