// What we rely on in the AI SDK, one claim each. When an upgrade of `ai` breaks one, the code that relies on it is
// wrong from then on, however green its own tests are.
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import {
  generateText,
  hasToolCall,
  isStepCount,
  modelMessageSchema,
  streamText,
  tool,
  type ModelMessage,
  type StopCondition,
  type ToolSet,
} from "ai";
import { expect, test } from "vitest";
import { z } from "zod";
import type { CallOptions, LanguageModelV4 } from "../../../src/actors/models/language-model-v4.ts";
import { scriptCallOptions, scriptOutcomeOf } from "../../../src/actors/models/script-call.ts";
import { scriptedModel } from "../../../src/actors/models/scripted-model.ts";
import type { ScriptEntryInput } from "../../../src/protocol/script.ts";
import { thrownBy } from "../../support/model-calls.ts";
import { startOpenAiServer, type OpenAiServer } from "../../support/openai-server.ts";

const overHttp = (server: OpenAiServer) =>
  createOpenAICompatible({ name: "local", baseURL: server.baseUrl, includeUsage: true })("m");

const look = tool({ inputSchema: z.strictObject({}), execute: () => "nothing new" });

const complete = tool({
  inputSchema: z.strictObject({ summary: z.string() }),
  execute: ({ summary }) => {
    if (summary === "") throw new Error("the summary is empty");
    return { accepted: true };
  },
});

const callOf = (name: string, input: object): ScriptEntryInput => ({ calls: [{ tool: name, input: { ...input } }] });

/** Ends a run once a `complete` was accepted, not merely called. */
const completeAccepted: StopCondition<ToolSet> = ({ steps }) =>
  steps.some((step) => step.toolResults.some(({ output }) => Reflect.get(Object(output), "accepted") === true));

/** The scripted model, and every prompt that it was given. */
const recorded = (entries: readonly ScriptEntryInput[]) => {
  const inner = scriptedModel(entries);
  const calls: CallOptions[] = [];
  const record = (options: CallOptions): CallOptions => {
    calls.push(structuredClone({ ...options, abortSignal: undefined }) as CallOptions);
    return options;
  };
  const model: LanguageModelV4 = {
    ...inner,
    doGenerate: (options) => inner.doGenerate(record(options)),
    doStream: (options) => inner.doStream(record(options)),
  };
  return { model, calls };
};

const letter = (step: number): ModelMessage => ({ role: "user", content: `letter ${step}` });

test.each(["generate", "stream"] as const)(
  "what prepareStep appends to messages stays in later steps, and each prompt begins with the one before (%s, on the wire)",
  async (kind) => {
    await using server = await startOpenAiServer([
      { calls: [{ name: "look", arguments: {} }] },
      { calls: [{ name: "look", arguments: {} }] },
      { calls: [{ name: "look", arguments: {} }] },
      { text: "done" },
    ]);
    const options = {
      model: overHttp(server),
      tools: { look },
      stopWhen: isStepCount(10),
      instructions: "You review.",
      prompt: "Go.",
      prepareStep: ({ messages, stepNumber }: { messages: ModelMessage[]; stepNumber: number }) =>
        stepNumber === 1 || stepNumber === 2 ? { messages: [...messages, letter(stepNumber)] } : {},
    };
    if (kind === "generate") await generateText(options);
    else await streamText(options).consumeStream();

    const prompts = server.requests.map(({ body }) => body.messages.map((message) => JSON.stringify(message)));
    expect(prompts).toHaveLength(4);
    for (const [index, prompt] of prompts.entries()) {
      const earlier = prompts[index - 1] ?? [];
      expect(prompt.slice(0, earlier.length)).toEqual(earlier);
    }
    const text = prompts.at(-1)?.join("") ?? "";
    expect([text.split("letter 1").length, text.split("letter 2").length]).toEqual([2, 2]);
  },
);

