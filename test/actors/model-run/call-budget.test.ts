import { expect, test } from "vitest";
import { createTeamSystem } from "../../../src/index.ts";
import { calls, delivers, startHttpTeam } from "../../support/http-team.ts";
import { call, complete, gate, member, one, rejection, settle, startSystem, until } from "../../support/sessions.ts";

// The local server says 15 tokens of every answer: 10 read and 5 written.
const prices = { scripted: { input: 1_000, output: 2_000 } };
const often = Array.from({ length: 50 }, () => call("team_status"));

test("memberCostMax fails the member before the call that would pass it, with what it has spent", async () => {
  await using tests = await startSystem({ script: { A: often }, prices, limits: { memberCostMax: 5 } });
  const session = await tests.open();
  const team = await session.createTeam({ name: "T", members: [one("A")] });
  await team.finished();
  const { status, reason, cost = 0, modelCalls, budgets } = member(session, "A");
  expect([status, reason]).toEqual(["failed", `budget: memberCostMax: ${cost} of 5`]);
  expect([cost > 0, cost <= 5, modelCalls > 1, modelCalls < 50]).toEqual([true, true, true, true]);
  const share = Math.round((cost / 5) * 1_000) / 1_000;
  expect(budgets).toContainEqual({ limit: "memberCostMax", used: cost, max: 5, share });
});

test("what a call costs is counted from its tokens and the price of its model, also without a limit", async () => {
  await using tests = await startHttpTeam([delivers()], { prices: { "local/m": { input: 3, output: 15 } } });
  const session = await tests.open();
  const team = await session.createTeam({ name: "T", members: [one("A")] });
  await team.finished();
  const { cost, tokens } = member(session, "A");
  expect(tokens).toBe(15);
  expect(cost).toBe((10 * 3 + 5 * 15) / 1_000_000);
  expect(session.result().members[0]).toMatchObject({ cost });
});

test("teamCostMax counts members side by side with what their calls under way have reserved", async () => {
  const hold = gate();
  const bigTask = (name: string) => ({ name, prompt: `Task of ${name}. ${"x".repeat(8_000)}` });
  await using tests = await startHttpTeam(() => ({ text: "hm", after: hold.promise }), {
    prices: { "local/m": { input: 1_000, output: 0 } },
    limits: { teamCostMax: 8 },
  });
  const session = await tests.open();
  await session.createTeam({ name: "T", members: ["A", "B", "C", "D", "E", "F"].map(bigTask) });
  await until(() => session.status().members.some(({ status }) => status === "failed"));
  await until(() => tests.server.requests.length === 3);
  await settle(20);
  const failed = session.status().members.filter(({ status }) => status === "failed");
  expect(failed.map(({ reason }) => reason)).toEqual(Array(3).fill("budget: teamCostMax: 0 of 8"));
  expect(tests.server.requests).toHaveLength(3);
  hold.resolve();
});

test("with a limit of cost a model without a price is never called: no_price says which and what is known", async () => {
  const known = { "anthropic/claude": { input: 1, output: 1 } };
  await using tests = await startHttpTeam([], { prices: known, limits: { teamCostMax: 1 } });
  const session = await tests.open();
  const team = await session.createTeam({ name: "T", members: [one("A")] });
  await team.finished();
  expect(member(session, "A").reason).toMatch(
    /^model_error: no_price: teamCostMax is set and no price of "local\/m" is known/u,
  );
  expect(tests.server.requests).toHaveLength(0);
  // Whoever asks before anything runs is told the same.
  expect(await rejection(tests.system.routeOf())).toMatchObject({
    code: "no_price",
    data: { model: "local/m", limit: "teamCostMax", known: ["anthropic/claude"] },
  });
});

test("a price of nothing is a price: a model of one's own may cost nothing", async () => {
  await using tests = await startSystem({
    script: { A: [complete()] },
    prices: { scripted: { input: 0, output: 0 } },
    limits: { teamCostMax: 0.01 },
  });
  const session = await tests.open();
  const team = await session.createTeam({ name: "T", members: [one("A")] });
  expect(await team.finished()).toMatchObject({ outcome: "completed" });
  expect(member(session, "A")).not.toHaveProperty("cost");
});

test("at 80 % of the cost one message tells a member to deliver", async () => {
  const replies = [calls(["team_status", {}]), calls(["team_status", {}]), delivers("what I have")];
  await using tests = await startHttpTeam(replies, {
    prices: { "local/m": { input: 1_000, output: 0 } },
    limits: { memberCostMax: 2 },
  });
  const session = await tests.open();
  const team = await session.createTeam({ name: "T", members: [one("A", { prompt: "x".repeat(4_000) })] });
  await team.finished();
  const told = tests.server.requests.map(({ body }) => JSON.stringify(body.messages).includes("(memberCostMax)"));
  expect(told).toContain(true);
});

test.each([
  [{ scripted: { input: -1, output: 0 } }, "scripted.input"],
  [{ scripted: { input: 1 } }, "scripted.output"],
  [{ scripted: 3 }, "scripted"],
  [7, "prices"],
])("prices %j are refused with bad_input", async (given, place) => {
  const error = await rejection(createTeamSystem({ prices: given as never }));
  expect(error).toMatchObject({ code: "bad_input", message: expect.stringContaining(place) as string });
});
