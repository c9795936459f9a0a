// What we rely on in the AI SDK when something goes wrong: aborts, cut and stalled streams, retries, broken calls.
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { APICallError, generateText, isStepCount, RetryError, streamText, tool } from "ai";
import { afterEach, expect, test, vi } from "vitest";
import { z } from "zod";
import { classifyModelError } from "../../../src/actors/models/model-error.ts";
import { scriptedModel } from "../../../src/actors/models/scripted-model.ts";
import { thrownBy } from "../../support/model-calls.ts";
import { startOpenAiServer, type OpenAiServer, type Reply } from "../../support/openai-server.ts";

afterEach(() => vi.useRealTimers());

const overHttp = (server: OpenAiServer) =>
  createOpenAICompatible({ name: "local", baseURL: server.baseUrl, includeUsage: true })("m");

/** A tool that ends only by an abort, and tells when it has begun. */
const longPoll = () => {
  const begun = Promise.withResolvers<void>();
  const poll = tool({
    inputSchema: z.strictObject({}),
    execute: (_input, { abortSignal }) =>
      new Promise<string>((_resolve, reject) => {
        abortSignal?.addEventListener("abort", () => reject(abortSignal.reason));
        begun.resolve();
      }),
  });
  return { poll, begun: begun.promise };
};

const polling: readonly Reply[] = [{ calls: [{ name: "poll", arguments: {} }] }, { text: "never" }];

/** Every callback that an ended run may call, by name. */
const watched = () => {
  const called: string[] = [];
  const note = (name: string) => (): void => void called.push(name);
  return {
    called,
    callbacks: {
      onError: note("onError"),
      onStepError: note("onStepError"),
      onAbort: note("onAbort"),
      onEnd: note("onEnd"),
      onStepEnd: note("onStepEnd"),
    },
  };
};

const typesOf = async (stream: AsyncIterable<{ type: string }>): Promise<string[]> => {
  const types: string[] = [];
  for await (const part of stream) types.push(part.type);
  return types;
};

test("an abort inside a tool rejects generateText with an AbortError, and no further call is made", async () => {
  await using server = await startOpenAiServer(polling);
  const { poll, begun } = longPoll();
  const controller = new AbortController();
  const run = generateText({
    model: overHttp(server),
    tools: { poll },
    stopWhen: isStepCount(5),
    prompt: "Go.",
    abortSignal: controller.signal,
  });
  await begun;
  controller.abort();
  expect(await thrownBy(() => run)).toMatchObject({ name: "AbortError" });
  expect(server.requests).toHaveLength(1);
});

test("an abort inside a tool ends a stream with an abort part and onAbort; nothing of the step is kept", async () => {
  await using server = await startOpenAiServer(polling);
  const { poll, begun } = longPoll();
  const controller = new AbortController();
  const usage: unknown[] = [];
  const { called, callbacks } = watched();
  let stepsOfAbort: number | null = null;
  const result = streamText({
    ...callbacks,
    model: overHttp(server),
    tools: { poll },
    stopWhen: isStepCount(5),
    prompt: "Go.",
    abortSignal: controller.signal,
    onAbort: ({ steps }) => void (stepsOfAbort = steps.length),
    onLanguageModelCallEnd: (event) => void usage.push(event.usage.totalTokens),
  });
  void begun.then(() => controller.abort());
  expect((await typesOf(result.stream)).at(-1)).toBe("abort");
  expect([stepsOfAbort, called, server.requests.length]).toEqual([0, [], 1]);
  // The only place where the tokens of the aborted step are told.
  expect(usage).toEqual([15]);
  await expect(Promise.resolve(result.responseMessages)).rejects.toThrow();
});

