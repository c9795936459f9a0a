import { expect, test } from "vitest";
import { jsonSchema, tool } from "ai";
import type { LanguageModelV4 } from "../../../src/actors/models/language-model-v4.ts";
import { scriptedModel } from "../../../src/actors/models/scripted-model.ts";
import { memoryBus } from "../../../src/bus/memory.ts";
import type { AgentSource, FunctionRun, Session } from "../../../src/index.ts";
import { calls, startHttpTeam, taskOf } from "../../support/http-team.ts";
import { heldModel } from "../../support/held-model.ts";
import { call, complete, gate, member, one, settle, startSystem, until } from "../../support/sessions.ts";

const never = <Value>(): Promise<Value> => new Promise<Value>(() => {});
const deaf = tool({ inputSchema: jsonSchema({ type: "object" }), execute: () => never<string>() });
const looping = (): LanguageModelV4 =>
  scriptedModel(Array.from({ length: 40 }, () => ({ ...call("team_status"), delayMs: 1_000 })));
const silent: LanguageModelV4 = { ...scriptedModel([]), provider: "other", doStream: () => never() };

/** Members as reports describe them: what each does when it is asked to end. */
const characters: Record<string, AgentSource> = {
  polite: {
    run: ({ signal }: FunctionRun) =>
      new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
  },
  "deaf function": { run: () => never() },
  "deaf tool": { model: scriptedModel([call("deaf")]), tools: { deaf } },
  "hanging model": { model: scriptedModel([{ hang: true }]) },
  "model deaf to its signal": { model: silent },
  "model whose stream never ends": { model: heldModel().model },
  looping: { model: looping() },
  "waiting for mail": { run: async ({ mail }: FunctionRun) => ({ summary: (await mail.next()).content }) },
};

/** Each kind of end, and how long it takes at most. */
const ends: Record<string, (session: Session) => Promise<unknown>> = {
  "a graceful dissolve": (session) => session.dissolve(),
  "an abort": (session) => session.dissolve({ mode: "abort" }),
  "a cancel": (session) => session.replan({ cancel: ["A"] }),
  "a close": (session) => session.close(),
};

const cases = Object.keys(ends).flatMap((end) => Object.keys(characters).map((who) => [end, who] as const));

test.each(cases)("U38, U41: %s of a member that is %s leaves no run and no timer", async (end, who) => {
  await using tests = await startSystem({ agents: { it: characters[who] as AgentSource } });
  const session = await tests.open();
  await session.createTeam({ name: "T", members: [one("A", { agentType: "it" })] });
  await settle(30);
  const ended = ends[end]?.(session) ?? never();
  await tests.clock.advance(10_000);
  await ended;
  await settle();
  const { status, presence } = member(session, "A");
  expect([status, presence]).toEqual(["cancelled", "shutdown"]);
  expect([session.alive, tests.clock.pending, tests.faults]).toEqual([{ runs: 0, timers: 0 }, 0, []]);
});

test("R42, R43: a graceful dissolve asks a running member at its next step, and ends with its word", async () => {
  const stepEnds = gate<string>();
  const slow = tool({ inputSchema: jsonSchema({ type: "object" }), execute: () => stepEnds.promise });
  const model = scriptedModel([call("slow"), call("shutdown_reply", { accept: true }), complete("too late")]);
  await using tests = await startSystem({ agents: { it: { model, tools: { slow } } } });
  const session = await tests.open();
  await session.createTeam({ name: "T", members: [one("A", { agentType: "it" })] });
  await until(() => member(session, "A").activity === "tool");
  const dissolved = session.dissolve();
  await settle();
  expect([session.status().state, member(session, "A").presence]).toEqual(["dissolving", "draining"]);
  stepEnds.resolve("ended in time");
  expect(await dissolved).toEqual({ outcome: "dissolved", cancelled: ["A"] });
  expect([member(session, "A").modelCalls, tests.clock.pending]).toEqual([2, 0]);
});

