import { tool } from "ai";
import { expect, test } from "vitest";
import type { Agent } from "../../../src/actors/agents/agent.ts";
import { calls, delivers, startHttpTeam, taskOf } from "../../support/http-team.ts";
import {
  anyInput,
  call,
  complete,
  gate,
  lookTool,
  member,
  one,
  settle,
  startSystem,
  until,
} from "../../support/sessions.ts";
import { scriptedModel } from "../../../src/actors/models/scripted-model.ts";

// The local server says 15 tokens of every answer: 10 read and 5 written. The estimates of the prompts are larger.

const look = (times: number) => Array.from({ length: times }, () => calls(["team_status", {}]));

test("memberTokensMax fails the member before the call that would pass it, with what it has used", async () => {
  const limits = { memberTokensMax: 3_000 };
  await using tests = await startSystem({
    script: { A: Array.from({ length: 50 }, () => call("team_status")) },
    limits,
  });
  const session = await tests.open();
  const team = await session.createTeam({ name: "T", members: [one("A")] });
  await team.finished();
  const { status, reason, tokens, modelCalls } = member(session, "A");
  expect(status).toBe("failed");
  expect(reason).toBe(`budget: memberTokensMax: ${tokens} of 3000`);
  expect([tokens <= 3_000, modelCalls > 1, modelCalls < 50]).toEqual([true, true, true]);
});

test("without a token limit nothing is counted against anybody", async () => {
  await using tests = await startSystem({
    script: { A: [...Array.from({ length: 40 }, () => call("team_status")), complete()] },
  });
  const session = await tests.open();
  const team = await session.createTeam({ name: "T", members: [one("A")] });
  expect(await team.finished()).toMatchObject({ outcome: "completed" });
});

test("teamTokensMax counts members side by side with what their calls under way have reserved", async () => {
  const hold = gate();
  const bigTask = (name: string) => ({ name, prompt: `Task of ${name}. ${"x".repeat(8_000)}` });
  await using tests = await startHttpTeam(() => ({ text: "hm", after: hold.promise }), {
    limits: { teamTokensMax: 8_000 },
  });
  const session = await tests.open();
  const team = await session.createTeam({ name: "T", members: ["A", "B", "C", "D", "E", "F"].map(bigTask) });
  await until(() => session.status().members.some(({ status }) => status === "failed"));
  await until(() => tests.server.requests.length === 3);
  await settle(20);
  const failed = session.status().members.filter(({ status }) => status === "failed");
  expect(failed.map(({ reason }) => reason)).toEqual(Array(3).fill("budget: teamTokensMax: 0 of 8000"));
  expect(tests.server.requests).toHaveLength(3);
  hold.resolve();
  await team.finished();
});

test("the lead's turn fails by teamTokensMax like a member, and says so", async () => {
  await using tests = await startSystem({
    script: { Lead: Array.from({ length: 50 }, () => call("team_status")) },
    limits: { teamTokensMax: 3_000, memberTokensMax: 1 },
  });
  const session = await tests.open({ lead: {} });
  await expect(session.send("Go.")).rejects.toMatchObject({
    code: "lead_failed",
    message: expect.stringMatching(/budget: teamTokensMax: \d+ of 3000/u) as string,
  });
});

test("what a sub-agent uses is its lead's: tokens and calls, and the end of the team's budget ends it", async () => {
  const shown: string[] = [];
  const again = tool({ inputSchema: anyInput, execute: () => "x".repeat(2_000) });
  const agents = { it: { model: scriptedModel(Array.from({ length: 40 }, () => call("again"))), tools: { again } } };
  await using tests = await startSystem({
    script: {
      Lead: [call("task", { description: "d", prompt: "p", agentType: "it" }), call("look"), { text: "done" }],
    },
    agents,
    limits: { teamTokensMax: 6_000 },
  });
  const session = await tests.open({ lead: { tools: { look: lookTool(shown) } } });
  expect(await session.send("Go.")).toBe("done");
  expect(shown[0]).toMatch(/BUDGET_EXCEEDED: the budget teamTokensMax is used up: \d+ of 6000/u);
  const { tokens, modelCalls } = session.state.lead;
  expect([tokens > 3_000, modelCalls > 5]).toEqual([true, true]);
});

test("at 80 % of stepsMax one message tells a member to deliver, and its next call can call complete only", async () => {
  const replies = [...look(9), delivers("what I have")];
  await using tests = await startHttpTeam(replies, { limits: { stepsMax: 10 } });
  const session = await tests.open();
  const team = await session.createTeam({ name: "T", members: [one("A")] });
  expect(await team.finished()).toMatchObject({ outcome: "completed" });
  const { requests } = tests.server;
  const told = requests.map(
    ({ body }) => JSON.stringify(body.messages).split("about to run out (stepsMax)").length - 1,
  );
  expect(told).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 1, 1]);
  const forced = { type: "function", function: { name: "complete" } };
  expect(requests.map(({ body }) => body.tool_choice)).toEqual([...Array(8).fill("auto"), forced, "auto"]);
});

