import { once } from "node:events";
import { connect } from "node:net";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateText, isStepCount, streamText, tool } from "ai";
import { expect, test } from "vitest";
import { z } from "zod";
import { startOpenAiServer, type OpenAiServer, type Quirks } from "../../support/openai-server.ts";

const modelOf = (server: OpenAiServer) =>
  createOpenAICompatible({ name: "local", baseURL: server.baseUrl, includeUsage: true })("m");

const add = tool({ inputSchema: z.strictObject({ a: z.number() }), execute: ({ a }) => a + 1 });

const calls = [
  { name: "add", arguments: { a: 1 } },
  { name: "add", arguments: { a: 2 } },
];

test.each([
  ["no quirk", {}],
  ["index always 0", { indexAlwaysZero: true }],
  ["index always 0 and whole arguments", { indexAlwaysZero: true, wholeArguments: true }],
  ["a finish of stop", { finishStop: true }],
] satisfies [string, Quirks][])("both tool calls of a streamed answer run: %s", async (_name, quirks) => {
  await using server = await startOpenAiServer([{ calls, quirks }, { text: "done" }]);
  const result = streamText({ model: modelOf(server), tools: { add }, stopWhen: isStepCount(3), prompt: "Go." });
  await result.consumeStream();
  expect((await result.toolResults).map((part) => part.output)).toEqual([2, 3]);
  expect(await result.text).toBe("done");
});

test("a tool call without an id runs", async () => {
  const [call] = calls;
  await using server = await startOpenAiServer([
    { calls: call ? [call] : [], quirks: { withoutId: true } },
    { text: "done" },
  ]);
  const result = streamText({ model: modelOf(server), tools: { add }, stopWhen: isStepCount(3), prompt: "Go." });
  await result.consumeStream();
  expect((await result.toolResults).map((part) => part.output)).toEqual([2]);
});

test("an answer is served whole to a request that doesn't stream, and requests are recorded", async () => {
  await using server = await startOpenAiServer([{ calls }, { text: "done" }]);
  const result = await generateText({
    model: modelOf(server),
    tools: { add },
    stopWhen: isStepCount(3),
    prompt: "Go.",
  });
  expect([result.text, result.usage.totalTokens]).toEqual(["done", 30]);
  expect(server.requests.map(({ body }) => body.messages.map((message) => message.role))).toEqual([
    ["user"],
    ["user", "assistant", "tool", "tool"],
  ]);
});

test("closing it leaves no connection and no port, a stalled answer notwithstanding", async () => {
  const server = await startOpenAiServer([{ stall: true, afterText: "half" }]);
  const result = streamText({ model: modelOf(server), prompt: "Go.", maxRetries: 0, onError: () => undefined });
  const reader = result.textStream.getReader();
  await reader.read();
  expect([server.openSockets, server.open]).toEqual([1, 1]);
  await server[Symbol.asyncDispose]();
  expect([server.openSockets, server.open]).toEqual([0, 0]);
  const socket = connect(Number(new URL(server.baseUrl).port), "127.0.0.1");
  await expect(once(socket, "connect")).rejects.toMatchObject({ code: "ECONNREFUSED" });
  await reader.read().catch(() => undefined);
});
