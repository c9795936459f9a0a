import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { streamText } from "ai";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createCallLimiter } from "../../../src/actors/models/call-limiter.ts";
import type { LanguageModelV4, StreamPart } from "../../../src/actors/models/language-model-v4.ts";
import { scriptedModel } from "../../../src/actors/models/scripted-model.ts";
import { sleep } from "../../../src/actors/model-run/sleep.ts";
import { createVirtualClock } from "../../../src/testing/virtual-clock.ts";
import { heldModel } from "../../support/held-model.ts";
import { partsOf, prompt, turns } from "../../support/model-calls.ts";
import { startOpenAiServer } from "../../support/openai-server.ts";

test("a streamed call holds its slot until its stream ends", async () => {
  const limiter = createCallLimiter({ concurrentCallsMax: 2 });
  const held = heldModel();
  const model = limiter.limit(held.model);
  const calls = [1, 2, 3, 4].map(async () => partsOf((await model.doStream({ prompt })).stream));
  await turns();
  expect([held.begun(), limiter.state()]).toEqual([2, { running: 2, waiting: 2, pausedUntil: null }]);
  held.open[0]?.enqueue({ type: "text-start", id: "0" });
  await turns();
  expect(held.begun()).toBe(2);
  held.open[0]?.close();
  await turns();
  expect([held.begun(), limiter.state()]).toEqual([3, { running: 2, waiting: 1, pausedUntil: null }]);
  for (let index = 1; index < 4; index += 1) {
    held.open[index]?.close();
    await turns();
  }
  await Promise.all(calls);
  expect(limiter.state()).toEqual({ running: 0, waiting: 0, pausedUntil: null });
});

test("five calls of a key run at once unless it is said otherwise", async () => {
  const limiter = createCallLimiter();
  const held = heldModel();
  const model = limiter.limit(held.model);
  for (let n = 0; n < 8; n += 1) void model.doStream({ prompt }).then(({ stream }) => partsOf(stream));
  await turns();
  expect(limiter.state()).toMatchObject({ running: 5, waiting: 3 });
});

test.each([
  ["its stream fails", (held: ReturnType<typeof heldModel>) => held.open[0]?.error(new Error("cut"))],
  ["its stream is cancelled", (_held: ReturnType<typeof heldModel>, stream: ReadableStream) => void stream.cancel()],
])("a slot is given back when %s", async (_how, end) => {
  const limiter = createCallLimiter({ concurrentCallsMax: 1 });
  const held = heldModel();
  const { stream } = await limiter.limit(held.model).doStream({ prompt });
  end(held, stream);
  if (!stream.locked) await partsOf(stream).catch(() => undefined);
  await turns();
  expect(limiter.state().running).toBe(0);
});

test("a cancelled stream cancels the model's own", async () => {
  let reason: unknown = null;
  const source = new ReadableStream<StreamPart>({ cancel: (given) => void (reason = given) });
  const model: LanguageModelV4 = { ...scriptedModel([]), doStream: async () => ({ stream: source }) };
  const { stream } = await createCallLimiter().limit(model).doStream({ prompt });
  await stream.cancel("enough");
  expect(reason).toBe("enough");
});

test("a slot is given back at once when a running call is aborted, even if the model ignores it", async () => {
  const limiter = createCallLimiter({ concurrentCallsMax: 1 });
  const held = heldModel();
  const model = limiter.limit(held.model);
  const controller = new AbortController();
  await model.doStream({ prompt, abortSignal: controller.signal });
  void model.doStream({ prompt });
  await turns();
  expect(held.begun()).toBe(1);
  controller.abort();
  await turns();
  expect([held.begun(), limiter.state()]).toEqual([2, { running: 1, waiting: 0, pausedUntil: null }]);
});

test("a waiting call that is aborted leaves the queue without a request, with its signal's reason", async () => {
  const limiter = createCallLimiter({ concurrentCallsMax: 1 });
  const held = heldModel();
  const model = limiter.limit(held.model);
  await model.doStream({ prompt });
  const controller = new AbortController();
  const waiting = Promise.resolve(model.doStream({ prompt, abortSignal: controller.signal }));
  await turns();
  const reason = new Error("enough");
  controller.abort(reason);
  await expect(waiting).rejects.toBe(reason);
  expect([held.begun(), limiter.state().waiting]).toEqual([1, 0]);
  await expect(Promise.resolve(model.doGenerate({ prompt, abortSignal: controller.signal }))).rejects.toBe(reason);
});

