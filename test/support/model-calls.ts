import { APICallError } from "ai";
import { expect } from "vitest";
import type { CallOptions, StreamPart } from "../../src/actors/models/language-model-v4.ts";

/** A small prompt for calls whose prompt doesn't matter. */
export const prompt: CallOptions["prompt"] = [
  { role: "system", content: "You review." },
  { role: "user", content: [{ type: "text", text: "Go on." }] },
];

/** What a call throws. */
export const thrownBy = async (call: () => PromiseLike<unknown>): Promise<unknown> => {
  try {
    await call();
  } catch (error) {
    return error;
  }
  return expect.unreachable("nothing was thrown");
};

/** Every part of a stream, once it has ended. */
export const partsOf = async (stream: ReadableStream<StreamPart>): Promise<StreamPart[]> => {
  const parts: StreamPart[] = [];
  for await (const part of stream) parts.push(part);
  return parts;
};

/** Lets the event loop turn, so that what is under way goes on. */
export const turns = async (count = 1): Promise<void> => {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

/** A provider's error that asks to wait. */
export const rateLimited = (retryAfterMs: number): APICallError =>
  new APICallError({
    message: "wait",
    url: "https://api.test",
    requestBodyValues: {},
    statusCode: 429,
    responseHeaders: { "retry-after-ms": String(retryAfterMs) },
  });
