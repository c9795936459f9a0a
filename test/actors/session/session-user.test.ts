import { expect, test } from "vitest";
import type { Bus } from "../../../src/bus/bus.ts";
import { memoryBus } from "../../../src/bus/memory.ts";
import { asyncBus } from "../../support/async-bus.ts";
import { flakyBus } from "../../support/flaky-bus.ts";
import { call, complete, lookTool, member, one, settle, startSystem, until } from "../../support/sessions.ts";

const agents = {
  waiter: { run: () => new Promise<never>(() => {}) },
  reader: {
    run: async ({ mail }: { mail: { next: () => Promise<{ content: string }> } }) => ({
      summary: (await mail.next()).content,
    }),
  },
};

test("R55: beside a hosted lead the user speaks to a member, interrupts one and stops one, is recorded as user, and the lead is told of the plan", async () => {
  const members = [
    one("Reader", { agentType: "reader", lifetime: "persistent" }),
    one("Busy", { agentType: "waiter" }),
    one("Other", { agentType: "waiter" }),
  ];
  const shown: string[] = [];
  await using tests = await startSystem({
    agents,
    script: {
      Lead: [
        call("team_create", { name: "T", members }),
        { text: "it is under way" },
        call("look"),
        { text: "I saw" },
        call("look"),
        { text: "I saw" },
      ],
    },
  });
  const session = await tests.open({ lead: { tools: { look: lookTool(shown) } } });
  await session.send("Go.");
  const inputs: unknown[] = [];
  session.events$.subscribe(({ step, from, actor, event, verdict }) => {
    if (step === 0 && /^(?:team|message)\./u.test(event.type)) inputs.push([from, actor, event.type, verdict]);
  });
  await session.sendMessage({ to: "Reader", content: "from the user" });
  await until(() => member(session, "Reader").presence === "idle");
  expect(member(session, "Reader").summary).toBe("from the user");
  await session.replan({ cancel: ["Busy"] });
  await session.replan({ shutdown: ["Reader"] });
  await until(() => member(session, "Reader").presence === "shutdown");
  expect([member(session, "Busy").status, member(session, "Reader").presence]).toEqual(["cancelled", "shutdown"]);
  expect(inputs).toEqual([
    ["user", "Reader", "message.send", "handled"],
    ["user", "Team", "team.replan", "handled"],
    ["user", "Team", "team.replan", "handled"],
  ]);
  await until(() => shown.length > 0 && session.status().lead === "ended");
  expect(shown.join("")).toContain("The user changed the team.");
});

const buses: readonly (readonly [string, () => Bus])[] = [
  ["memory", () => memoryBus()],
  ["one that copies, and delivers later than it stores", () => asyncBus()],
  ["one that refuses every input once", () => flakyBus((_append, tries) => tries === 1)],
  ["one that refuses every third input once, late", () => asyncBus(everyThird())],
];

/** Refuses the first try of every third input. */
function everyThird(): (append: unknown, tries: number) => boolean {
  let inputs = 0;
  return (_append, tries) => tries === 1 && ++inputs % 3 === 0;
}

test.each(buses)("R56: the same session works on any bus: %s", async (_name, makeBus) => {
  await using tests = await startSystem({
    bus: makeBus(),
    agents,
    script: {
      Lead: [
        call("team_create", { name: "T", members: [one("A"), one("B", { dependsOn: ["A"] })] }),
        { waitFor: { B: "completed" } },
        { text: "both are through" },
      ],
      A: [call("team_send_message", { to: "B", content: "for you" }), complete("a")],
      B: [complete("b")],
    },
  });
  let isOver = false;
  const play = async (): Promise<unknown[]> => {
    const session = await tests.open({ id: "s", lead: {} });
    const answer = await session.send("Go.");
    await session.settled();
    const members = session
      .status()
      .members.map(({ name, status, summary, attempt }) => [name, status, summary, attempt]);
    const { messages, state } = session.status();
    await session.close();
    return [answer, state, members, messages.accepted];
  };
  const played = play().finally(() => (isOver = true));
  // Whatever waits for a repetition waits by the clock of the session.
  while (!isOver) {
    await settle(5);
    await tests.clock.advance(50);
  }
  expect(await played).toEqual([
    "both are through",
    "finished",
    [
      ["A", "completed", "a", 1],
      ["B", "completed", "b", 1],
    ],
    1,
  ]);
});
