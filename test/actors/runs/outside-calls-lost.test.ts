import { tool } from "ai";
import { expect, test } from "vitest";
import { memoryBus } from "../../../src/bus/memory.ts";
import { pending } from "../../../src/index.ts";
import { loseRun } from "../../support/lose-run.ts";
import { anyInput, complete, one, rejection, startSystem, until } from "../../support/sessions.ts";

/** Starts something whose result comes later. */
const start = tool({ inputSchema: anyInput, execute: () => pending() });

test("a function agent's call is not taken twice, and a lost run's is cancelled: the function begins anew", async () => {
  const refused: unknown[] = [];
  let runs = 0;
  const run = async ({ tools }: { tools: Record<string, unknown> }) => {
    const { execute } = tools["start"] as typeof start;
    const wait = async () => execute?.({}, { toolCallId: "mine", messages: [], context: undefined } as never);
    runs += 1;
    const first = wait();
    if (runs === 1) await until(() => session.pendingCalls().length > 0);
    if (runs === 1) refused.push(await rejection(wait()));
    return { summary: `${runs}: ${JSON.stringify(await first)}` };
  };
  const bus = memoryBus();
  await using tests = await startSystem({ bus, agents: { it: { run, tools: { start } } } });
  const session = await tests.open();
  const team = await session.createTeam({ name: "T", members: [one("A", { agentType: "it" })] });
  await until(() => refused.length > 0);
  expect(refused).toMatchObject([{ code: "bad_input", message: expect.stringContaining("waits already") }]);
  await loseRun(bus, session, "A-t1");
  await until(() => runs === 2 && session.pendingCalls().length > 0);
  expect(session.state.outsideEnds).toMatchObject([{ call: "mine", how: "cancelled" }]);
  await session.finishCall("mine", { result: "again" });
  expect(await team.finished()).toMatchObject({ members: [{ summary: '2: "again"' }] });
});

test("a call that is repeated after a lost run and waits holds no other one up", async () => {
  const bus = memoryBus();
  const calls: string[] = [];
  const held: PromiseWithResolvers<unknown>[] = [];
  const slow = (): Promise<unknown> => {
    const next = Promise.withResolvers<unknown>();
    held.push(next);
    return next.promise;
  };
  const first = tool({
    inputSchema: anyInput,
    execute: async (_input: unknown, { toolCallId }) => {
      calls.push(toolCallId);
      if (calls.length === 1) await slow();
      return pending();
    },
  });
  const second = tool({ inputSchema: anyInput, execute: slow });
  const both = {
    calls: [
      { tool: "first", input: {} },
      { tool: "second", input: {} },
    ],
  };
  await using tests = await startSystem({
    bus,
    script: { A: [both, complete()] },
    agents: { it: { tools: { first, second }, idempotent: ["first"] } },
  });
  const session = await tests.open();
  const ended: unknown[] = [];
  session.events$.subscribe(
    ({ event }) => event.type === "tool.ended" && ended.push("verdict" in event && event.verdict),
  );
  const team = await session.createTeam({ name: "T", members: [one("A", { agentType: "it" })] });
  await until(() => held.length === 2);
  await loseRun(bus, session, "A-t1");
  await until(() => session.pendingCalls().length > 0 && ended.length > 0);
  expect([calls.length, ended]).toEqual([2, ["interrupted"]]);
  await session.finishCall(calls[1] ?? "", { result: 1 });
  expect(await team.finished()).toMatchObject({ outcome: "completed" });
});