test("at 80 % of its tokens a member is told once, over all its turns, and a member that has delivered is not forced", async () => {
  const replies = [delivers(), { text: "and now?" }, { text: "and?" }];
  const limits = { memberTokensMax: 2_000 };
  await using tests = await startHttpTeam(replies, { limits });
  const session = await tests.open();
  const team = await session.createTeam({ name: "T", members: [one("A", { lifetime: "persistent" })] });
  await team.finished();
  for (const [index, size] of [5_200, 1].entries()) {
    await session.sendMessage({ to: "A", content: "x".repeat(size) });
    await until(() => tests.server.requests.length === index + 2 && member(session, "A").presence === "idle");
  }
  const told = tests.server.requests.map(
    ({ body }) => JSON.stringify(body.messages).split("about to run out").length - 1,
  );
  expect(told).toEqual([0, 1, 1]);
  expect(tests.server.requests.map(({ body }) => body.tool_choice)).toEqual(["auto", "auto", "auto"]);
});

test("a member that still plans is told and not forced: it could not deliver, and has its plan to submit", async () => {
  await using tests = await startHttpTeam([...look(4), { text: "still thinking" }], { limits: { stepsMax: 5 } });
  const session = await tests.open();
  await session.createTeam({ name: "T", members: [one("A", { requirePlan: true })] });
  await until(() => tests.server.requests.length > 4);
  expect(JSON.stringify(tests.server.requests[4]?.body.messages)).toContain("about to run out (stepsMax)");
  expect(tests.server.requests[4]?.body.tool_choice).toBe("auto");
});

test("a lead is told too, and stays free to choose", async () => {
  await using tests = await startHttpTeam([...look(4), { text: "the answer" }], { limits: { stepsMax: 5 } });
  const session = await tests.open({ lead: {} });
  expect(await session.send("Go.")).toBe("the answer");
  expect(JSON.stringify(tests.server.requests[4]?.body.messages)).toContain("about to run out (stepsMax)");
  expect(tests.server.requests[4]?.body.tool_choice).toBe("auto");
  expect(taskOf(tests.server.requests[4] as never)).toBe("Lead");
});

test("stepsMax fails with the limit, what was used and how much there was", async () => {
  await using tests = await startSystem({
    script: { A: Array.from({ length: 9 }, () => call("team_status")) },
    limits: { stepsMax: 4 },
  });
  const session = await tests.open();
  const team = await session.createTeam({ name: "T", members: [one("A")] });
  await team.finished();
  expect(member(session, "A")).toMatchObject({ status: "failed", reason: "budget: stepsMax: 4 of 4", modelCalls: 4 });
});

test.each(["model", "function"])(
  "attemptMs fails an attempt of a %s that takes longer, and leaves no timer",
  async (kind) => {
    const never = gate<{ summary: string }>();
    const agent: Agent = kind === "model" ? {} : { run: () => never.promise };
    await using tests = await startSystem({
      script: { A: [{ hang: true }] },
      agents: { it: agent },
      limits: { attemptMs: 5_000 },
    });
    const session = await tests.open();
    const team = await session.createTeam({ name: "T", members: [one("A", { agentType: "it" })] });
    await tests.clock.advance(4_999);
    expect(member(session, "A").status).toBe("in_progress");
    await tests.clock.advance(1);
    await team.finished();
    expect(member(session, "A")).toMatchObject({ status: "failed", reason: "budget: attemptMs: 5000 of 5000" });
    await settle();
    expect([session.alive, tests.clock.pending, tests.faults]).toEqual([{ runs: 0, timers: 0 }, 0, []]);
  },
);

test("attemptMs counts the pauses between repetitions, and a new attempt has its own", async () => {
  await using tests = await startSystem({
    script: { A: [{ error: "overloaded" }, { hang: true }] },
    limits: { attemptMs: 3_000 },
  });
  const session = await tests.open();
  const team = await session.createTeam({ name: "T", members: [one("A")] });
  await until(() => member(session, "A").activity === "backing_off");
  await tests.clock.advance(1_000);
  await until(() => member(session, "A").activity === "thinking");
  await tests.clock.advance(2_000);
  await team.finished();
  expect(member(session, "A").reason).toBe("budget: attemptMs: 3000 of 3000");
  await session.replan({ retry: [{ name: "A" }] });
  await tests.clock.advance(2_999);
  expect(member(session, "A")).toMatchObject({ status: "in_progress", attempt: 2 });
  await tests.clock.advance(1);
  expect(member(session, "A")).toMatchObject({ status: "failed", attempt: 2 });
});

test("attemptMs is over with the delivery: what a member does afterwards has all the time", async () => {
  await using tests = await startSystem({
    script: { A: [complete(), { hang: true }] },
    limits: { attemptMs: 3_000 },
  });
  const session = await tests.open();
  const team = await session.createTeam({ name: "T", members: [one("A", { lifetime: "persistent" })] });
  await team.finished();
  await session.sendMessage({ to: "A", content: "one more" });
  await tests.clock.advance(60_000);
  expect(member(session, "A")).toMatchObject({ status: "completed", presence: "running" });
});