test("a prompt that prepareStep rebuilds from initial and response messages loses what was injected before", async () => {
  const { model, calls } = recorded([callOf("look", {}), callOf("look", {}), { text: "done" }]);
  await generateText({
    model,
    tools: { look },
    stopWhen: isStepCount(10),
    prompt: "Go.",
    prepareStep: ({ initialMessages, responseMessages, stepNumber }) => ({
      messages: [...initialMessages, ...responseMessages, ...(stepNumber === 1 ? [letter(1)] : [])],
    }),
  });
  expect(JSON.stringify(calls[1]?.prompt)).toContain("letter 1");
  expect(JSON.stringify(calls[2]?.prompt)).not.toContain("letter 1");
});

test("what was injected is in no response message: a journal must keep it itself", async () => {
  const { model } = recorded([callOf("look", {}), { text: "done" }]);
  const result = await generateText({
    model,
    tools: { look },
    stopWhen: isStepCount(10),
    prompt: "Go.",
    prepareStep: ({ messages, stepNumber }) => (stepNumber === 1 ? { messages: [...messages, letter(1)] } : {}),
  });
  expect(JSON.stringify(result.responseMessages)).not.toContain("letter 1");
  for (const step of result.steps) expect(JSON.stringify(step.response.messages)).not.toContain("letter 1");
});

test("messages survive JSON and modelMessageSchema, and go on in another run as an exact prefix", async () => {
  const first = recorded([callOf("look", {}), { text: "idle" }]);
  const prompt: ModelMessage[] = [{ role: "user", content: "Go." }];
  const result = await generateText({
    model: first.model,
    tools: { look },
    stopWhen: isStepCount(5),
    messages: prompt,
  });
  const kept = z.array(modelMessageSchema).parse(JSON.parse(JSON.stringify([...prompt, ...result.responseMessages])));
  const second = recorded([{ text: "awake" }]);
  await generateText({ model: second.model, tools: { look }, messages: [...kept, letter(1)] });
  const before = first.calls.at(-1)?.prompt ?? [];
  expect(second.calls[0]?.prompt.slice(0, before.length)).toEqual(before);
});

test("hasToolCall('complete') stops on a refused complete too, without a result: it is not how we stop", async () => {
  for (const summary of [1, ""]) {
    const { model, calls } = recorded([callOf("complete", { summary }), { text: "never" }]);
    const result = await generateText({ model, tools: { complete }, stopWhen: hasToolCall("complete"), prompt: "Go." });
    expect([calls.length, result.toolResults]).toEqual([1, []]);
  }
});

test("a stop condition over accepted results lets the model correct itself, and stops at the accepted call", async () => {
  const { model, calls } = recorded([
    callOf("complete", { summary: 1 }),
    callOf("complete", { summary: "" }),
    callOf("complete", { summary: "at last" }),
    { text: "never" },
  ]);
  const result = await generateText({
    model,
    tools: { complete },
    stopWhen: [completeAccepted, isStepCount(10)],
    prompt: "Go.",
  });
  expect([calls.length, result.toolResults.length]).toEqual([3, 1]);
});

test("a complete without execute stops, and leaves a history that can't be continued", async () => {
  const { model } = recorded([callOf("complete", { summary: "s" }), { text: "never" }]);
  const bare = tool({ inputSchema: z.strictObject({ summary: z.string() }) });
  const result = await generateText({ model, tools: { complete: bare }, stopWhen: isStepCount(5), prompt: "Go." });
  expect(result.finishReason).toBe("tool-calls");
  const messages: ModelMessage[] = [{ role: "user", content: "Go." }, ...result.responseMessages, letter(1)];
  const error = await thrownBy(() => generateText({ model, tools: { complete: bare }, messages }));
  expect(error).toMatchObject({ name: "AI_MissingToolResultsError" });
});

test("complete's execute may run before a slower tool of its step has ended: completion must wait for the step", async () => {
  const ended: string[] = [];
  const gate = Promise.withResolvers<void>();
  const slow = tool({
    inputSchema: z.strictObject({}),
    execute: async () => {
      await gate.promise;
      ended.push("slow");
    },
  });
  const done = tool({
    inputSchema: z.strictObject({}),
    execute: () => {
      ended.push("complete");
      setImmediate(gate.resolve);
      return { accepted: true };
    },
  });
  const model = scriptedModel([
    {
      calls: [
        { tool: "slow", input: {} },
        { tool: "complete", input: {} },
      ],
    },
  ]);
  await generateText({
    model,
    tools: { slow, complete: done },
    stopWhen: completeAccepted,
    prompt: "Go.",
    onStepEnd: () => void ended.push("step"),
  });
  expect(ended).toEqual(["complete", "slow", "step"]);
});

