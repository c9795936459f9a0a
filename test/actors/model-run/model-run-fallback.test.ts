import { expect, test } from "vitest";
import { scriptedModel } from "../../../src/actors/models/scripted-model.ts";
import type { AppliedRecord } from "../../../src/actors/owner/owner.ts";
import type { Session } from "../../../src/index.ts";
import { delivers } from "../../support/http-team.ts";
import { startOpenAiServer } from "../../support/openai-server.ts";
import { call, complete, member, one, rejection, startSystem, until } from "../../support/sessions.ts";

type Failure = "overloaded" | "rate_limited" | "network" | "context_length" | "content_filter";

/** A model that fails in this way whenever it is called. */
const failing = (error: Failure) => scriptedModel(Array.from({ length: 9 }, () => ({ error })));

/** The bodies of the model's answers, as the log has them. */
function bodiesOf(session: Session): unknown[] {
  const bodies: unknown[] = [];
  const take = ({ stored }: AppliedRecord): void => {
    if (stored.input.event.type === "run.answered") bodies.push(stored.body);
  };
  session.records$.subscribe(take);
  return bodies;
}

test.each(["overloaded", "rate_limited", "network"] as const)(
  "after %s has failed for good the fallback answers; log, events, status and result say so",
  async (error) => {
    await using server = await startOpenAiServer([delivers("from the fallback")]);
    await using tests = await startSystem({
      environment: { OPENAI_COMPATIBLE_BASE_URL: server.baseUrl },
      agents: { it: { model: failing(error), fallbackModel: "openai-compatible/m" } },
      limits: { retriesMax: 1 },
    });
    const route = `openai-compatible/m via ${server.baseUrl}`;
    const session = await tests.open();
    const reasons: unknown[] = [];
    session.events$.subscribe(({ event }) => {
      if (event.type === "run.erred") reasons.push(event["reason"]);
    });
    const bodies = bodiesOf(session);
    const team = await session.createTeam({ name: "T", members: [one("A", { agentType: "it" })] });
    await until(() => member(session, "A").activity === "backing_off");
    await tests.clock.advance(1_000);
    expect(await team.finished()).toMatchObject({ outcome: "completed" });
    expect(reasons).toEqual([
      expect.stringContaining(`model_error: ${error}`),
      expect.stringContaining(`(falls back to ${route})`),
    ]);
    expect(bodies).toEqual([expect.objectContaining({ model: route, fallback: true })]);
    expect(member(session, "A")).toMatchObject({ fallback: route, modelCalls: 3 });
    expect(session.member("A")).toMatchObject({ fallback: route });
    expect(session.result().members[0]).toMatchObject({ fallback: route });
  },
);

test("the fallback has all repetitions for itself: those of the model before it don't count", async () => {
  // Entries are counted by actor, so the first two stand for what the other model has played.
  const overloaded = { error: "overloaded" } as const;
  const fallbackModel = scriptedModel([overloaded, overloaded, overloaded, complete("after all")]);
  await using tests = await startSystem({
    agents: { it: { model: failing("overloaded"), fallbackModel } },
    limits: { retriesMax: 1 },
  });
  const session = await tests.open();
  const team = await session.createTeam({ name: "T", members: [one("A", { agentType: "it" })] });
  for (let pause = 0; pause < 2; pause++) {
    await until(() => member(session, "A").activity === "backing_off");
    await tests.clock.advance(1_000);
  }
  expect(await team.finished()).toMatchObject({ members: [{ summary: "after all", modelCalls: 4 }] });
});

test.each(["context_length", "content_filter"] as const)("%s is no reason to ask another model", async (error) => {
  await using server = await startOpenAiServer([delivers()]);
  await using tests = await startSystem({
    environment: { OPENAI_COMPATIBLE_BASE_URL: server.baseUrl },
    agents: { it: { model: failing(error), fallbackModel: "openai-compatible/m" } },
  });
  const session = await tests.open();
  const team = await session.createTeam({ name: "T", members: [one("A", { agentType: "it" })] });
  expect((await team.finished()).members[0]?.reason).toMatch(`model_error: ${error}`);
  expect(server.requests).toEqual([]);
});

test("an answer that was held back moves the place in the script, so that a retry plays the next entry", async () => {
  await using tests = await startSystem({
    script: { A: [{ error: "content_filter" }, { calls: [{ tool: "complete", input: { summary: "again" } }] }] },
  });
  const session = await tests.open();
  const team = await session.createTeam({ name: "T", members: [one("A", {})] });
  expect((await team.finished()).members[0]?.reason).toMatch("model_error: content_filter");
  await session.replan({ retry: [{ name: "A" }] });
  expect((await team.finished()).members).toMatchObject([{ status: "completed", summary: "again", attempt: 2 }]);
});

