import { expect, test } from "vitest";
import type { LanguageModelV4 } from "../../../src/actors/models/language-model-v4.ts";
import { resolveModel } from "../../../src/actors/models/model-registry.ts";
import { scriptedModel } from "../../../src/actors/models/scripted-model.ts";
import { delivers, taskOf } from "../../support/http-team.ts";
import { startOpenAiServer, type OpenAiServer } from "../../support/openai-server.ts";
import { complete, one, rejection, startSystem } from "../../support/sessions.ts";

/** What each member's request says of the effort. */
const effortsOf = (server: OpenAiServer, from = 0): Record<string, unknown> =>
  Object.fromEntries(
    server.requests
      .slice(from)
      .map((request) => [
        taskOf(request),
        "reasoning_effort" in request.body ? request.body.reasoning_effort : "nothing",
      ]),
  );

test("an effort reaches the provider in its own words: the type's, else the lead's, else none at all", async () => {
  await using server = await startOpenAiServer(() => delivers());
  await using tests = await startSystem({
    environment: { OPENAI_COMPATIBLE_BASE_URL: server.baseUrl },
    model: "openai-compatible/m",
    agents: { low: { effort: "low" }, plain: {}, own: { effort: "provider-default" } },
    limits: { concurrentRunsMax: 1 },
  });
  const members = [
    one("A", { agentType: "low" }),
    one("B", { agentType: "plain", dependsOn: ["A"] }),
    one("C", { agentType: "own", dependsOn: ["B"] }),
  ];
  const led = await tests.open({ lead: { effort: "high" } });
  await (await led.createTeam({ name: "T", members })).finished();
  await led.settled();
  const ofLed = effortsOf(server);
  const { length } = server.requests;
  const alone = await tests.open();
  await (await alone.createTeam({ name: "T", members })).finished();
  expect(ofLed).toEqual({ A: "low", B: "high", C: "nothing", Lead: "high" });
  expect(effortsOf(server, length)).toEqual({ A: "low", B: "nothing", C: "nothing" });
  expect(tests.faults).toEqual([]);
});

test("what a provider can't do is told once, and stands in the journal of every answer", async () => {
  await using tests = await startSystem({
    script: { A: [{ text: "hm" }, complete()], B: [complete()] },
    agents: { it: { effort: "high" } },
  });
  const session = await tests.open();
  const notes: unknown[] = [];
  session.records$.subscribe(({ stored: { input, body } }) => {
    if (input.event.type === "run.answered") notes.push((body as { notes?: unknown }).notes);
  });
  const members = [one("A", { agentType: "it" }), one("B", { agentType: "it", dependsOn: ["A"] })];
  await (await session.createTeam({ name: "T", members })).finished();
  expect(notes.flat()).toEqual(Array(3).fill("a script thinks as little as it is told to"));
  expect(tests.faults.map(String)).toEqual([
    "Error: effort high of scripted model, no LLM: a script thinks as little as it is told to",
  ]);
});

test("a model from before there were efforts is said to pass over one", async () => {
  // An older kind differs in its version alone, as far as this package calls it.
  const old = { ...scriptedModel([complete()]), specificationVersion: "v3" } as unknown as LanguageModelV4;
  expect(await resolveModel(old, { environment: {} })).toMatchObject({ readsEffort: false });
  await using tests = await startSystem({ agents: { it: { model: old, effort: "high" } } });
  const session = await tests.open();
  const team = await session.createTeam({ name: "T", members: [one("A", { agentType: "it" })] });
  expect(await team.finished()).toMatchObject({ outcome: "completed" });
  expect(tests.faults.map(String).join()).toContain("a model of this kind has no setting for the effort");
});

test("what is no effort is refused where it is given", async () => {
  const agents = { it: { effort: "much" as never } };
  expect(await rejection(startSystem({ agents }))).toMatchObject({
    code: "bad_input",
    data: { what: "agents.it.effort" },
  });
  await using tests = await startSystem();
  expect(await rejection(tests.open({ lead: { effort: "much" as never } }))).toMatchObject({ code: "bad_input" });
});
