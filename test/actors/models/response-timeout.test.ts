import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { streamText } from "ai";
import { expect, test } from "vitest";
import type { LanguageModelV4, StreamPart } from "../../../src/actors/models/language-model-v4.ts";
import { classifyModelError } from "../../../src/actors/models/model-error.ts";
import { withResponseTimeout } from "../../../src/actors/models/response-timeout.ts";
import { scriptedModel } from "../../../src/actors/models/scripted-model.ts";
import { createVirtualClock } from "../../../src/testing/virtual-clock.ts";
import { partsOf, prompt, thrownBy } from "../../support/model-calls.ts";
import { startOpenAiServer } from "../../support/openai-server.ts";

test("a server that takes the request and never answers fails the call as the network's fault, and the request is closed", async () => {
  await using server = await startOpenAiServer([{ stall: true }]);
  const model = withResponseTimeout(createOpenAICompatible({ name: "local", baseURL: server.baseUrl })("m"), {
    responseMs: 50,
  });
  const { stream } = streamText({ model, prompt: "Go.", maxRetries: 0, onError: () => undefined });
  const errors: unknown[] = [];
  for await (const part of stream) if (part.type === "error") errors.push(part.error);
  expect(errors.map((error) => classifyModelError(error))).toMatchObject([
    { class: "network", retryable: true, message: expect.stringContaining("did not begin to answer within 50 ms") },
  ]);
  await server.idle();
  expect(server.open).toBe(0);
});

test("a response that has begun is not limited, and leaves no timer", async () => {
  const clock = createVirtualClock();
  let controller: ReadableStreamDefaultController<StreamPart> | undefined;
  const source = new ReadableStream<StreamPart>({ start: (given) => void (controller = given) });
  const inner: LanguageModelV4 = { ...scriptedModel([]), doStream: async () => ({ stream: source }) };
  const { stream } = await withResponseTimeout(inner, { responseMs: 50, clock }).doStream({ prompt });
  expect(clock.pending).toBe(0);
  const parts = partsOf(stream);
  await clock.advance(1_000);
  controller?.enqueue({ type: "text-start", id: "0" });
  controller?.close();
  expect(await parts).toEqual([{ type: "text-start", id: "0" }]);
});

test("a model that ignores its signal is left behind, and its late stream is cancelled", async () => {
  const clock = createVirtualClock();
  const begin = Promise.withResolvers<{ stream: ReadableStream<StreamPart> }>();
  const inner: LanguageModelV4 = { ...scriptedModel([]), doStream: () => begin.promise };
  const call = Promise.resolve(withResponseTimeout(inner, { responseMs: 50, clock }).doStream({ prompt }));
  const thrown = thrownBy(() => call);
  await clock.advance(50);
  expect(await thrown).toMatchObject({ code: "UND_ERR_HEADERS_TIMEOUT" });
  const cancelled = Promise.withResolvers<void>();
  begin.resolve({ stream: new ReadableStream({ cancel: () => cancelled.resolve() }) });
  await cancelled.promise;
});

test("the caller's abort still ends the call with its own reason", async () => {
  const clock = createVirtualClock();
  const controller = new AbortController();
  const model = withResponseTimeout(scriptedModel([{ hang: true }]), { responseMs: 50, clock });
  const thrown = thrownBy(() => model.doStream({ prompt, abortSignal: controller.signal }));
  controller.abort(new Error("enough"));
  expect(await thrown).toMatchObject({ message: "enough" });
  expect(clock.pending).toBe(0);
});
