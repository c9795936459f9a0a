import { afterEach, expect, test, vi } from "vitest";
import { systemClock } from "../../../src/actors/system/system-clock.ts";

afterEach(() => vi.useRealTimers());

test("a timer fires once, after its delay", () => {
  vi.useFakeTimers();
  const fired: number[] = [];
  const start = systemClock.now();
  systemClock.setTimeout(() => fired.push(systemClock.now() - start), 250);
  vi.advanceTimersByTime(1_000);
  expect(fired).toEqual([250]);
});

test("a delay longer than the platform's timers are kept is kept all the same", () => {
  vi.useFakeTimers();
  const days40 = 40 * 86_400_000;
  let fired = 0;
  systemClock.setTimeout(() => (fired += 1), days40);
  vi.advanceTimersByTime(days40 - 1);
  expect(fired).toBe(0);
  vi.advanceTimersByTime(1);
  expect(fired).toBe(1);
});

test("a cleared timer leaves nothing armed, in its second stretch too", () => {
  vi.useFakeTimers();
  const timer = systemClock.setTimeout(() => expect.unreachable(), 40 * 86_400_000);
  vi.advanceTimersByTime(30 * 86_400_000);
  expect(vi.getTimerCount()).toBe(1);
  systemClock.clearTimeout(timer);
  expect(vi.getTimerCount()).toBe(0);
});

test("a handle of another clock is left alone", () => {
  expect(() => systemClock.clearTimeout({})).not.toThrow();
});