test("tools go out in the order of the object that holds them", async () => {
  await using server = await startOpenAiServer([{ text: "x" }]);
  const tools = { zeta: look, alpha: look, mid: look };
  await generateText({ model: overHttp(server), tools, prompt: "Go." });
  expect(server.requests[0]?.body.tools?.map((sent) => sent.function.name)).toEqual(["zeta", "alpha", "mid"]);
});

test("without bodies in the result its texts, calls, results and usage are still there", async () => {
  await using server = await startOpenAiServer([{ calls: [{ name: "look", arguments: {} }] }, { text: "done" }]);
  const result = await generateText({
    model: overHttp(server),
    tools: { look },
    stopWhen: isStepCount(5),
    prompt: "Go.",
    include: { requestBody: false, responseBody: false },
  });
  expect([result.text, result.toolResults.length, result.usage.totalTokens]).toEqual(["done", 1, 30]);
  expect(result.steps.map((step) => [step.request.body, step.response.body])).toEqual([
    [undefined, undefined],
    [undefined, undefined],
  ]);
});

test.each(["generate", "stream"] as const)(
  "provider options of prepareStep reach that step's call only, and provider metadata reaches onLanguageModelCallEnd (%s)",
  async (kind) => {
    const { model, calls } = recorded([callOf("look", {}), { text: "done" }]);
    const outcomes: unknown[] = [];
    const options = {
      model,
      tools: { look },
      stopWhen: isStepCount(5),
      prompt: "Go.",
      prepareStep: ({ stepNumber }: { stepNumber: number }) =>
        stepNumber === 0 ? { providerOptions: scriptCallOptions("A", 0) } : {},
      onLanguageModelCallEnd: (event: { providerMetadata?: unknown }) => {
        outcomes.push(scriptOutcomeOf(event.providerMetadata));
      },
    };
    if (kind === "generate") await generateText(options);
    else await streamText(options).consumeStream();
    expect(calls[0]?.providerOptions).toEqual(scriptCallOptions("A", 0));
    expect(calls[1]?.providerOptions).toBeUndefined();
    expect(outcomes[0]).toEqual({ position: 1, waiting: false });
  },
);

test("a toolApproval that waits holds the run in its place, and nothing is executed before its answer", async () => {
  const events: string[] = [];
  const act = tool({ inputSchema: z.strictObject({}), execute: () => void events.push("executed") });
  const { model, calls } = recorded([callOf("act", {}), { text: "done" }]);
  await generateText({
    model,
    tools: { act },
    stopWhen: isStepCount(5),
    prompt: "Go.",
    toolApproval: async () => {
      for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      events.push(`approved after ${calls.length} call`);
      return { type: "approved" };
    },
  });
  expect(events).toEqual(["approved after 1 call", "executed"]);
});

test("a parked approval is answered by the last message alone: any message beside it is refused", async () => {
  const act = tool({ inputSchema: z.strictObject({}), execute: () => "executed" });
  const model = scriptedModel([callOf("act", {}), { text: "done" }]);
  const options = { model, tools: { act }, stopWhen: isStepCount(5), toolApproval: { act: "user-approval" } } as const;
  const parked = await generateText({ ...options, prompt: "Go." });
  const request = parked.content.find((part) => part.type === "tool-approval-request");
  const history: ModelMessage[] = [{ role: "user", content: "Go." }, ...parked.responseMessages];
  const answer: ModelMessage = {
    role: "tool",
    content: [{ type: "tool-approval-response", approvalId: request?.approvalId ?? "", approved: true }],
  };
  for (const messages of [
    [...history, answer, letter(1)],
    [...history, letter(1)],
  ]) {
    const error = await thrownBy(() => generateText({ ...options, messages }));
    expect(error).toMatchObject({ name: "AI_MissingToolResultsError" });
  }
  const resumed = await generateText({ ...options, messages: [...history, answer] });
  expect(resumed.text).toBe("done");
});