test("usage is told at the end of every model call, in generate and in stream", async () => {
  for (const kind of ["generate", "stream"]) {
    await using server = await startOpenAiServer([{ calls: [{ name: "look", arguments: {} }] }, { text: "done" }]);
    const usage: unknown[] = [];
    const options = {
      model: overHttp(server),
      tools: { look: tool({ inputSchema: z.strictObject({}), execute: () => 1 }) },
      stopWhen: isStepCount(5),
      prompt: "Go.",
      onLanguageModelCallEnd: (event: { usage: { totalTokens: number | undefined } }) => {
        usage.push(event.usage.totalTokens);
      },
    };
    if (kind === "generate") await generateText(options);
    else await streamText(options).consumeStream();
    expect(usage).toEqual([15, 15]);
  }
});

test("a connection that drops in mid-stream makes the stream throw: no onError, no onAbort, no onEnd", async () => {
  await using server = await startOpenAiServer([{ drop: true, afterText: "half an ans" }]);
  const { called, callbacks } = watched();
  const result = streamText({ ...callbacks, model: overHttp(server), prompt: "Go.", maxRetries: 0 });
  const error = await thrownBy(() => typesOf(result.stream));
  expect(APICallError.isInstance(error)).toBe(true);
  expect(classifyModelError(error)).toMatchObject({ class: "network", retryable: true });
  expect(called).toEqual(["onStepError"]);
});

test("a stream that stalls is aborted by chunkMs with a TimeoutError, though our own signal is not", async () => {
  await using server = await startOpenAiServer([{ stall: true, afterText: "half" }]);
  const controller = new AbortController();
  const { called, callbacks } = watched();
  const { stream } = streamText({
    ...callbacks,
    model: overHttp(server),
    prompt: "Go.",
    maxRetries: 0,
    abortSignal: controller.signal,
    timeout: { chunkMs: 30 },
  });
  const parts: { type: string; reason?: unknown }[] = [];
  for await (const part of stream) parts.push(part);
  expect(parts.at(-1)).toMatchObject({ type: "abort", reason: expect.stringMatching(/timeout/i) });
  expect([called, controller.signal.aborted, server.requests.length]).toEqual([["onAbort"], false, 1]);
  await server.idle();
  expect(server.open).toBe(0);
});

test("a stream that stalls before its first chunk is aborted by firstChunkMs", async () => {
  await using server = await startOpenAiServer([{ stall: true, afterText: "" }]);
  const { stream } = streamText({
    model: overHttp(server),
    prompt: "Go.",
    maxRetries: 0,
    timeout: { firstChunkMs: 30 },
  });
  expect((await typesOf(stream)).at(-1)).toBe("abort");
  await server.idle();
  expect(server.open).toBe(0);
});

test("no timeout of the SDK but stepMs watches a call whose response never begins: withResponseTimeout must", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const controller = new AbortController();
  const { called, callbacks } = watched();
  const { stream } = streamText({
    ...callbacks,
    model: scriptedModel([{ hang: true }]),
    prompt: "Go.",
    maxRetries: 0,
    abortSignal: controller.signal,
    timeout: { firstChunkMs: 30, chunkMs: 30, toolMs: 30 },
  });
  const types = typesOf(stream);
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(called).toEqual([]);
  controller.abort();
  expect((await types).at(-1)).toBe("abort");
});

test("an error in the middle of a stream is an error part with what the provider said, and the run ends", async () => {
  const streamError = { message: "busy", type: "overloaded_error" };
  await using server = await startOpenAiServer([{ streamError, afterText: "half" }]);
  const { stream } = streamText({ model: overHttp(server), prompt: "Go.", maxRetries: 0, onError: () => undefined });
  const errors: unknown[] = [];
  for await (const part of stream) if (part.type === "error") errors.push(part.error);
  expect(errors.map((error) => classifyModelError(error).class)).toEqual(["overloaded"]);
});