test("a fallback that can't be had, or fails as well, fails the turn, and the reason tells which", async () => {
  await using tests = await startSystem({
    agents: {
      gone: { model: failing("overloaded"), fallbackModel: "openai-compatible/m" },
      weak: { model: failing("overloaded"), fallbackModel: failing("network") },
    },
    limits: { retriesMax: 0 },
  });
  const session = await tests.open();
  const members = [one("A", { agentType: "gone" }), one("B", { agentType: "weak" })];
  const team = await session.createTeam({ name: "T", members });
  const [gone, weak] = (await team.finished()).members;
  expect(gone?.reason).toMatch(/^model_error: overloaded: .*\(and its fallback can't be had: no_model_key\)$/u);
  expect(weak?.reason).toMatch(/^model_error: network: /u);
});

test("the fallback holds for the rest of the turn; the next one begins with the model itself", async () => {
  await using tests = await startSystem({
    agents: {
      it: {
        model: scriptedModel([{ error: "overloaded" }, complete("unused"), complete("unused"), { text: "own again" }]),
        fallbackModel: scriptedModel([{ error: "overloaded" }, call("team_status"), complete("v1")]),
      },
    },
    limits: { retriesMax: 0 },
  });
  const session = await tests.open();
  const bodies = bodiesOf(session);
  const team = await session.createTeam({
    name: "T",
    members: [one("A", { agentType: "it", lifetime: "persistent" })],
  });
  expect((await team.finished()).members[0]).toMatchObject({ summary: "v1" });
  expect(member(session, "A").fallback).toBe("scripted model, no LLM");
  await session.sendMessage({ to: "A", content: "thanks" });
  await until(() => bodies.length === 3 && member(session, "A").presence === "idle");
  expect(bodies.map((body) => (body as { fallback?: boolean }).fallback ?? false)).toEqual([true, true, false]);
  expect(member(session, "A").fallback).toBeUndefined();
});

test("the lead's fallback is its agents' too, unless they say another or none; the lead's own is in its status", async () => {
  await using server = await startOpenAiServer((request) =>
    JSON.stringify(request.body.messages).includes("Hello") ? { text: "hi" } : delivers("inherited"),
  );
  await using tests = await startSystem({
    environment: { OPENAI_COMPATIBLE_BASE_URL: server.baseUrl },
    agents: { takes: {}, refuses: { fallbackModel: null } },
    limits: { retriesMax: 0 },
  });
  const session = await tests.open({ lead: { model: failing("overloaded"), fallbackModel: "openai-compatible/m" } });
  expect(await session.send("Hello")).toBe("hi");
  expect(session.status().leadFallback).toBe(`openai-compatible/m via ${server.baseUrl}`);
  expect(session.result().leadFallback).toBe(`openai-compatible/m via ${server.baseUrl}`);
  const members = [one("A", { agentType: "takes" }), one("B", { agentType: "refuses" })];
  await session.createTeam({ name: "T", members });
  await until(() => session.status().members.every(({ status }) => status === "completed" || status === "failed"));
  expect(member(session, "A")).toMatchObject({ summary: "inherited" });
  expect(member(session, "B")).toMatchObject({ reason: expect.stringMatching("model_error: overloaded") as string });
});

test("a fallback is limited by its own key, and what it costs counts against the budgets", async () => {
  await using server = await startOpenAiServer(() => delivers());
  await using tests = await startSystem({
    environment: { OPENAI_COMPATIBLE_BASE_URL: server.baseUrl },
    agents: { it: { model: failing("overloaded"), fallbackModel: "openai-compatible/m" } },
    limits: { retriesMax: 0, concurrentCallsMax: 1, memberTokensMax: 40_000 },
  });
  const session = await tests.open();
  const team = await session.createTeam({
    name: "T",
    members: ["A", "B", "C"].map((name) => one(name, { agentType: "it" })),
  });
  expect(await team.finished()).toMatchObject({ outcome: "completed" });
  expect([server.openMax, member(session, "A").tokens]).toEqual([1, 15]);
});

test("what is no model is refused as a fallback where it is given", async () => {
  await using tests = await startSystem();
  expect(await rejection(tests.open({ lead: { fallbackModel: "" } }))).toMatchObject({ code: "bad_input" });
  const agents = { it: { fallbackModel: 7 as never } };
  expect(await rejection(startSystem({ agents }))).toMatchObject({
    code: "bad_input",
    data: { what: "agents.it.fallbackModel" },
  });
});
