import { generateText } from "ai";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createCallLimiter } from "../../../src/actors/models/call-limiter.ts";
import type { LanguageModelV4 } from "../../../src/actors/models/language-model-v4.ts";
import { scriptedModel } from "../../../src/actors/models/scripted-model.ts";
import { createVirtualClock } from "../../../src/testing/virtual-clock.ts";
import { heldModel } from "../../support/held-model.ts";
import { partsOf, prompt, rateLimited, turns } from "../../support/model-calls.ts";

test.each(["rate_limited", "overloaded"] as const)(
  "%s with a wait holds every call of the key until then",
  async (kind) => {
    const clock = createVirtualClock();
    const limiter = createCallLimiter({ clock, random: () => 0 });
    const model = limiter.limit(scriptedModel({ A: [{ error: kind, retryAfterMs: 1_000 }], B: [{ text: "b" }] }));
    const call = (actor: string) =>
      Promise.resolve(model.doGenerate({ prompt, providerOptions: { teamchart: { actor } } }));
    await expect(call("A")).rejects.toThrow();
    expect(limiter.state().pausedUntil).toBe(1_000);
    let answeredAt: number | null = null;
    const waiting = call("B").then(() => (answeredAt = clock.now()));
    await clock.advance(999);
    expect([answeredAt, limiter.state()]).toEqual([null, { running: 0, waiting: 1, pausedUntil: 1_000 }]);
    await clock.advance(1);
    await waiting;
    expect([answeredAt, limiter.state()]).toEqual([1_000, { running: 0, waiting: 0, pausedUntil: null }]);
  },
);

test("the same failure in the middle of a stream holds them too", async () => {
  const limiter = createCallLimiter({ clock: createVirtualClock(), random: () => 0 });
  const held = heldModel();
  const { stream } = await limiter.limit(held.model).doStream({ prompt });
  held.open[0]?.enqueue({ type: "error", error: rateLimited(500) });
  held.open[0]?.close();
  await partsOf(stream);
  expect(limiter.state().pausedUntil).toBe(500);
});

test("calls that waited for a slot already wait for the pause as well", async () => {
  const clock = createVirtualClock();
  const limiter = createCallLimiter({ clock, concurrentCallsMax: 1, random: () => 0 });
  const model = limiter.limit(
    scriptedModel([{ error: "rate_limited", retryAfterMs: 1_000, delayMs: 10 }, { text: "ok" }], { clock }),
  );
  const first = Promise.resolve(model.doGenerate({ prompt })).catch(() => "failed");
  const second = Promise.resolve(model.doGenerate({ prompt })).then(() => clock.now());
  await clock.advance(10);
  expect(await first).toBe("failed");
  expect(limiter.state()).toEqual({ running: 0, waiting: 1, pausedUntil: 1_010 });
  await clock.runUntilIdle();
  expect(await second).toBe(1_010);
});

test("a longer wait replaces a shorter one, a shorter one changes nothing", async () => {
  const clock = createVirtualClock();
  const limiter = createCallLimiter({ clock, random: () => 0 });
  const waits = [500, 2_000, 100];
  const model = limiter.limit({
    ...scriptedModel([{ text: "ok" }]),
    doStream: async () => {
      throw rateLimited(waits.shift() ?? 0);
    },
  });
  const failing = [1, 2, 3].map(() => Promise.resolve(model.doStream({ prompt })).catch(() => undefined));
  const waiting = Promise.all(failing).then(() => model.doGenerate({ prompt }));
  await turns();
  expect(limiter.state()).toMatchObject({ waiting: 1, pausedUntil: 2_000 });
  await clock.runUntilIdle();
  await waiting;
  expect(clock.now()).toBe(2_000);
});

test("a longer wait that comes while calls wait already keeps them waiting", async () => {
  const clock = createVirtualClock();
  const limiter = createCallLimiter({ clock, concurrentCallsMax: 3, random: () => 0 });
  const held = heldModel();
  const model = limiter.limit(held.model);
  const streams = [await model.doStream({ prompt }), await model.doStream({ prompt })];
  const failures = [rateLimited(100), rateLimited(1_000)];
  for (const [index, error] of failures.entries()) {
    held.open[index]?.error(error);
    await partsOf(streams[index]?.stream ?? new ReadableStream()).catch(() => undefined);
    void model.doStream({ prompt });
    await clock.advance(50);
  }
  await clock.advance(800);
  expect(held.begun()).toBe(2);
  await clock.runUntilIdle();
  expect([held.begun(), clock.now()]).toEqual([4, 1_050]);
});

