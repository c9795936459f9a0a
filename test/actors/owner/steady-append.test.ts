import { tool } from "ai";
import { expect, test } from "vitest";
import { asyncBus } from "../../support/async-bus.ts";
import { anyInput, complete, member, one, settle, startSystem, until } from "../../support/sessions.ts";

test("an append that fails while later ones of its run are under way leaves no gap: none is refused, and no run is lost", async () => {
  let started = 0;
  const bus = asyncBus(({ input }, tries) => input.event.type === "tool.started" && tries === 1 && ++started === 1);
  const work = tool({ inputSchema: anyInput, execute: () => "ok" });
  await using tests = await startSystem({
    bus,
    script: { A: [{ calls: ["a", "b", "c"].map((name) => ({ tool: "work", input: { name } })) }, complete()] },
    agents: { worker: { tools: { work } } },
  });
  const session = await tests.open();
  // A run that has ended is not lost while its outcome is on its way.
  const wrong: unknown[] = [];
  session.events$.subscribe(({ verdict, event }) => {
    if (event.type === "run.lost" || verdict === "stale") wrong.push(event);
  });
  await session.createTeam({ name: "T", members: [one("A", { agentType: "worker" })] });
  await until(() => started > 0);
  while (member(session, "A").status === "in_progress") {
    // Not until it is idle: the lease of a durable session is renewed for ever.
    await tests.clock.advance(500);
    await settle(1);
  }
  expect([started, wrong]).toEqual([4, []]);
  expect(member(session, "A")).toMatchObject({ status: "completed", attempt: 1, modelCalls: 2 });
});

test("a command that fails while later ones of its client are under way leaves no gap: all are answered in order", async () => {
  let refused = 0;
  const bus = asyncBus(({ input }, tries) => input.event.type === "message.send" && tries === 1 && ++refused === 1);
  await using tests = await startSystem({ bus, agents: { waiter: { run: () => new Promise<never>(() => {}) } } });
  const session = await tests.open();
  await session.createTeam({ name: "T", members: [one("A", { agentType: "waiter" })] });
  const sent = Promise.all(["one", "two", "three"].map((content) => session.sendMessage({ to: "A", content })));
  await until(() => refused > 0);
  let isSent = false;
  void sent.then(() => (isSent = true));
  while (!isSent) {
    await tests.clock.advance(500);
    await settle(1);
  }
  expect(await sent).toHaveLength(3);
  expect([refused, member(session, "A").unread, session.status().messages.refused]).toEqual([3, 3, 0]);
});

test.each([{ lead: "none" }, { lead: "own" }] as const)(
  "commands in one tick, of the Lead and of the user, leave no gap: all are done, and the next one too (lead: $lead)",
  async ({ lead }) => {
    await using tests = await startSystem({ agents: { waiter: { run: () => new Promise<never>(() => {}) } } });
    const session = await tests.open(lead === "own" ? { lead } : {});
    await session.createTeam({ name: "T", members: [one("A", { agentType: "waiter" })] });
    const send = session.tools["team_send_message"]?.execute;
    const asLead = async (content: string): Promise<unknown> =>
      lead === "none"
        ? session.sendMessage({ to: "A", content })
        : send?.({ to: "A", content }, { toolCallId: content, messages: [], context: undefined });
    const asUser = (content: string): Promise<unknown> => session.wake("A", { kind: "schedule", content });
    await Promise.all([asLead("one"), asUser("two"), asUser("three"), asLead("four"), asUser("five"), asLead("six")]);
    await session.sendMessage({ to: "A", content: "seven" });
    const contents = session.mail({ member: "A" }).mail.map(({ content }) => content);
    expect(contents).toHaveLength(7);
    expect(new Set(contents)).toEqual(new Set(["one", "two", "three", "four", "five", "six", "seven"]));
  },
);
