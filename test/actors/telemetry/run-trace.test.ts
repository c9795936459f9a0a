import { context, trace } from "@opentelemetry/api";
import { jsonSchema, tool } from "ai";
import { expect, test, vi } from "vitest";
import { defineAgent } from "../../../src/index.ts";
import { activeTracer } from "../../../src/actors/telemetry/active-tracer.ts";
import { call, complete, one, startSystem } from "../../support/sessions.ts";
import { recordSpans } from "../../support/recorded-spans.ts";

const secret = "canary-secret-4411";
const look = tool({
  inputSchema: jsonSchema<object>({ type: "object" }),
  execute: () => ({ found: `password = ${secret}` }),
});
const script = {
  A: [call("look", { token: secret, where: "here" }), complete("all is well")],
  B: [{ error: "context_length" as const }],
};
const agents = { general: { model: "scripted", tools: { look } } };

async function runTeam(options: object = {}): Promise<readonly unknown[]> {
  await using on = await startSystem({ agents, script, ...options });
  const session = await on.open({ id: "s" });
  const team = await session.createTeam({ name: "Größe", members: [one("A"), one("B")] });
  await team.finished().catch(() => {});
  await session.settled();
  return on.faults;
}

test("a run is a span with its model calls and tools in it, by the conventions for generative AI", async () => {
  const spans = recordSpans();
  await runTeam();
  expect(spans.every(({ ended }) => ended)).toBe(true);
  const tree = spans.map(({ name, parent }) => `${parent ?? "-"} > ${name}`).toSorted();
  expect(tree).toMatchInlineSnapshot(`
    [
      "- > invoke_agent A",
      "- > invoke_agent B",
      "invoke_agent A > chat scripted",
      "invoke_agent A > chat scripted",
      "invoke_agent A > execute_tool complete",
      "invoke_agent A > execute_tool look",
      "invoke_agent B > chat scripted",
    ]
  `);
  const byName = (name: string) => spans.find((span) => span.name === name)!;
  expect(byName("invoke_agent A").attributes).toMatchObject({
    "gen_ai.operation.name": "invoke_agent",
    "gen_ai.agent.name": "A",
    "gen_ai.conversation.id": "s",
    "teamchart.team": "Größe",
    "teamchart.run": 1,
    "teamchart.attempt": 1,
  });
  expect(byName("execute_tool look").attributes).toMatchObject({
    "gen_ai.tool.name": "look",
    "teamchart.tool.verdict": "ok",
  });
  const chat = spans.find(({ name, parent }) => name.startsWith("chat") && parent === "invoke_agent A")!;
  expect(chat.attributes).toMatchObject({
    "gen_ai.operation.name": "chat",
    "gen_ai.response.finish_reasons": ["tool-calls"],
    "gen_ai.usage.input_tokens": expect.any(Number),
  });
  expect(byName("invoke_agent B").attributes["error.type"]).toBe("model_error");
  expect(byName("invoke_agent B").status).toMatchObject({
    code: 2,
    message: expect.stringContaining("context_length"),
  });
});

test("inputs and outputs stay out of spans unless they are asked for, and are redacted then", async () => {
  const spans = recordSpans();
  await runTeam();
  const bare = JSON.stringify(spans);
  for (const text of ["here", "Task of A", "all is well", secret]) expect(bare).not.toContain(text);
  const first = spans.length;
  await runTeam({ telemetry: { recordInputs: true, recordOutputs: true } });
  const full = JSON.stringify(spans.slice(first));
  for (const text of ["here", "Task of A", "all is well"]) expect(full).toContain(text);
  expect(full).not.toContain(secret);
});

test("without a registered SDK no span is begun and nothing is made for one", async () => {
  expect(activeTracer()).toBeNull();
  const startSpan = vi.spyOn(trace.getTracer("teamchart"), "startSpan");
  const setSpan = vi.spyOn(trace, "setSpan");
  await runTeam();
  expect([startSpan.mock.calls, setSpan.mock.calls]).toEqual([[], []]);
  vi.restoreAllMocks();
});

test("the runs of a session belong to what was active when it was opened", async () => {
  const spans = recordSpans();
  await using on = await startSystem({ agents, script });
  const request = trace.getTracer("app").startSpan("GET /review");
  const session = await context.with(trace.setSpan(context.active(), request), () => on.open({ id: "s" }));
  await (await session.createTeam({ name: "T", members: [one("A")] })).finished();
  expect(spans.find(({ name }) => name === "invoke_agent A")?.parent).toBe("GET /review");
});

test("spans of a function agent, and of its own tools, belong to its run", async () => {
  const spans = recordSpans();
  const own = defineAgent({
    tools: { look },
    run: async ({ tools }) => {
      trace.getTracer("app").startSpan("my work").end();
      await tools["look"]?.execute?.({} as never, {} as never);
    },
  });
  await using on = await startSystem({ agents: { own } });
  const session = await on.open();
  await (await session.createTeam({ name: "T", members: [one("A", { agentType: "own" })] })).finished();
  expect(spans.map(({ name, parent }) => [name, parent])).toEqual([
    ["invoke_agent A", null],
    ["my work", "invoke_agent A"],
    ["execute_tool look", "invoke_agent A"],
  ]);
});

test("an SDK that throws harms no run", async () => {
  recordSpans();
  trace.disable();
  const startSpan = (): never => {
    throw new Error("the exporter is broken");
  };
  trace.setGlobalTracerProvider({ getTracer: () => ({ startSpan, startActiveSpan: startSpan }) });
  const faults = await runTeam();
  expect(faults.map(String)).toContain("Error: the exporter is broken");
});

test("an option of the telemetry that doesn't exist is refused", async () => {
  await expect(startSystem({ telemetry: { recordInput: true } as object })).rejects.toMatchObject({
    code: "bad_input",
  });
});
