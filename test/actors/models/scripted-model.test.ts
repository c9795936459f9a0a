import { generateText, isStepCount, streamText, tool } from "ai";
import fc from "fast-check";
import { expect, test } from "vitest";
import { z } from "zod";
import { scriptCallOptions, scriptOutcomeOf } from "../../../src/actors/models/script-call.ts";
import { ScriptError } from "../../../src/actors/models/script-error.ts";
import { scriptedModel } from "../../../src/actors/models/scripted-model.ts";
import { isTeamError } from "../../../src/errors/index.ts";
import type { ScriptEntryInput } from "../../../src/protocol/script.ts";
import { createVirtualClock } from "../../../src/testing/virtual-clock.ts";
import { partsOf, prompt, thrownBy } from "../../support/model-calls.ts";

const complete = tool({
  inputSchema: z.strictObject({ summary: z.string() }),
  execute: ({ summary }) => ({ accepted: true, summary }),
});

test("a script plays in generateText: tool calls, their results, then the answer", async () => {
  const model = scriptedModel([
    { text: "I report.", calls: [{ tool: "complete", input: { summary: "all well" } }] },
    { text: "Done." },
  ]);
  const result = await generateText({ model, tools: { complete }, stopWhen: isStepCount(5), prompt: "Go." });
  expect(result.text).toBe("Done.");
  expect(result.steps[0]?.text).toBe("I report.");
  expect(result.toolResults).toMatchObject([{ toolName: "complete", output: { accepted: true, summary: "all well" } }]);
  model.assertExhausted();
});

test("a script plays in streamText the same way", async () => {
  const model = scriptedModel([
    { calls: [{ tool: "complete", input: { summary: "all well" } }] },
    { text: "Done, and with a text that is longer than one delta." },
  ]);
  const result = streamText({ model, tools: { complete }, stopWhen: isStepCount(5), prompt: "Go." });
  const deltas: string[] = [];
  for await (const delta of result.textStream) deltas.push(delta);
  expect(deltas.join("")).toBe("Done, and with a text that is longer than one delta.");
  expect(deltas.length).toBeGreaterThan(2);
  expect(await result.toolResults).toMatchObject([{ output: { accepted: true } }]);
  model.assertExhausted();
});

test("any text and any tool input arrive whole, streamed or not", async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: "grapheme" }), fc.jsonValue(), async (text, value) => {
      const input = JSON.parse(JSON.stringify(value));
      const entry: ScriptEntryInput = { text, calls: [{ tool: "t", input }] };
      const model = scriptedModel([entry, entry]);
      const { content } = await model.doGenerate({ prompt });
      const parts = await partsOf((await model.doStream({ prompt })).stream);
      const streamed = parts.map((part) => (part.type === "text-delta" ? part.delta : "")).join("");
      const args = parts.map((part) => (part.type === "tool-input-delta" ? part.delta : "")).join("");
      expect(streamed).toBe(text);
      expect(content.filter((part) => part.type === "text").map((part) => part.text)).toEqual(
        text === "" ? [] : [text],
      );
      expect(JSON.parse(args)).toEqual(input);
      expect(parts.find((part) => part.type === "tool-call")).toMatchObject({ toolName: "t", input: args });
    }),
    { numRuns: 50 },
  );
});

test("the same call gives the same answer, usage and ids included", async () => {
  const call = { prompt, providerOptions: scriptCallOptions("A", 0) };
  const answer = async () => {
    const clock = createVirtualClock(5);
    return scriptedModel({ A: [{ calls: [{ tool: "t", input: 1 }] }] }, { clock }).doGenerate(call);
  };
  expect(await answer()).toEqual(await answer());
});

test("usage is estimated at four characters a token, of the prompt and of the answer", async () => {
  const { usage } = await scriptedModel([{ text: "12345678" }]).doGenerate({ prompt });
  expect(usage).toMatchObject({ inputTokens: { total: 5 }, outputTokens: { total: 2 }, raw: { estimated: true } });
});

test("call ids differ between actors, positions and calls of one answer, and hold letters, digits and _ only", async () => {
  const entry: ScriptEntryInput = {
    calls: [
      { tool: "t", input: 1 },
      { tool: "t", input: 2 },
    ],
  };
  const model = scriptedModel({ 项目: [entry, entry], "A b": [entry] });
  const ids: string[] = [];
  for (const [actor, position] of [
    ["项目", 0],
    ["项目", 1],
    ["A b", 0],
  ] as const) {
    const { content } = await model.doGenerate({ prompt, providerOptions: scriptCallOptions(actor, position) });
    for (const part of content) if (part.type === "tool-call") ids.push(part.toolCallId);
  }
  expect(new Set(ids).size).toBe(6);
  for (const id of ids) expect(id).toMatch(/^\w{1,64}$/);
});

test("an empty text is an answer without content", async () => {
  const { content, finishReason } = await scriptedModel([{ text: "" }]).doGenerate({ prompt });
  expect([content, finishReason.unified]).toEqual([[], "stop"]);
});

test("the caller's position decides which entry is played, however often it was played before", async () => {
  const model = scriptedModel({ A: [{ text: "first" }, { text: "second" }] });
  const play = async (position: number) => {
    const { content, providerMetadata } = await model.doGenerate({
      prompt,
      providerOptions: scriptCallOptions("A", position),
    });
    return [content[0], scriptOutcomeOf(providerMetadata)];
  };
  const first = [
    { type: "text", text: "first" },
    { position: 1, waiting: false },
  ];
  expect(await play(0)).toEqual(first);
  expect(await play(0)).toEqual(first);
  expect(await play(1)).toEqual([
    { type: "text", text: "second" },
    { position: 2, waiting: false },
  ]);
});