test.each([
  ["no wait is named", rateLimited(0)],
  ["the failure is another", new Error("x")],
])("nothing is held when %s", async (_case, error) => {
  const limiter = createCallLimiter({ clock: createVirtualClock() });
  const doGenerate = async () => {
    throw error;
  };
  const model = limiter.limit({ ...scriptedModel([]), doGenerate });
  await Promise.resolve(model.doGenerate({ prompt })).catch(() => undefined);
  expect(limiter.state().pausedUntil).toBeNull();
});

test("the jitter lengthens a pause by at most a quarter and never shortens it", async () => {
  const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
  await fc.assert(
    fc.asyncProperty(random, fc.integer({ min: 1, max: 100_000 }), async (value, retryAfterMs) => {
      const limiter = createCallLimiter({ clock: createVirtualClock(), random: () => value });
      const model = limiter.limit(scriptedModel([{ error: "rate_limited", retryAfterMs }]));
      await Promise.resolve(model.doGenerate({ prompt })).catch(() => undefined);
      const until = limiter.state().pausedUntil ?? 0;
      expect(until).toBeGreaterThanOrEqual(retryAfterMs);
      expect(until).toBeLessThanOrEqual(Math.ceil(retryAfterMs * 1.25));
    }),
    { numRuns: 50 },
  );
});

test("a pause arms a timer only while a call waits for its end", async () => {
  const clock = createVirtualClock();
  const limiter = createCallLimiter({ clock, random: () => 0 });
  const model = limiter.limit(scriptedModel([{ error: "rate_limited", retryAfterMs: 1_000 }, { text: "ok" }]));
  await Promise.resolve(model.doGenerate({ prompt })).catch(() => undefined);
  expect(clock.pending).toBe(0);
  const controller = new AbortController();
  const waiting = Promise.resolve(model.doGenerate({ prompt, abortSignal: controller.signal }));
  await turns();
  expect(clock.pending).toBe(1);
  controller.abort();
  await expect(waiting).rejects.toThrow();
  expect([clock.pending, limiter.state().pausedUntil]).toEqual([0, 1_000]);
  const last = Promise.resolve(model.doGenerate({ prompt })).then(() => clock.now());
  await clock.runUntilIdle();
  expect(await last).toBe(1_000);
});

test("close ends every waiting call and the timer", async () => {
  const clock = createVirtualClock();
  const limiter = createCallLimiter({ clock, random: () => 0 });
  const model = limiter.limit(scriptedModel([{ error: "rate_limited", retryAfterMs: 1_000 }, { text: "never" }]));
  await Promise.resolve(model.doGenerate({ prompt })).catch(() => undefined);
  const waiting = Promise.resolve(model.doGenerate({ prompt }));
  await turns();
  limiter.close();
  await expect(waiting).rejects.toMatchObject({ name: "AbortError" });
  expect([clock.pending, limiter.state().waiting]).toEqual([0, 0]);
});

test("a 429 costs no more than the calls that were under way: the others wait for the shared pause", async () => {
  const clock = createVirtualClock();
  let calls = 0;
  const inner: LanguageModelV4 = {
    ...scriptedModel([]),
    doGenerate: async (options) => {
      calls += 1;
      if (clock.now() < 1_000) throw rateLimited(1_000 - clock.now());
      return scriptedModel([{ text: "ok" }]).doGenerate(options);
    },
  };
  const model = createCallLimiter({ clock, random: () => 0 }).limit(inner);
  const member = async (): Promise<string> => {
    for (;;) {
      try {
        return (await generateText({ model, prompt: "Go.", maxRetries: 0 })).text;
      } catch {
        // Its turn comes after the pause.
      }
    }
  };
  const members = Promise.all(Array.from({ length: 20 }, member));
  await clock.runUntilIdle();
  expect(await members).toEqual(Array(20).fill("ok"));
  expect(calls).toBeLessThanOrEqual(25);
});
