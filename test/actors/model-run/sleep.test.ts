import { getEventListeners } from "node:events";
import { expect, test } from "vitest";
import { sleep } from "../../../src/actors/model-run/sleep.ts";
import { createVirtualClock } from "../../../src/testing/virtual-clock.ts";

test("a sleep ends after its time and leaves no listener on its signal", async () => {
  const clock = createVirtualClock();
  const { signal } = new AbortController();
  let isAwake = false;
  void sleep(clock, 10, signal).then(() => (isAwake = true));
  await clock.advance(9);
  expect(isAwake).toBe(false);
  await clock.advance(1);
  expect([isAwake, getEventListeners(signal, "abort").length]).toEqual([true, 0]);
});

test("an abort ends it at once with the signal's reason, and its timer is gone", async () => {
  const clock = createVirtualClock();
  const controller = new AbortController();
  const slept = sleep(clock, 10, controller.signal);
  const reason = new Error("enough");
  controller.abort(reason);
  await expect(slept).rejects.toBe(reason);
  expect(clock.pending).toBe(0);
});

test("with a signal that is aborted already nothing is armed", async () => {
  const clock = createVirtualClock();
  await expect(sleep(clock, 10, AbortSignal.abort())).rejects.toThrow("aborted");
  expect(clock.pending).toBe(0);
});