test.each([
  ["a rate limit", { status: 429, headers: { "retry-after": "7" } }, { class: "rate_limited", retryAfterMs: 7_000 }],
  ["an overload", { status: 503 }, { class: "overloaded", retryAfterMs: null }],
])(
  "with maxRetries 0 %s comes bare and after one request, in generate and in stream",
  async (_case, reply, expected) => {
    await using server = await startOpenAiServer([reply, reply]);
    const options = { model: overHttp(server), prompt: "Go.", maxRetries: 0 };
    const thrown = await thrownBy(() => generateText(options));
    expect([APICallError.isInstance(thrown), classifyModelError(thrown)]).toMatchObject([true, expected]);
    expect(server.requests).toHaveLength(1);

    const errors: unknown[] = [];
    const { stream } = streamText({ ...options, onError: () => undefined });
    for await (const part of stream) if (part.type === "error") errors.push(part.error);
    expect(errors.map((error) => [APICallError.isInstance(error), classifyModelError(error)])).toMatchObject([
      [true, expected],
    ]);
    expect(server.requests).toHaveLength(2);
  },
);

test("with retries of its own the SDK wraps the last failure in a RetryError", async () => {
  const model = scriptedModel([
    { error: "rate_limited", retryAfterMs: 1 },
    { error: "rate_limited", retryAfterMs: 1 },
  ]);
  const thrown = await thrownBy(() => generateText({ model, prompt: "Go.", maxRetries: 1 }));
  expect([RetryError.isInstance(thrown), classifyModelError(thrown)]).toMatchObject([true, { class: "rate_limited" }]);
});

test.each([
  ["arguments that are no JSON", { name: "act", arguments: '{"a": ' }, /JSON/],
  ["arguments of the wrong shape", { name: "act", arguments: { a: "x" } }, /Invalid input/],
  ["a tool that isn't there", { name: "nobody", arguments: {} }, /unavailable tool/],
  ["a tool that throws", { name: "act", arguments: { a: -1 } }, /a is negative/],
])(
  "%s become a tool error that the model reads, and the run goes on (generate and stream)",
  async (_case, call, text) => {
    for (const kind of ["generate", "stream"]) {
      await using server = await startOpenAiServer([{ calls: [call] }, { text: "I see." }]);
      const act = tool({
        inputSchema: z.strictObject({ a: z.number() }),
        execute: ({ a }) => {
          if (a < 0) throw new Error("a is negative");
          return a;
        },
      });
      const options = { model: overHttp(server), tools: { act }, stopWhen: isStepCount(5), prompt: "Go." };
      const result = kind === "generate" ? await generateText(options) : streamText(options);
      const content = (await result.steps)[0]?.content ?? [];
      expect(content.map((part) => part.type)).toEqual(["tool-call", "tool-error"]);
      expect(await result.text).toBe("I see.");
      const told = server.requests[1]?.body.messages.at(-1);
      expect([told?.role, told?.content]).toEqual(["tool", expect.stringMatching(text)]);
    }
  },
);

test("an answer without any content ends the run as an empty text", async () => {
  await using server = await startOpenAiServer([{ empty: true }]);
  const result = streamText({ model: overHttp(server), prompt: "Go." });
  await result.consumeStream();
  expect([await result.text, await result.finishReason]).toEqual(["", "stop"]);
});

test("a filtered answer throws nothing: only its finish reason tells", async () => {
  const result = await generateText({ model: scriptedModel([{ error: "content_filter" }]), prompt: "Go." });
  expect(result.finishReason).toBe("content-filter");
});

test("50 streams that are aborted at once close every connection and leave no rejection behind", async () => {
  await using server = await startOpenAiServer(() => ({ stall: true, afterText: "half" }));
  const team = new AbortController();
  const { called, callbacks } = watched();
  let begun = 0;
  const runs = Array.from({ length: 50 }, async () => {
    const abortSignal = AbortSignal.any([team.signal, new AbortController().signal]);
    const { stream } = streamText({ ...callbacks, model: overHttp(server), prompt: "Go.", maxRetries: 0, abortSignal });
    let text = "";
    for await (const part of stream) {
      if (part.type === "text-delta") text += part.text;
      if (text === "half" && part.type === "text-delta") begun += 1;
      if (begun === 50) team.abort();
    }
  });
  await Promise.all(runs);
  await server.idle();
  expect([server.requests.length, server.open]).toEqual([50, 0]);
  expect(called).toEqual(Array(50).fill("onAbort"));
});
