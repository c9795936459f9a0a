import { APICallError, generateText, isStepCount, tool } from "ai";
import { expect, test } from "vitest";
import { z } from "zod";
import type { CallOptions } from "../../../src/actors/models/language-model-v4.ts";
import { scriptCallOptions, scriptOutcomeOf } from "../../../src/actors/models/script-call.ts";
import { scriptedModel } from "../../../src/actors/models/scripted-model.ts";
import type { ScriptEntryInput } from "../../../src/protocol/script.ts";
import { createVirtualClock } from "../../../src/testing/virtual-clock.ts";
import { prompt, thrownBy } from "../../support/model-calls.ts";

const complete = tool({
  inputSchema: z.strictObject({ summary: z.string() }),
  execute: ({ summary }) => ({ accepted: true, summary }),
});

test.each([
  ["overloaded", { statusCode: 529, isRetryable: true }],
  ["rate_limited", { statusCode: 429, isRetryable: true }],
  ["context_length", { statusCode: 400, isRetryable: false }],
  ["network", { statusCode: undefined, isRetryable: true, cause: { code: "ECONNRESET" } }],
] as const)("the error %s is thrown as a provider of the SDK throws it", async (error, expected) => {
  const model = scriptedModel([{ error }, { error }]);
  for (const call of ["doGenerate", "doStream"] as const) {
    const thrown = await thrownBy(() => model[call]({ prompt }));
    expect(APICallError.isInstance(thrown)).toBe(true);
    expect(thrown).toMatchObject(expected);
  }
});

test("a thrown error says how many entries it has used up", async () => {
  const model = scriptedModel({ A: [{ text: "x" }, { error: "network" }] });
  const thrown = await thrownBy(() => model.doGenerate({ prompt, providerOptions: scriptCallOptions("A", 1) }));
  expect(scriptOutcomeOf(thrown)).toEqual({ position: 2, waiting: false });
});

test("retryAfterMs is told in both headers", async () => {
  const model = scriptedModel([{ error: "rate_limited", retryAfterMs: 1_200 }]);
  const thrown = await thrownBy(() => model.doGenerate({ prompt }));
  expect(thrown).toMatchObject({ responseHeaders: { "retry-after-ms": "1200", "retry-after": "2" } });
});

test("content_filter is an answer without content that says why it ended", async () => {
  const { content, finishReason } = await scriptedModel([{ error: "content_filter" }]).doGenerate({ prompt });
  expect([content, finishReason.unified]).toEqual([[], "content-filter"]);
});

test("malformed is a tool call that the SDK feeds back as a tool error, and the run goes on", async () => {
  const model = scriptedModel([
    { error: "malformed" },
    { calls: [{ tool: "complete", input: { summary: "s" } }] },
    { text: "ok" },
  ]);
  const result = await generateText({
    model,
    tools: { other: complete, complete },
    stopWhen: isStepCount(5),
    prompt: "Go.",
  });
  expect(result.steps[0]?.content).toContainEqual(
    expect.objectContaining({ type: "tool-error", toolName: "complete" }),
  );
  expect(result.toolResults).toMatchObject([{ output: { accepted: true } }]);
  expect(result.text).toBe("ok");
});

test("malformed calls a tool that was offered, or complete where none was", async () => {
  const named = async (tools: CallOptions["tools"]) => {
    const { content } = await scriptedModel([{ error: "malformed" }]).doGenerate(
      tools ? { prompt, tools } : { prompt },
    );
    return content[0];
  };
  const read_file = { type: "function" as const, name: "read_file", inputSchema: {} };
  expect(await named([read_file])).toMatchObject({ type: "tool-call", toolName: "read_file" });
  expect(await named(undefined)).toMatchObject({ type: "tool-call", toolName: "complete" });
});

test("delayMs is waited on the clock, before an answer and before an error", async () => {
  const clock = createVirtualClock();
  const model = scriptedModel(
    [
      { text: "late", delayMs: 50 },
      { error: "network", delayMs: 20 },
    ],
    { clock },
  );
  const ended: number[] = [];
  const first = Promise.resolve(model.doGenerate({ prompt })).then(() => ended.push(clock.now()));
  await clock.advance(50);
  await first;
  const second = Promise.resolve(model.doStream({ prompt })).catch(() => ended.push(clock.now()));
  await clock.advance(50);
  await second;
  expect(ended).toEqual([50, 70]);
});

test("an entry without a delay needs no clock to move", async () => {
  const clock = createVirtualClock();
  await scriptedModel([{ text: "now", delayMs: 0 }], { clock }).doGenerate({ prompt });
  expect(clock.pending).toBe(0);
});

test("an abort ends a delay and uses nothing up", async () => {
  const clock = createVirtualClock();
  const model = scriptedModel([{ text: "late", delayMs: 50 }], { clock });
  const controller = new AbortController();
  const call = Promise.resolve(model.doGenerate({ prompt, abortSignal: controller.signal }));
  controller.abort(new Error("enough"));
  await expect(call).rejects.toThrow("enough");
  expect(clock.pending).toBe(0);
  const again = model.doGenerate({ prompt });
  await clock.advance(50);
  expect((await again).content).toMatchObject([{ text: "late" }]);
});

test("hang never ends by itself, and an abort ends it with the signal's reason", async () => {
  const clock = createVirtualClock();
  const model = scriptedModel([{ hang: true }], { clock });
  for (const call of ["doGenerate", "doStream"] as const) {
    const controller = new AbortController();
    let isOver = false;
    const hung = Promise.resolve(model[call]({ prompt, abortSignal: controller.signal })).finally(
      () => (isOver = true),
    );
    await clock.advance(86_400_000);
    expect(isOver).toBe(false);
    controller.abort(new Error("enough"));
    await expect(hung).rejects.toThrow("enough");
  }
});

test("a signal that is aborted already ends every kind of call", async () => {
  const entries: ScriptEntryInput[] = [{ text: "x" }, { error: "network" }, { hang: true }, { text: "x", delayMs: 5 }];
  for (const entry of entries) {
    const call = () =>
      scriptedModel([entry]).doGenerate({ prompt, abortSignal: AbortSignal.abort(new Error("enough")) });
    expect(await thrownBy(call)).toMatchObject({ message: "enough" });
  }
});

test("an abort in the middle of a stream ends it with the signal's reason", async () => {
  const controller = new AbortController();
  const { stream } = await scriptedModel([{ text: "x".repeat(100) }]).doStream({
    prompt,
    abortSignal: controller.signal,
  });
  const reader = stream.getReader();
  await reader.read();
  controller.abort(new Error("enough"));
  await expect(reader.read()).rejects.toThrow("enough");
});
