import { z } from "zod";
import { expect, test } from "vitest";
import { memoryBus } from "../../../src/bus/memory.ts";
import type { Session } from "../../../src/index.ts";
import { calls, delivers, growOnly, startHttpTeam, taskOf } from "../../support/http-team.ts";
import { gate, member, one, settle, until } from "../../support/sessions.ts";

const solo = async (session: Session) => session.createTeam({ name: "T", members: [one("A")] });

test("a 429 with retry-after is waited for, visibly, and then the member delivers", async () => {
  await using tests = await startHttpTeam([{ status: 429, headers: { "retry-after": "20" } }, delivers()]);
  const session = await tests.open();
  const team = await solo(session);
  await until(() => member(session, "A").activity === "backing_off");
  await tests.clock.advance(19_999);
  expect([tests.server.requests.length, member(session, "A").activity]).toEqual([1, "backing_off"]);
  await tests.clock.advance(10_000);
  expect(await team.finished()).toMatchObject({ outcome: "completed" });
  expect(member(session, "A")).toMatchObject({ modelCalls: 2, attempt: 1 });
  await tests.server.idle();
  expect(tests.clock.pending).toBe(0);
});

test("U33, R38: a 503 is tried 1 + retriesMax times, 1 s doubling to 8 s apart; then the member has failed, and B stays blocked", async () => {
  await using tests = await startHttpTeam(() => ({ status: 503 }));
  const session = await tests.open();
  const team = await session.createTeam({ name: "T", members: [one("A"), one("B", { dependsOn: ["A"] })] });
  const pauses: unknown[] = [];
  session.events$.subscribe(({ event }) => "retryInMs" in event && pauses.push(event.retryInMs));
  while (session.status().state === "running") {
    await tests.server.idle();
    await settle();
    await tests.clock.advance(500);
  }
  expect(await team.finished()).toMatchObject({ state: "stalled" });
  expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 8_000]);
  expect(member(session, "A")).toMatchObject({
    status: "failed",
    reason: expect.stringMatching(/^model_error: overloaded/) as string,
    modelCalls: 6,
  });
  expect(member(session, "B")).toMatchObject({ status: "blocked", waitingOn: ["A"] });
});

test("a stream that falls silent is given up as the network's failure, and repeated", async () => {
  await using tests = await startHttpTeam([{ stall: true, afterText: "I begin" }, delivers()], {
    limits: { chunkMs: 80 },
  });
  const session = await tests.open();
  const team = await solo(session);
  await until(() => member(session, "A").activity === "backing_off");
  await tests.clock.advance(1_000);
  expect(await team.finished()).toMatchObject({ outcome: "completed" });
  await tests.server.idle();
});

test("a server that takes the request and says nothing is given up after chunkMs of the session's clock", async () => {
  await using tests = await startHttpTeam([{ stall: true }, delivers()]);
  const session = await tests.open();
  const team = await solo(session);
  await until(() => tests.server.open === 1);
  await tests.clock.advance(120_000);
  await until(() => member(session, "A").activity === "backing_off");
  await tests.clock.advance(1_000);
  expect(await team.finished()).toMatchObject({ outcome: "completed" });
});

test.each([
  ["cut before its first byte", { drop: true }],
  ["cut in the middle", { drop: true, afterText: "I begin" }],
  [
    "broken by an error of the provider",
    { streamError: { message: "overloaded", type: "server_error" }, afterText: "I" },
  ],
] as const)("a stream that is %s is repeated, and nothing of it stays in the conversation", async (_what, reply) => {
  await using tests = await startHttpTeam([reply, delivers()]);
  const session = await tests.open();
  const team = await solo(session);
  await until(() => member(session, "A").activity === "backing_off");
  await tests.clock.advance(1_000);
  expect(await team.finished()).toMatchObject({ outcome: "completed" });
  expect(tests.server.requests[1]?.body.messages).toEqual(tests.server.requests[0]?.body.messages);
});

test.each([
  ["arguments that are no JSON", calls(["complete", '{"summary": "cut off']), /complete/],
  ["arguments of the wrong kind", calls(["complete", { summary: 7 }]), /BAD_INPUT/],
  ["a tool that does not exist", calls(["teleport", {}]), /teleport/],
  ["a tool of a prototype", calls(["constructor", {}], ["__proto__", {}]), /constructor/],
] as const)("U47: %s: the model is told, and corrects it", async (_what, reply, told) => {
  await using tests = await startHttpTeam([reply, delivers()]);
  const session = await tests.open();
  expect(await (await solo(session)).finished()).toMatchObject({ outcome: "completed" });
  const results = tests.server.requests[1]?.body.messages.filter(({ role }) => role === "tool") ?? [];
  expect(results).toHaveLength(reply.calls.length);
  expect(JSON.stringify(results)).toMatch(told);
  expect(growOnly(tests.server.requests)).toBe(true);
});

