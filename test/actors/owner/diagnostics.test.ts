import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { expect, onTestFinished, test, vi } from "vitest";
import { defineAgent } from "../../../src/index.ts";
import { diagnostics } from "../../../src/actors/owner/diagnostics.ts";
import { one, startSystem } from "../../support/sessions.ts";

const agents = { echo: defineAgent({ run: ({ prompt }) => ({ summary: prompt }) }) };

/** Everything that is published on a channel until the test is over. */
function published(name: string): unknown[] {
  const messages: unknown[] = [];
  const listen = (message: unknown): void => void messages.push(message);
  subscribe(name, listen);
  onTestFinished(() => void unsubscribe(name, listen));
  return messages;
}

async function runTeam(): Promise<string> {
  await using on = await startSystem({ agents });
  const session = await on.open({ id: "s" });
  await (await session.createTeam({ name: "T", members: [one("A", { agentType: "echo" })] })).finished();
  await session.close();
  return on.system.node;
}

test("inputs, appends and sessions are published with whose they are", async () => {
  const [inputs, appends, sessions] = ["input", "append", "session"].map((each) => published(`teamchart.${each}`));
  const system = await runTeam();
  expect(sessions).toEqual([
    { system, session: "s", state: "opened" },
    { system, session: "s", state: "closed" },
  ]);
  expect(inputs![0]).toEqual({
    system,
    session: "s",
    actor: "session",
    from: "system",
    seq: 1,
    type: "session.opened",
    verdict: "handled",
  });
  expect(appends).toHaveLength(inputs!.length);
  expect(appends![0]).toMatchObject({ system, session: "s", actor: "session", seq: 1, ms: expect.any(Number) });
});

test("a subscriber that throws, at once or later, ends nothing; it is told of, and the others are called", async () => {
  const faults: unknown[] = [];
  const bad = (): never => {
    throw new Error("a bad subscriber");
  };
  // A subscriber is typed to return nothing; one that is async returns a promise all the same.
  const late: (message: unknown) => unknown = async () => {
    await Promise.resolve();
    throw new Error("a late one");
  };
  for (const name of ["teamchart.input", "teamchart.append", "teamchart.session"]) {
    for (const each of [bad, late]) {
      subscribe(name, each);
      onTestFinished(() => void unsubscribe(name, each));
    }
  }
  const inputs = published("teamchart.input");
  await using on = await startSystem({ agents, onFault: (fault) => void faults.push(fault) });
  const session = await on.open({ id: "s" });
  await (await session.createTeam({ name: "T", members: [one("A", { agentType: "echo" })] })).finished();
  await session.close();
  expect(inputs.length).toBeGreaterThan(3);
  const told = new Set(faults.map(String));
  expect(told).toEqual(new Set(["Error: a bad subscriber", "Error: a late one"]));
  expect(faults.length).toBeGreaterThan(inputs.length * 2);
});

test("without a subscriber nothing is published", async () => {
  const spies = Object.values(diagnostics).map((channel) => vi.spyOn(channel, "publish"));
  await runTeam();
  expect(spies.map(({ mock }) => mock.calls.length)).toEqual([0, 0, 0]);
  vi.restoreAllMocks();
});