test("U41: what a run reports after the dissolve is recorded as stale and changes nothing", async () => {
  const bus = memoryBus();
  const late = gate<string>();
  const stubborn = { run: async () => ({ summary: await late.promise }) };
  await using tests = await startSystem({ bus, agents: { it: stubborn } });
  const session = await tests.open({ id: "s" });
  await session.createTeam({ name: "T", members: [one("A", { agentType: "it" })] });
  await session.dissolve({ mode: "abort" });
  const before = JSON.stringify(session.status());
  const seen: string[] = [];
  session.events$.subscribe(({ actor, event, verdict }) => seen.push(`${actor} ${event.type} ${verdict}`));
  late.resolve("at last");
  await settle();
  const subject = { namespace: "default", session: "s", actor: "A-t1", sender: "A-t1" };
  const event = { type: "run.completed", run: 1, k: 1 } as const;
  await bus.append({ subject, input: { id: "late", at: 0, actor: "A-t1", from: "A-t1", epoch: 1, event } });
  expect(seen).toEqual(["A run.completed stale"]);
  expect(JSON.stringify(session.status())).toBe(before);
});

test("an abort while a graceful dissolve waits ends it at once, and both are answered alike", async () => {
  await using tests = await startSystem({ agents: { it: { run: () => never() } } });
  const session = await tests.open();
  await session.createTeam({ name: "T", members: [one("A", { agentType: "it" })] });
  const graceful = session.dissolve({ graceMs: 60_000 });
  const abort = session.dissolve({ mode: "abort" });
  const [first, second] = await Promise.all([graceful, abort]);
  expect(first).toEqual(second);
  expect(await session.dissolve()).toEqual(first);
  expect(tests.clock.pending).toBe(0);
});

test("U63: a hundred streams aborted in the middle leave no request, no socket's work and no rejection", async () => {
  await using tests = await startHttpTeam(() => ({ stall: true, afterText: "I begin to say" }), {
    limits: { concurrentCallsMax: 100 },
  });
  const session = await tests.open();
  const names = Array.from({ length: 100 }, (_, n) => `M${n}`);
  await session.createTeam({ name: "T", members: names.map((name) => one(name)) });
  await until(() => tests.server.open === 100);
  await settle(50);
  await session.dissolve({ mode: "abort" });
  await tests.server.idle();
  await settle(50);
  expect([session.alive, tests.clock.pending, tests.faults]).toEqual([{ runs: 0, timers: 0 }, 0, []]);
});

test.each(["thinking", "tool", "backing_off", "waiting for a slot"])(
  "closing the system while a member is in %s leaves nothing alive",
  async (phase) => {
    const stall = { stall: true, afterText: "x" } as const;
    const replies = {
      thinking: stall,
      tool: calls(["deaf", {}]),
      backing_off: { status: 503 },
      "waiting for a slot": stall,
    };
    const limits = phase === "waiting for a slot" ? { concurrentCallsMax: 1 } : {};
    const tests = await startHttpTeam(
      (request) => (taskOf(request) === "A" ? replies[phase as keyof typeof replies] : stall),
      { agents: { it: { tools: { deaf } } }, limits },
    );
    const session = await tests.open();
    const names = phase === "waiting for a slot" ? ["B", "A"] : ["A"];
    await session.createTeam({ name: "T", members: names.map((name) => one(name, { agentType: "it" })) });
    const activity = phase === "waiting for a slot" ? "thinking" : phase;
    await until(() => tests.server.requests.length === 1 && member(session, "A").activity === activity);
    await settle(30);
    await tests.system.close();
    await tests.server.idle();
    await settle();
    expect([session.alive, tests.clock.pending, tests.faults]).toEqual([{ runs: 0, timers: 0 }, 0, []]);
    expect(tests.server.requests).toHaveLength(1);
    await tests[Symbol.asyncDispose]();
  },
);