test("an answer that was cut by its length is no result: its half call is told to the model, which calls again", async () => {
  const cut = { ...calls(["complete", '{"summary": "cut off']), quirks: { finishLength: true } };
  await using tests = await startHttpTeam([cut, delivers("whole")]);
  const session = await tests.open();
  const finishes: unknown[] = [];
  session.events$.subscribe(({ event }) => {
    if (event.type === "run.answered" && "finish" in event) finishes.push(event.finish);
  });
  expect((await (await solo(session)).finished()).members[0]).toMatchObject({ summary: "whole", modelCalls: 2 });
  const results = tests.server.requests[1]?.body.messages.filter(({ role }) => role === "tool") ?? [];
  expect(JSON.stringify(results)).toContain("complete");
  expect([results.length, finishes]).toEqual([1, ["length", "tool-calls"]]);
});

test("U47: a model that never calls right is stopped by stepsMax, with the budget as the reason", async () => {
  await using tests = await startHttpTeam(() => calls(["teleport", {}]), { limits: { stepsMax: 4 } });
  const session = await tests.open();
  await (await solo(session)).finished();
  expect(member(session, "A")).toMatchObject({
    status: "failed",
    reason: "budget: stepsMax: 4 of 4",
  });
  expect(tests.server.requests).toHaveLength(4);
});

test.each([
  ["plain text", { text: "Here is my report." }],
  ["an empty answer", { empty: true }],
] as const)(
  "U20, R37: %s without complete is nudged three times, then it has failed with no_report",
  async (_what, reply) => {
    await using tests = await startHttpTeam(() => reply);
    const session = await tests.open();
    await (await solo(session)).finished();
    expect(member(session, "A")).toMatchObject({
      status: "failed",
      reason: expect.stringMatching(/^no_report/) as string,
    });
    expect(tests.server.requests).toHaveLength(4);
    expect(growOnly(tests.server.requests)).toBe(true);
    expect(JSON.stringify(tests.server.requests[1]?.body.messages.at(-1))).toContain("without calling complete");
  },
);

test.each([
  ["content_filter", { status: 400, error: { message: "blocked", code: "content_filter" } }],
  ["context_length", { status: 400, error: { message: "maximum context length", code: "context_length_exceeded" } }],
] as const)("U39: %s fails at once, and the dissolve after it needs no model call", async (kind, reply) => {
  await using tests = await startHttpTeam([reply]);
  const session = await tests.open();
  await (await solo(session)).finished();
  expect(member(session, "A").reason).toMatch(new RegExp(`^model_error: ${kind}`, "u"));
  expect(await session.dissolve()).toEqual({ outcome: "failed", cancelled: [] });
  expect([tests.server.requests.length, tests.clock.pending]).toEqual([1, 0]);
});

test("U50: five members and one 429: every call is counted, and nobody storms the provider", async () => {
  let refused = false;
  await using tests = await startHttpTeam((request) => {
    if (refused || taskOf(request) !== "M1") return delivers(taskOf(request));
    refused = true;
    return { status: 429, headers: { "retry-after": "5" } };
  });
  const session = await tests.open();
  const names = ["M1", "M2", "M3", "M4", "M5", "M6", "M7"];
  const team = await session.createTeam({ name: "T", members: names.map((name) => one(name)) });
  await until(() => member(session, "M1").activity === "backing_off");
  expect(session.status().members.filter((each) => each.activity === "backing_off")).toHaveLength(1);
  while (session.status().state === "running") {
    await tests.clock.advance(1_000);
    await tests.server.idle();
    await settle();
  }
  expect(await team.finished()).toMatchObject({ outcome: "completed" });
  expect(tests.server.requests).toHaveLength(names.length + 1);
  expect(tests.server.openMax).toBeLessThanOrEqual(5);
});

test("the token stream of a member goes out as it comes, to whoever follows its topic", async () => {
  const go = gate();
  const bus = memoryBus();
  await using tests = await startHttpTeam([{ text: "slowly", after: go.promise }, delivers()], { bus });
  const session = await tests.open({ id: "s" });
  const texts: unknown[] = [];
  const whose = new Set<string>();
  bus.signals.follow("default.s.text").subscribe(({ value }) => {
    const { actor, run, text } = z.strictObject({ actor: z.string(), run: z.int(), text: z.string() }).parse(value);
    whose.add(`${actor} ${run}`);
    texts.push(text);
  });
  const team = await solo(session);
  go.resolve();
  await team.finished();
  expect(texts.join("")).toBe("slowly");
  expect([...whose]).toEqual(["A 1"]);
});
