import { expect, test } from "vitest";
import { call, complete, one, startSystem } from "../../support/sessions.ts";

const looks = (times: number) => Array.from({ length: times }, () => call("team_status"));

test("R64: tokens, calls and costs are told of each member, and together they are what the team has used", async () => {
  await using tests = await startSystem({
    script: { Ann: [...looks(2), complete()], Bob: [complete()] },
    prices: { scripted: { input: 2, output: 4 } },
    limits: { teamTokensMax: 100_000, teamCostMax: 100, teamMs: 60_000 },
  });
  const session = await tests.open();
  const team = await session.createTeam({ name: "T", members: [one("Ann"), one("Bob")] });
  const { members } = await team.finished();
  const [ann, bob] = members;
  expect([ann?.modelCalls, bob?.modelCalls]).toEqual([3, 1]);
  expect(ann?.tokens).toBeGreaterThan(bob?.tokens ?? Infinity);
  const sum = (of: (each: (typeof members)[number]) => number): number =>
    members.reduce((all, each) => all + of(each), 0);
  const used = Object.fromEntries((session.status().budgets ?? []).map((budget) => [budget.limit, budget.used]));
  expect(used["teamTokensMax"]).toBe(sum(({ tokens }) => tokens));
  expect(used["teamCostMax"]).toBeCloseTo(
    sum(({ cost }) => cost ?? 0),
    6,
  );
  expect(used["teamCostMax"]).toBeGreaterThan(0);
  const result = session.result();
  expect(result.members.map(({ tokens, modelCalls, cost }) => [tokens, modelCalls, cost])).toEqual(
    members.map(({ tokens, modelCalls, cost }) => [tokens, modelCalls, cost]),
  );
  expect(result.budgets).toEqual(session.status().budgets);
});

test("R64: once the team's tokens are used up nobody new calls a model, and the reason says by which limit", async () => {
  const limits = { teamTokensMax: 2_500 };
  await using tests = await startSystem({ script: { Ann: looks(50), Late: [complete()] }, limits });
  const session = await tests.open();
  const team = await session.createTeam({ name: "T", members: [one("Ann")] });
  await team.finished();
  await session.replan({ add: [one("Late", { prompt: "x".repeat(8_000) })] });
  const { members } = await team.finished();
  const late = members.find(({ name }) => name === "Late");
  expect(late).toMatchObject({ status: "failed", modelCalls: 0, tokens: 0 });
  expect(late?.reason).toMatch(/^budget: teamTokensMax: \d+ of 2500$/u);
});
