import { expect, test } from "vitest";
import { memoryBus } from "../../../src/bus/memory.ts";
import type { Clock } from "../../../src/protocol/clock.ts";
import { createVirtualClock } from "../../../src/testing/virtual-clock.ts";
import { loseRun } from "../../support/lose-run.ts";
import { calls, delivers, startHttpTeam } from "../../support/http-team.ts";
import { call, complete, gate, member, one, settle, startSystem, until } from "../../support/sessions.ts";

const clockOf = (clock: Clock): Clock => ({
  now: () => clock.now(),
  setTimeout: (callback, ms) => clock.setTimeout(callback, ms),
  clearTimeout: (handle) => clock.clearTimeout(handle),
});

test("teamMs fails whoever still works, whoever starts afterwards, and leaves no timer", async () => {
  const never = gate<never>();
  await using tests = await startSystem({
    agents: { waits: { run: () => never.promise }, quick: { run: () => ({ summary: "done" }) } },
    limits: { teamMs: 60_000 },
  });
  const session = await tests.open();
  const team = await session.createTeam({
    name: "T",
    members: [one("A", { agentType: "waits" }), one("B", { agentType: "quick" }), one("C", { agentType: "waits" })],
  });
  await until(() => member(session, "B").status === "completed");
  await tests.clock.advance(30_000);
  expect(session.status().budgets).toEqual([{ limit: "teamMs", used: 30_000, max: 60_000, share: 0.5 }]);
  await tests.clock.advance(30_000);
  await team.finished();
  expect(session.status().members.map(({ status, reason }) => [status, reason])).toEqual([
    ["failed", "budget: teamMs: 60000 of 60000"],
    ["completed", undefined],
    ["failed", "budget: teamMs: 60000 of 60000"],
  ]);
  await session.replan({ retry: [{ name: "A" }] });
  await tests.clock.advance(1);
  expect(member(session, "A")).toMatchObject({ status: "failed", attempt: 2 });
  await settle();
  expect([session.alive, tests.clock.pending]).toEqual([{ runs: 0, timers: 0 }, 0]);
});

test.each(["attemptMs", "teamMs"])("a clock that steps back gives a member no more than all of %s", async (limit) => {
  const never = gate<never>();
  const bus = memoryBus();
  const clock = createVirtualClock(10_000_000);
  let skewMs = 0;
  await using tests = await startSystem({
    bus,
    clock: { ...clockOf(clock), now: () => clock.now() - skewMs },
    agents: { waits: { run: () => never.promise } },
    limits: { [limit]: 60_000 },
  });
  const session = await tests.open();
  const team = await session.createTeam({ name: "T", members: [one("A", { agentType: "waits" })] });
  await clock.advance(10_000);
  skewMs = 3_600_000;
  await loseRun(bus, session, "A-t1");
  await settle();
  await clock.advance(60_000);
  expect(await team.finished()).toMatchObject({ outcome: "failed" });
  expect(member(session, "A").reason).toBe(`budget: ${limit}: 60000 of 60000`);
});

test("a member that is cancelled and takes no notice of it keeps no timer of its attempt", async () => {
  const never = gate<never>();
  await using tests = await startSystem({
    agents: { waits: { run: () => never.promise } },
    limits: { attemptMs: 60_000 },
  });
  const session = await tests.open();
  await session.createTeam({ name: "T", members: [one("A", { agentType: "waits" })] });
  expect(tests.clock.pending).toBe(1);
  await session.replan({ cancel: ["A"] });
  expect(tests.clock.pending).toBe(0);
});

test.each(["attemptMs", "teamMs"])("at 80 percent of %s a member is told to deliver", async (limit) => {
  const slow = [gate(), gate()];
  const replies = [
    { ...calls(["team_status", {}]), after: slow[0]?.promise },
    { ...calls(["team_status", {}]), after: slow[1]?.promise },
    delivers("what I have"),
  ];
  await using tests = await startHttpTeam(replies, { limits: { [limit]: 10_000 } });
  const session = await tests.open();
  const team = await session.createTeam({ name: "T", members: [one("A")] });
  await until(() => tests.server.requests.length === 1);
  await tests.clock.advance(5_000);
  slow[0]?.resolve();
  await until(() => tests.server.requests.length === 2);
  await tests.clock.advance(3_000);
  slow[1]?.resolve();
  await team.finished();
  const told = tests.server.requests.map(({ body }) => JSON.stringify(body.messages).includes(`(${limit})`));
  expect(told).toEqual([false, false, true]);
  expect(tests.server.requests[2]?.body.tool_choice).toMatchObject({ function: { name: "complete" } });
});

test("at 80 % of its turns a member is told to deliver", async () => {
  const replies = [{ text: "hm" }, { text: "hm" }, { text: "hm" }, delivers("what I have")];
  await using tests = await startHttpTeam(replies, { limits: { turnsMax: 5 } });
  const session = await tests.open();
  const team = await session.createTeam({ name: "T", members: [one("A")] });
  await team.finished();
  const told = tests.server.requests.map(({ body }) => JSON.stringify(body.messages).includes("(turnsMax)"));
  expect(told).toEqual([false, false, false, true]);
});

