import { EventEmitter } from "node:events";
import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { openOutput } from "../../../src/cli/output.ts";
import { watchInterrupts } from "../../../src/cli/run/interrupts.ts";

/** A process as far as interrupts see it. */
function stage() {
  const signals = new EventEmitter();
  const exits: unknown[] = [];
  const stdout = new PassThrough();
  // The parts of a process and its streams that are used here; the others are never touched.
  const host = {
    on: signals.on.bind(signals),
    off: signals.off.bind(signals),
    exit: (code: unknown) => exits.push(code),
  } as never;
  const output = openOutput({ stdout, stderr: new PassThrough() } as never);
  return { signals, exits, stdout, interrupts: watchInterrupts(host, output) };
}

test.each(["SIGINT", "SIGTERM", "SIGHUP"])(
  "the first %s is the user's wish to stop, the second ends the process",
  async (name) => {
    const { signals, exits, interrupts } = stage();
    signals.emit(name);
    await expect(interrupts.first).resolves.toBe("user");
    expect(exits).toEqual([]);
    signals.emit(name);
    expect(exits).toEqual([130]);
  },
);

test("a reader that goes away is no user, and the user may still press Ctrl-C once", async () => {
  const { stdout, exits, interrupts } = stage();
  stdout.emit("error", Object.assign(new Error("write EPIPE"), { code: "EPIPE" }));
  await expect(interrupts.first).resolves.toBe("reader");
  interrupts.raise();
  expect(exits).toEqual([]);
});

test("nobody listens any more once it is closed", () => {
  const { signals, interrupts } = stage();
  interrupts.close();
  expect(signals.eventNames()).toEqual([]);
});
