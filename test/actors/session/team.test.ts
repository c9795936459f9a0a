import { expect, test } from "vitest";
import { defineAgent } from "../../../src/index.ts";
import { one, rejection, startSystem } from "../../support/sessions.ts";

const agents = { general: defineAgent({ run: () => new Promise<never>(() => {}) }) };

test("a team that another one has replaced changes nothing of that", async () => {
  await using tests = await startSystem({ agents });
  const session = await tests.open();
  const first = await session.createTeam({ name: "First", members: [one("A")] });
  await first.dissolve({ mode: "abort" });
  expect(await first.dissolve()).toMatchObject({ outcome: "dissolved" });
  await session.createTeam({ name: "Second", members: [one("A")] });
  expect(await rejection(first.dissolve({ mode: "abort" }))).toMatchObject({ code: "fenced" });
  expect(await rejection(first.replan({ cancel: ["A"] }))).toMatchObject({ code: "fenced" });
  expect(session.status()).toMatchObject({ team: "Second", state: "running", members: [{ status: "in_progress" }] });
});

test("a dissolve that was meant for the team before is refused, also when both are under way at once", async () => {
  await using tests = await startSystem({ agents });
  const session = await tests.open();
  const first = await session.createTeam({ name: "First", members: [one("A")] });
  await first.dissolve({ mode: "abort" });
  const second = session.createTeam({ name: "Second", members: [one("A")] });
  expect(await rejection(first.dissolve({ mode: "abort" }))).toMatchObject({ code: "fenced" });
  await second;
  expect(session.status()).toMatchObject({ team: "Second", state: "running" });
});
