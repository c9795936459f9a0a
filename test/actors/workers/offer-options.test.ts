import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { memoryBus } from "../../../src/bus/memory.ts";
import { sqliteBus } from "../../../src/bus/sqlite.ts";
import { createTeamSystem, defineAgent, type OfferOptions } from "../../../src/index.ts";
import { rejection } from "../../support/sessions.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const clerk = defineAgent({ run: () => ({}) });

async function openSystem() {
  const bus = sqliteBus({ path: join(temporaryFolder(), "teamchart.db") });
  const system = await createTeamSystem({ bus, agents: { clerk }, environment: {} });
  onTestFinished(async () => {
    await system.close();
    await bus.close();
  });
  return system;
}

test("agents are not offered on the memory bus, and none is for workers there", async () => {
  await using system = await createTeamSystem({ bus: memoryBus(), agents: { clerk } });
  expect(await rejection(system.offerAgents(["clerk"]))).toMatchObject({ code: "disabled" });
  const placed = { clerk: defineAgent({ runsOn: "workers", run: () => ({}) }) };
  expect(await rejection(createTeamSystem({ agents: placed }))).toMatchObject({
    code: "disabled",
    message: expect.stringContaining('runsOn "workers" of the agent type "clerk"'),
  });
});

test.each<[string, readonly string[], OfferOptions, RegExp]>([
  ["no type", [], {}, /expected the names of agent types; known are general, clerk/],
  ["a type that there is not", ["clrk"], {}, /there is no agent type "clrk" \(did you mean "clerk"\?\)/],
  ["a name that is none", ["clerk"], { name: "a b" }, /name/],
  ["a lease that nobody could keep", ["clerk"], { leaseMs: 10 }, /leaseMs/],
  ["fewer runs than none", ["clerk"], { runsMax: -1 }, /runsMax/],
])("what can't be offered is refused: %s", async (_what, types, options, problem) => {
  const system = await openSystem();
  expect(await rejection(system.offerAgents(types, options))).toMatchObject({
    code: "bad_input",
    message: expect.stringMatching(problem),
  });
});

test("who runs a member is one of two things, and a factory can't say it", async () => {
  const wrong = { clerk: { run: () => ({}), runsOn: "moon" } } as unknown as Record<string, typeof clerk>;
  expect(await rejection(createTeamSystem({ agents: wrong }))).toMatchObject({ code: "bad_input" });
});

test("a closed system offers nothing", async () => {
  const system = await openSystem();
  const offering = await system.offerAgents(["clerk"]);
  await system.close();
  expect(offering.runs).toBe(0);
  expect(await rejection(system.offerAgents(["clerk"]))).toMatchObject({ code: "fenced" });
});