test("R41: with startStaggerMs members that may start together start one after the other, in their order", async () => {
  const started: [string, number][] = [];
  let now = (): number => 0;
  const run = ({ name }: { name: string }) => {
    started.push([name, now()]);
    return gate<never>().promise;
  };
  await using tests = await startSystem({ agents: { it: { run } }, limits: { startStaggerMs: 250 } });
  now = () => tests.clock.now() - 1_000_000;
  const session = await tests.open();
  await session.createTeam({ name: "T", members: ["A", "B", "C"].map((name) => one(name, { agentType: "it" })) });
  expect(started).toEqual([["A", 0]]);
  expect(session.status().runs).toEqual({ running: 1, waiting: 2 });
  await tests.clock.advance(249);
  expect(started).toHaveLength(1);
  await tests.clock.advance(1);
  await session.replan({ cancel: ["A"] });
  await tests.clock.advance(10_000);
  expect(started).toEqual([
    ["A", 0],
    ["B", 250],
    ["C", 500],
  ]);
  expect(tests.clock.pending).toBe(0);
  // Nothing was started for a while, so nobody has to wait.
  await session.replan({ add: [one("D", { agentType: "it" })] });
  expect(started.at(-1)).toEqual(["D", 10_250]);
  await session.dissolve({ mode: "abort" });
  await settle();
  expect([session.alive, tests.clock.pending]).toEqual([{ runs: 0, timers: 0 }, 0]);
});

test("a member that waits for its start and is cancelled meanwhile never starts", async () => {
  const started: string[] = [];
  const run = ({ name }: { name: string }) => {
    started.push(name);
    return gate<never>().promise;
  };
  await using tests = await startSystem({
    agents: { it: { run } },
    limits: { startStaggerMs: 250, concurrentRunsMax: 2 },
  });
  const session = await tests.open();
  await session.createTeam({ name: "T", members: ["A", "B", "C", "D"].map((name) => one(name, { agentType: "it" })) });
  await session.replan({ cancel: ["B"] });
  await tests.clock.advance(10_000);
  expect(started).toEqual(["A", "C"]);
  expect(session.status().runs).toEqual({ running: 2, waiting: 1 });
  await session.dissolve({ mode: "abort" });
  await tests.clock.advance(10_000);
  expect([started, session.alive, tests.clock.pending]).toEqual([["A", "C"], { runs: 0, timers: 0 }, 0]);
});

test("the status shows the steps and turns of a member that runs, and its type's own stepsMax", async () => {
  const hold = gate();
  const replies = [calls(["team_status", {}]), calls(["team_status", {}]), { ...delivers(), after: hold.promise }];
  await using tests = await startHttpTeam(replies, { agents: { short: { stepsMax: 8 } }, limits: { turnsMax: 10 } });
  const session = await tests.open();
  const team = await session.createTeam({ name: "T", members: [one("A", { agentType: "short" })] });
  await until(() => tests.server.requests.length === 3);
  expect(member(session, "A").budgets).toEqual([
    { limit: "stepsMax", used: 2, max: 8, share: 0.25 },
    { limit: "turnsMax", used: 1, max: 10, share: 0.1 },
  ]);
  hold.resolve();
  await team.finished();
  expect(member(session, "A")).not.toHaveProperty("budgets");
});

test("a lead sees what is limited, and the end of steps only when it is near", async () => {
  const shown: unknown[] = [];
  await using tests = await startSystem({
    script: { Lead: [call("team_status"), { text: "done" }], A: [{ hang: true }] },
    limits: { teamTokensMax: 1_000_000, memberTokensMax: 5_000, attemptMs: 1_000 },
  });
  const session = await tests.open({
    lead: {},
    onOpen: (opened) =>
      void opened.records$.subscribe(({ stored: { input, body } }) => {
        if (input.event.type === "tool.ended") shown.push(body);
      }),
  });
  await session.createTeam({ name: "T", members: [one("A")] });
  await session.send("Go.");
  const text = JSON.stringify(shown);
  expect(text).toContain('"limit":"memberTokensMax"');
  expect(text).toContain('"limit":"teamTokensMax"');
  expect(text).toContain('"limit":"attemptMs"');
  expect(text).not.toContain("stepsMax");
});

test("the result says what was used of each limit", async () => {
  await using tests = await startSystem({
    script: { A: [complete()] },
    prices: { scripted: { input: 1, output: 1 } },
    limits: { memberTokensMax: 100_000, teamCostMax: 5 },
  });
  const session = await tests.open();
  const team = await session.createTeam({ name: "T", members: [one("A")] });
  await team.finished();
  const { members, budgets } = session.result();
  const { tokens, cost = 0 } = members[0] ?? { tokens: 0 };
  expect(members[0]?.budgets).toMatchObject([{ limit: "memberTokensMax", used: tokens, max: 100_000 }]);
  expect(budgets).toMatchObject([{ limit: "teamCostMax", used: cost, max: 5 }]);
  expect(cost).toBeCloseTo(tokens / 1_000_000, 6);
});