test("a call without a position is counted by the outcomes of its own actor, errors alike", async () => {
  const model = scriptedModel({ A: [{ error: "overloaded" }, { text: "a" }], B: [{ text: "b" }] });
  const play = (actor: string) => model.doGenerate({ prompt, providerOptions: { teamchart: { actor } } });
  await expect(play("A")).rejects.toThrow("Overloaded");
  expect((await play("B")).content).toEqual([{ type: "text", text: "b" }]);
  expect((await play("A")).content).toEqual([{ type: "text", text: "a" }]);
});

test("a stream that isn't read to its end uses nothing up", async () => {
  const model = scriptedModel([{ text: "a longer text, in several deltas" }]);
  const { stream } = await model.doStream({ prompt });
  const reader = stream.getReader();
  await reader.read();
  await reader.cancel();
  expect((await model.doGenerate({ prompt })).content).toMatchObject([{ text: "a longer text, in several deltas" }]);
});

test("the SDK's own retries walk on through the script's errors", async () => {
  const model = scriptedModel([{ error: "rate_limited", retryAfterMs: 1 }, { text: "at last" }]);
  const { text } = await generateText({ model, prompt: "Go." });
  expect(text).toBe("at last");
});

test("a bare list is played to whoever calls, each from its beginning", async () => {
  const model = scriptedModel([{ text: "hello" }]);
  for (const actor of ["A", "B"]) {
    const { content } = await model.doGenerate({ prompt, providerOptions: { teamchart: { actor } } });
    expect(content).toMatchObject([{ text: "hello" }]);
  }
});

test("an actor's name is found in its composed and its decomposed form", async () => {
  const model = scriptedModel({ "e\u0301": [{ text: "found" }] });
  const { content } = await model.doGenerate({ prompt, providerOptions: scriptCallOptions("\u00e9", 0) });
  expect(content).toMatchObject([{ text: "found" }]);
});

test("an actor named __proto__ has its script", async () => {
  const model = scriptedModel(JSON.parse('{"__proto__": [{"text": "mine"}]}'));
  const { content } = await model.doGenerate({ prompt, providerOptions: scriptCallOptions("__proto__", 0) });
  expect(content).toMatchObject([{ text: "mine" }]);
});

test("a call that names nobody is refused where the script has several actors", async () => {
  const model = scriptedModel({ A: [{ text: "a" }], B: [{ text: "b" }] });
  const error = await thrownBy(() => model.doGenerate({ prompt }));
  expect(isTeamError(error, "bad_input")).toBe(true);
  expect(error).toMatchObject({ message: expect.stringContaining("it speaks for A, B") });
});

test("options.actor names who calls where the call doesn't", async () => {
  const model = scriptedModel({ A: [{ text: "a" }], B: [{ text: "b" }] }, { actor: "B" });
  expect((await model.doGenerate({ prompt })).content).toMatchObject([{ text: "b" }]);
});

test("a script that can't be read is refused at once, with every fault and its path", () => {
  const script = { A: [{ text: "x", foo: 1 }], B: [{}] } as never;
  expect(() => scriptedModel(script)).toThrow(/script: A\[0\]: Unrecognized key: "foo".*and 1 more/);
});

test.each([
  ["2 entries", { A: [{ text: "1" }, { text: "2" }] }, 2, "the script of A is exhausted at call 3: it has 2 entries"],
  ["no script", { B: [{ text: "1" }] }, 0, "the script of A is exhausted at call 1: it has 0 entries"],
])("an exhausted script (%s) names the actor and the call", async (_case, script, position, message) => {
  const model = scriptedModel(script);
  for (const call of ["doGenerate", "doStream"] as const) {
    const error = await thrownBy(() => model[call]({ prompt, providerOptions: scriptCallOptions("A", position) }));
    expect(error).toBeInstanceOf(ScriptError);
    expect(error).toMatchObject({ message, actor: "A", call: position + 1 });
    expect(scriptOutcomeOf(error)).toEqual({ position, waiting: false });
  }
});

test("assertExhausted names who has entries left, and how many were played", async () => {
  const model = scriptedModel({ A: [{ text: "1" }], B: [{ text: "1" }, { text: "2" }] });
  expect(() => model.assertExhausted()).toThrow("the script of A is not exhausted: 0 of 1 entries were played");
  await model.doGenerate({ prompt, providerOptions: scriptCallOptions("A", 0) });
  await model.doGenerate({ prompt, providerOptions: scriptCallOptions("B", 0) });
  expect(() => model.assertExhausted()).toThrow("the script of B is not exhausted: 1 of 2 entries were played");
  await model.doGenerate({ prompt, providerOptions: scriptCallOptions("B", 1) });
  model.assertExhausted();
});

test("a hang that was aborted was played", async () => {
  const model = scriptedModel([{ hang: true }]);
  expect(() => model.assertExhausted()).toThrow("0 of 1");
  await thrownBy(() => model.doGenerate({ prompt, abortSignal: AbortSignal.abort() }));
  model.assertExhausted();
});

test.each([
  ["error-text", "no summary", "; the last error of a tool was complete: no summary"],
  ["text", "NO_TEAM: x. Do: y.\nmore", "; the last error of a tool was complete: NO_TEAM: x. Do: y."],
  ["text", "all well", ""],
] as const)("an exhausted script tells what a tool last failed with or refused: %s %j", async (type, value, told) => {
  const output = { type, value };
  const result = { type: "tool-result", toolCallId: "1", toolName: "complete", output } as const;
  const error = await thrownBy(() =>
    scriptedModel({ A: [] }).doGenerate({
      prompt: [...prompt, { role: "tool", content: [result] }],
      providerOptions: scriptCallOptions("A", 0),
    }),
  );
  expect(error).toMatchObject({ message: `the script of A is exhausted at call 1: it has 0 entries${told}` });
});
