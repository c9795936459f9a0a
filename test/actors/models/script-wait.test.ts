import { generateText, isStepCount, tool } from "ai";
import { expect, test } from "vitest";
import { z } from "zod";
import type { CallOptions, Prompt, ToolOutput } from "../../../src/actors/models/language-model-v4.ts";
import { scriptCallOptions, scriptOutcomeOf } from "../../../src/actors/models/script-call.ts";
import { ScriptError } from "../../../src/actors/models/script-error.ts";
import { scriptedModel, type ScriptedModel } from "../../../src/actors/models/scripted-model.ts";
import type { WorkState } from "../../../src/protocol/reply.ts";
import { createVirtualClock } from "../../../src/testing/virtual-clock.ts";

const start: Prompt = [{ role: "user", content: [{ type: "text", text: "Go." }] }];

interface Shown {
  readonly version?: number;
  readonly state?: string;
  readonly members?: Readonly<Record<string, string>>;
}

const status = ({ version = 1, state = "running", members = {} }: Shown) => ({
  team: "T",
  state,
  version,
  members: Object.entries(members).map(([name, is]) => ({ name, status: is, agentType: "general" })),
});

const json = (shown: Shown): ToolOutput => ({ type: "json", value: status(shown) });

/** A conversation with the scripted model, whose tool results the test makes up. */
const converse = (model: ScriptedModel) => {
  const prompt: CallOptions["prompt"] = [...start];
  let position = 0;
  return {
    /** One model call; its tool calls go into the prompt, and the position goes on as a journal would take it on. */
    next: async () => {
      const answer = await model.doGenerate({ prompt, providerOptions: scriptCallOptions("Lead", position) });
      position = scriptOutcomeOf(answer.providerMetadata)?.position ?? position;
      const calls = answer.content.filter((part) => part.type === "tool-call");
      if (calls.length > 0) {
        prompt.push({ role: "assistant", content: calls.map((call) => ({ ...call, input: JSON.parse(call.input) })) });
      }
      const [call] = calls;
      return { answer, call, waiting: scriptOutcomeOf(answer.providerMetadata)?.waiting, position };
    },
    result: (toolCallId: string | undefined, output: ToolOutput) => {
      const part = { type: "tool-result" as const, toolCallId: toolCallId ?? "", toolName: "team_status", output };
      prompt.push({ role: "tool", content: [part] });
    },
  };
};

const waitFor = (members: Record<string, WorkState>) => ({ waitFor: members });

test("a wait asks team_status, first without and then with since, until the members are as awaited", async () => {
  const lead = converse(scriptedModel({ Lead: [waitFor({ A: "failed", D: "completed" }), { text: "go on" }] }));
  const first = await lead.next();
  expect(first.call).toMatchObject({ toolName: "team_status", input: "{}" });
  lead.result(first.call?.toolCallId, json({ version: 3, members: { A: "in_progress", D: "completed" } }));
  const second = await lead.next();
  expect(second.call).toMatchObject({ toolName: "team_status", input: '{"since":3}' });
  lead.result(second.call?.toolCallId, json({ version: 7, members: { A: "failed", D: "completed" } }));
  const third = await lead.next();
  expect(third.answer.content).toEqual([{ type: "text", text: "go on" }]);
});

test("looks use nothing up; the call after the one that satisfied the wait uses up the wait and its own entry", async () => {
  const lead = converse(scriptedModel({ Lead: [waitFor({ A: "completed" }), { text: "go on" }] }));
  const first = await lead.next();
  expect([first.waiting, first.position]).toEqual([true, 0]);
  lead.result(first.call?.toolCallId, json({ members: { A: "completed" } }));
  const second = await lead.next();
  expect([second.waiting, second.position]).toEqual([false, 2]);
});

test("each look has its own call id", async () => {
  const clock = createVirtualClock();
  const lead = converse(scriptedModel({ Lead: [waitFor({ A: "completed" }), { text: "go on" }] }, { clock }));
  const ids = new Set<string | undefined>();
  for (let version = 1; version <= 12; version += 1) {
    const next = lead.next();
    await clock.runUntilIdle();
    const { call } = await next;
    ids.add(call?.toolCallId);
    lead.result(call?.toolCallId, json({ version, members: { A: "in_progress" } }));
  }
  expect(ids.size).toBe(12);
});

test("a wait judges only what it has asked itself: an older look can neither satisfy nor fail it", async () => {
  const script = { Lead: [waitFor({ A: "failed" }), waitFor({ C: "completed" }), { text: "done" }] };
  const lead = converse(scriptedModel(script));
  const first = await lead.next();
  lead.result(first.call?.toolCallId, json({ version: 4, state: "stalled", members: { A: "failed", C: "blocked" } }));
  const second = await lead.next();
  expect([second.call?.input, second.position]).toEqual(["{}", 1]);
  lead.result("a call of somebody else", json({ version: 5, state: "dissolved", members: { C: "cancelled" } }));
  lead.result(second.call?.toolCallId, json({ version: 5, members: { C: "completed" } }));
  expect((await lead.next()).answer.content).toEqual([{ type: "text", text: "done" }]);
});

