import { expect, test } from "vitest";
import { guardSignal } from "../../../src/actors/runs/guard-signal.ts";

test("a listener that was taken off a guarded signal hears nothing of its abort, in whatever form it was given", () => {
  const controller = new AbortController();
  const faults: unknown[] = [];
  const signal = guardSignal(controller.signal, (fault) => faults.push(fault));
  const heard: string[] = [];
  const listeners = (name: string) => [() => void heard.push(name), { handleEvent: () => void heard.push(name) }];
  for (const listener of listeners("kept")) signal.addEventListener("abort", listener);
  for (const listener of listeners("taken off")) {
    signal.addEventListener("abort", listener);
    signal.removeEventListener("abort", listener);
  }
  controller.abort();
  expect([heard, faults]).toEqual([["kept", "kept"], []]);
});

test("what a listener throws is told, and the others hear of the abort all the same", () => {
  const controller = new AbortController();
  const faults: unknown[] = [];
  const signal = guardSignal(controller.signal, (fault) => faults.push(fault));
  const heard: string[] = [];
  signal.addEventListener("abort", () => {
    throw new Error("broken");
  });
  signal.addEventListener("abort", () => void heard.push("second"));
  controller.abort();
  expect([heard, faults]).toMatchObject([["second"], [{ message: "broken" }]]);
});
