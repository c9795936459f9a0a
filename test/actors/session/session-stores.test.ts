import { tool } from "ai";
import { expect, test } from "vitest";
import { sleep } from "../../../src/actors/model-run/sleep.ts";
import type { Append, Bus } from "../../../src/bus/bus.ts";
import { memoryBus } from "../../../src/bus/memory.ts";
import { defineAgent } from "../../../src/index.ts";
import { createVirtualClock, type VirtualClock } from "../../../src/testing/virtual-clock.ts";
import { anyInput, call, complete, member, one, startSystem } from "../../support/sessions.ts";

/** A bus that stores each input `latencyMs` after it was appended, and knows how many were on their way at most. */
function slowBus(clock: VirtualClock, latencyMs: number): Bus & { inFlightMost(): number } {
  const bus = memoryBus({ clock });
  let [inFlight, most] = [0, 0];
  return {
    ...bus,
    inFlightMost: () => most,
    async append(append) {
      inFlight += 1;
      most = Math.max(most, inFlight);
      await sleep(clock, latencyMs);
      inFlight -= 1;
      return bus.append(append);
    },
  };
}

/** Moves the clock on from timer to timer until the promise is settled. */
async function drive<Value>(clock: VirtualClock, promise: Promise<Value>): Promise<Value> {
  let isSettled = false;
  const settled = (): void => void (isSettled = true);
  promise.then(settled, settled);
  while (!isSettled) await clock.runUntilIdle();
  return promise;
}

/** A log in memory is cut every so many inputs: two points so far apart find it equally long. */
const cutInputs = 500;

test("graph row 6: over a store of 50 ms a chain of 1,000 takes 50 ms a member, with one write under way and a flat heap", async () => {
  const clock = createVirtualClock();
  const bus = slowBus(clock, 50);
  const times: number[] = [];
  const heapBytes = new Map<number, number>();
  const worker = defineAgent({
    run: () => {
      if (times.push(clock.now()) % 50 !== 0) return;
      globalThis.gc?.();
      heapBytes.set(times.length, process.memoryUsage().heapUsed);
    },
  });
  const { system, open } = await startSystem({ clock, bus, agents: { worker } });
  const session = await drive(clock, open());
  const members = Array.from({ length: 1_000 }, (_, n) =>
    one(`M${n}`, { agentType: "worker", dependsOn: n === 0 ? [] : [`M${n - 1}`] }),
  );
  const team = await drive(clock, session.createTeam({ name: "T", members }));
  expect(await drive(clock, team.finished())).toMatchObject({ outcome: "completed" });
  expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBe(999 * 50);
  expect(bus.inFlightMost()).toBe(1);
  // What piles up shows between any two points, what a compiler keeps between some; a member that has completed is more
  // than its declaration by some hundred bytes, and an input that is kept by as many again.
  const keptPerMember = [200, 250, 300, 350, 400, 450].map(
    (from) => ((heapBytes.get(from + cutInputs) ?? Infinity) - (heapBytes.get(from) ?? 0)) / cutInputs,
  );
  expect(Math.min(...keptPerMember)).toBeLessThan(600);
  await drive(clock, system.close());
});

/** A bus that knows how many bytes each thing that is stored has. */
function weighingBus(): Bus & { readonly weights: { readonly type: string; readonly bytes: number }[] } {
  const bus = memoryBus();
  const weights: { type: string; bytes: number }[] = [];
  const weigh = (type: string, value: unknown) => weights.push({ type, bytes: JSON.stringify(value).length });
  return {
    ...bus,
    weights,
    append(append: Append) {
      weigh(append.input.event.type, append);
      return bus.append(append);
    },
    checkpoints: {
      ...bus.checkpoints,
      put(key, value, expected) {
        weigh("checkpoint", value);
        return bus.checkpoints.put(key, value, expected);
      },
    },
    blobs: {
      ...bus.blobs,
      put(digest, value) {
        weigh("blob", value);
        return bus.blobs.put(digest, value);
      },
    },
  };
}

test("graph row 11: 20 tool steps store what is new in each step and no more, and an idle member stores nothing", async () => {
  const noteBytes = 2_000;
  const bus = weighingBus();
  const note = tool({ inputSchema: anyInput, execute: () => "x".repeat(noteBytes) });
  const steps = Array.from({ length: 20 }, () => call("note"));
  await using tests = await startSystem({
    bus,
    script: { A: [...steps, complete()] },
    agents: { worker: defineAgent({ model: "scripted", tools: { note } }) },
  });
  const session = await tests.open();
  const team = await session.createTeam({
    name: "T",
    members: [one("A", { agentType: "worker", lifetime: "persistent" })],
  });
  await team.finished();
  await tests.clock.advance(60_000);
  expect(member(session, "A")).toMatchObject({ status: "completed", presence: "idle" });
  const perStep: number[] = [0];
  for (const { type, bytes } of bus.weights.slice(
    bus.weights.findIndex(({ type: each }) => each === "team.create") + 1,
  )) {
    perStep.push((perStep.pop() ?? 0) + bytes);
    if (type === "step.ended") perStep.push(0);
  }
  // The first step also has the task, the last ones the delivery.
  const later = perStep.slice(1, 20);
  expect(later).toHaveLength(19);
  expect(Math.min(...later)).toBeGreaterThan(noteBytes);
  expect(Math.max(...later)).toBeLessThan(noteBytes + 2_000);
  expect(Math.max(...later) - Math.min(...later)).toBeLessThan(100);
  const stored = bus.weights.length;
  await tests.clock.advance(24 * 3_600_000);
  expect(bus.weights).toHaveLength(stored);
});