test("a condition that holds is satisfied though the team is finished", async () => {
  const lead = converse(scriptedModel({ Lead: [waitFor({ A: "completed" }), { text: "go on" }] }));
  const { call } = await lead.next();
  lead.result(call?.toolCallId, json({ state: "finished", members: { A: "completed" } }));
  expect((await lead.next()).answer.content).toMatchObject([{ text: "go on" }]);
});

test.each(["finished", "stalled", "completed", "failed", "dissolved"])(
  "a team that is %s fails a wait, naming members and statuses",
  async (state) => {
    const lead = converse(scriptedModel({ Lead: [waitFor({ A: "completed", B: "failed" }), { text: "never" }] }));
    const { call } = await lead.next();
    lead.result(call?.toolCallId, json({ state, members: { A: "cancelled", C: "completed" } }));
    const error: unknown = await lead.next().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ScriptError);
    expect(error).toMatchObject({
      message: `waited for A to be completed and B to be failed, but the team is ${state}: A is cancelled, B is no member`,
      actor: "Lead",
      call: 1,
    });
    expect(scriptOutcomeOf(error)).toEqual({ position: 1, waiting: false });
  },
);

test("a wait without a team fails", async () => {
  const lead = converse(scriptedModel({ Lead: [waitFor({ A: "completed" })] }));
  const { call } = await lead.next();
  lead.result(call?.toolCallId, json({ state: "none" }));
  await expect(lead.next()).rejects.toThrow("waited for A to be completed, but there is no team: A is no member");
});

test("a team that is being dissolved is asked again", async () => {
  const lead = converse(scriptedModel({ Lead: [waitFor({ A: "completed" })] }));
  const { call } = await lead.next();
  lead.result(call?.toolCallId, json({ state: "dissolving", members: { A: "in_progress" } }));
  expect((await lead.next()).waiting).toBe(true);
});

test.each([
  ["a JSON text", (shown: Shown): ToolOutput => ({ type: "text", value: JSON.stringify(status(shown)) })],
  [
    "content",
    (shown: Shown): ToolOutput => ({ type: "content", value: [{ type: "text", text: JSON.stringify(status(shown)) }] }),
  ],
])("a status that comes as %s is read too", async (_kind, output) => {
  const lead = converse(scriptedModel({ Lead: [waitFor({ A: "completed" }), { text: "go on" }] }));
  const { call } = await lead.next();
  lead.result(call?.toolCallId, output({ members: { A: "completed" } }));
  expect((await lead.next()).answer.content).toMatchObject([{ text: "go on" }]);
});

test.each([
  ["a refusal", { type: "error-text", value: "Error: NO_TEAM: this session has no team." }, /NO_TEAM/],
  ["a refusal as a plain result", { type: "text", value: "NO_TEAM: this session has no team." }, /NO_TEAM/],
  ["a denial", { type: "execution-denied" }, /the call was denied/],
  ["another JSON", { type: "json", value: { hello: 1 } }, /hello/],
] as const)("%s fails the wait with its text, so that nothing asks for ever", async (_kind, output, text) => {
  const lead = converse(scriptedModel({ Lead: [waitFor({ A: "completed" })] }));
  const { call } = await lead.next();
  lead.result(call?.toolCallId, output);
  await expect(lead.next()).rejects.toThrow(text);
});

test("a look that was interrupted is asked again", async () => {
  const clock = createVirtualClock();
  const lead = converse(scriptedModel({ Lead: [waitFor({ A: "completed" })] }, { clock }));
  const { call } = await lead.next();
  lead.result(call?.toolCallId, { type: "error-text", value: "interrupted: effect unknown" });
  const next = lead.next();
  await clock.runUntilIdle();
  expect((await next).waiting).toBe(true);
});

test("a look that shows nothing new is followed by a pause, so that no wait is a busy loop", async () => {
  const clock = createVirtualClock();
  const lead = converse(scriptedModel({ Lead: [waitFor({ A: "completed" })] }, { clock }));
  for (const version of [1, 1]) {
    const { call } = await lead.next();
    lead.result(call?.toolCallId, json({ version, members: { A: "in_progress" } }));
  }
  const next = lead.next();
  await clock.runUntilIdle();
  expect((await next).call?.input).toBe('{"since":1}');
  expect(clock.now()).toBe(50);
});

test("a member named __proto__ can be waited for", async () => {
  const lead = converse(
    scriptedModel(JSON.parse('{"Lead": [{"waitFor": {"__proto__": "failed"}}, {"text": "go on"}]}')),
  );
  const { call } = await lead.next();
  lead.result(call?.toolCallId, json({ members: Object.fromEntries([["__proto__", "failed"]]) }));
  expect((await lead.next()).answer.content).toMatchObject([{ text: "go on" }]);
});

test("a wait works in a plain generateText, without a host", async () => {
  let version = 0;
  const team_status = tool({
    inputSchema: z.strictObject({ since: z.number().optional() }),
    execute: () => {
      version += 1;
      return status({ version, members: { A: version < 3 ? "in_progress" : "completed" } });
    },
  });
  const model = scriptedModel([waitFor({ A: "completed" }), { text: "It is done." }]);
  const result = await generateText({ model, tools: { team_status }, stopWhen: isStepCount(10), prompt: "Go." });
  expect([result.text, version]).toEqual(["It is done.", 3]);
  expect(result.toolCalls.map((call) => call.input)).toEqual([{}, { since: 1 }, { since: 2 }]);
  model.assertExhausted();
});
