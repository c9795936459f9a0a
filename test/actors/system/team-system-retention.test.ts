import { expect, test } from "vitest";
import { sessionKeyText, type Bus } from "../../../src/bus/bus.ts";
import { memoryBus } from "../../../src/bus/memory.ts";
import { one, rejection, startSystem } from "../../support/sessions.ts";

const agents = { quick: { run: () => ({ summary: "done" }) }, waits: { run: () => new Promise<never>(() => {}) } };
const team = (name: string, agentType = "quick") => ({ name, members: [one("A", { agentType })] });

/** A bus that keeps what it has when a session is closed, as one on disk does. */
const keepingBus = (): Bus => ({ ...memoryBus(), kind: "sqlite" });

test("R44: a dissolved team is a tombstone: hidden in the list unless it is asked for, with its outcome", async () => {
  await using tests = await startSystem({ agents });
  const session = await tests.open();
  const first = await session.createTeam(team("Review"));
  await first.finished();
  expect(session.teams()).toEqual([
    { name: "Review", state: "finished", dissolved: false, members: 1, createdAt: 1_000_000, dissolvedAt: null },
  ]);
  await tests.clock.advance(5_000);
  await session.dissolve();
  expect(session.teams()).toEqual([]);
  await session.createTeam(team("Release", "waits"));
  expect(session.teams().map(({ name }) => name)).toEqual(["Release"]);
  expect(session.teams({ dissolved: true })).toMatchObject([
    { name: "Review", state: "completed", dissolved: true, members: 1, createdAt: 1_000_000, dissolvedAt: 1_005_000 },
    { name: "Release", state: "running", dissolved: false },
  ]);
});

test("R44: a team's name that is taken in its session, by a tombstone too, gets -2, and the result says so", async () => {
  await using tests = await startSystem({ agents });
  const session = await tests.open();
  const names: string[] = [];
  for (let time = 0; time < 3; time += 1) {
    names.push((await session.createTeam(team(time === 1 ? "EPIC" : "Epic"))).name);
    await session.dissolve({ mode: "abort" });
  }
  expect(names).toEqual(["Epic", "EPIC-2", "Epic-3"]);
  expect(session.teams({ dissolved: true }).map(({ name }) => name)).toEqual(names);
});

test("teams() refuses what it doesn't know", async () => {
  await using tests = await startSystem();
  const session = await tests.open();
  expect(() => session.teams({ disolved: true } as never)).toThrow(expect.objectContaining({ code: "bad_input" }));
});

test("R44: purge removes all that is kept of a closed session, and nothing of another", async () => {
  const bus = keepingBus();
  await using tests = await startSystem({ bus, agents });
  for (const id of ["gone", "stays"]) {
    const session = await tests.open({ id });
    await (await session.createTeam(team("T"))).finished();
    await session.close();
  }
  const key = { namespace: "default", session: "gone" };
  await bus.checkpoints.put(sessionKeyText(key), { some: "state" }, 0);
  const kept = (session: string) => bus.read({ namespace: "default", session }, { fromSeq: 1 });
  const inputs = (await kept("gone")).length;
  expect(inputs).toBeGreaterThan(3);
  expect(await tests.system.purge("gone")).toEqual({ inputs, checkpoints: 1, bodies: 0 });
  expect([(await kept("gone")).length, await bus.checkpoints.get(sessionKeyText(key))]).toEqual([0, null]);
  expect((await kept("stays")).length).toBe(inputs);
  const again = await tests.open({ id: "gone" });
  expect(again.status()).toMatchObject({ team: null, revision: 0 });
});

test("R44: a session that is open, here or elsewhere, is not purged", async () => {
  const bus = keepingBus();
  await using first = await startSystem({ bus, agents });
  await using second = await startSystem({ bus, agents });
  const session = await first.open({ id: "x" });
  for (const tests of [first, second]) {
    expect(await rejection(tests.system.purge("x"))).toMatchObject({ code: "fenced" });
  }
  await session.createTeam(team("T"));
  await session.close();
  expect((await second.system.purge("x")).inputs).toBeGreaterThan(0);
  expect((await first.open({ id: "x" })).id).toBe("x");
});

test("purge of a session that there is not finds nothing; an id that can't be one is bad_input", async () => {
  await using tests = await startSystem();
  expect(await tests.system.purge("nobody")).toEqual({ inputs: 0, checkpoints: 0, bodies: 0 });
  expect(await rejection(tests.system.purge(""))).toMatchObject({ code: "bad_input" });
  await tests.system.close();
  expect(await rejection(tests.system.purge("x"))).toMatchObject({ code: "fenced" });
});
