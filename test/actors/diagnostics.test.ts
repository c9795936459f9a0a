import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { expect, onTestFinished, test, vi } from "vitest";
import { defineAgent } from "../../src/index.ts";
import { diagnostics } from "../../src/actors/diagnostics.ts";
import { one, startSystem } from "../support/sessions.ts";

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

test("without a subscriber nothing is published", async () => {
  const spies = Object.values(diagnostics).map((channel) => vi.spyOn(channel, "publish"));
  await runTeam();
  expect(spies.map(({ mock }) => mock.calls.length)).toEqual([0, 0, 0]);
  vi.restoreAllMocks();
});