test("a call that fails gives its slot back and throws the model's own error", async () => {
  const limiter = createCallLimiter({ concurrentCallsMax: 1 });
  const model = limiter.limit(scriptedModel([{ error: "network" }, { error: "network" }, { text: "ok" }]));
  await expect(Promise.resolve(model.doStream({ prompt }))).rejects.toThrow("ECONNRESET");
  await expect(Promise.resolve(model.doGenerate({ prompt }))).rejects.toThrow("ECONNRESET");
  expect((await model.doGenerate({ prompt })).content).toMatchObject([{ text: "ok" }]);
  await turns();
  expect(limiter.state().running).toBe(0);
});

test("the model keeps its identity behind the limiter", () => {
  const scripted = scriptedModel([]);
  const { provider, modelId, specificationVersion, supportedUrls } = createCallLimiter().limit(scripted);
  expect({ provider, modelId, specificationVersion, supportedUrls }).toEqual({
    provider: "scripted",
    modelId: "scripted",
    specificationVersion: "v4",
    supportedUrls: {},
  });
});

test("20 streams over HTTP never have more than 5 requests open at the server", async () => {
  const gate = Promise.withResolvers<void>();
  await using server = await startOpenAiServer((_request, index) => {
    // Answers begin well after the fifth request, when more would have come if they could.
    if (index === 4) void turns(50).then(gate.resolve);
    return { text: "a whole answer", after: gate.promise };
  });
  const limiter = createCallLimiter();
  const model = limiter.limit(createOpenAICompatible({ name: "local", baseURL: server.baseUrl })("m"));
  const run = async (): Promise<string> => streamText({ model, prompt: "Go.", maxRetries: 0 }).text;
  expect(await Promise.all(Array.from({ length: 20 }, run))).toEqual(Array(20).fill("a whole answer"));
  expect([server.openMax, limiter.state().running]).toEqual([5, 0]);
});

test("stalled streams that are aborted leave no request open and make room for the others", async () => {
  await using server = await startOpenAiServer((_request, index) =>
    index < 7 ? { stall: true, afterText: "half" } : { text: "a whole answer" },
  );
  const limiter = createCallLimiter();
  const model = limiter.limit(createOpenAICompatible({ name: "local", baseURL: server.baseUrl })("m"));
  const run = async (): Promise<string> => {
    const controller = new AbortController();
    const { stream } = streamText({ model, prompt: "Go.", maxRetries: 0, abortSignal: controller.signal });
    let text = "";
    for await (const part of stream) {
      if (part.type === "text-delta") text += part.text;
      if (text === "half") controller.abort();
    }
    return text;
  };
  const texts = await Promise.all(Array.from({ length: 20 }, run));
  await server.idle();
  expect(texts.toSorted()).toEqual([...Array(13).fill("a whole answer"), ...Array(7).fill("half")]);
  expect(limiter.state().running).toBe(0);
});

test("whatever calls do and whenever they are aborted, the limit holds, and every slot comes back", async () => {
  const call = fc.record({
    entry: fc.oneof(
      fc.record({ text: fc.constantFrom("", "x".repeat(40)), delayMs: fc.nat({ max: 30 }) }),
      fc.record({
        error: fc.constantFrom("network", "rate_limited"),
        retryAfterMs: fc.nat({ max: 20 }),
        delayMs: fc.nat({ max: 30 }),
      }),
    ),
    startMs: fc.nat({ max: 30 }),
    abortMs: fc.option(fc.nat({ max: 60 })),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(call, { maxLength: 12 }),
      fc.integer({ min: 1, max: 4 }),
      async (calls, concurrentCallsMax) => {
        const clock = createVirtualClock();
        const limiter = createCallLimiter({ clock, concurrentCallsMax, random: () => 0 });
        let open = 0;
        let openMax = 0;
        const runs = calls.map(async ({ entry, startMs, abortMs }) => {
          const scripted = scriptedModel([entry], { clock });
          const model = limiter.limit({
            ...scripted,
            doStream: async (options) => {
              let isOver = false;
              const over = (): void => {
                if (!isOver) open -= 1;
                isOver = true;
              };
              open += 1;
              openMax = Math.max(openMax, open);
              options.abortSignal?.addEventListener("abort", over);
              try {
                const { stream } = await scripted.doStream(options);
                return { stream: stream.pipeThrough(new TransformStream({ flush: over })) };
              } catch (error) {
                over();
                throw error;
              }
            },
          });
          const controller = new AbortController();
          if (abortMs !== null) clock.setTimeout(() => controller.abort(), abortMs);
          await sleep(clock, startMs);
          const { stream } = await model.doStream({ prompt, abortSignal: controller.signal });
          await partsOf(stream);
        });
        const settledRuns = Promise.allSettled(runs);
        await clock.runUntilIdle();
        await settledRuns;
        expect(openMax).toBeLessThanOrEqual(concurrentCallsMax);
        expect(limiter.state()).toMatchObject({ running: 0, waiting: 0 });
        expect(clock.pending).toBe(0);
      },
    ),
    { numRuns: 100 },
  );
});
