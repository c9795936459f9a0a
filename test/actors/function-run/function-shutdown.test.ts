import { expect, test } from "vitest";
import { memoryBus } from "../../../src/bus/memory.ts";
import type { FunctionAgent, FunctionRun } from "../../../src/index.ts";
import { loseRun } from "../../support/lose-run.ts";
import { gate, member, one, settle, startSystem, until } from "../../support/sessions.ts";

const persistent = (name: string, more: object = {}) => one(name, { lifetime: "persistent", ...more });

test("R42: a function is asked once by a request, whatever happens while it thinks about that", async () => {
  const [think, goOn] = [gate(), gate()];
  let asked = 0;
  const agent: FunctionAgent = {
    run: async ({ send }: FunctionRun) => {
      await goOn.promise;
      await send("Lead", "still here");
    },
    onShutdown: async () => {
      asked += 1;
      await think.promise;
      return { accept: false, reason: "not yet" };
    },
  };
  await using tests = await startSystem({ agents: { it: agent } });
  const session = await tests.open();
  await session.createTeam({ name: "T", members: [persistent("A", { agentType: "it" }), one("B")] });
  await session.replan({ shutdown: ["A"] });
  for (const revision of [2, 3])
    await session.replan({ revision, add: [one(`New ${revision}`, { dependsOn: ["A"] })] });
  await until(() => asked > 0);
  await settle();
  think.resolve();
  await until(() => member(session, "A").presence === "running");
  goOn.resolve();
  await until(() => member(session, "A").presence === "idle");
  expect(asked).toBe(1);
});

test("R42: a function whose run was lost while it was asked for the last time is not called again for a refusal", async () => {
  const bus = memoryBus();
  let [runs, asked] = [0, 0];
  const agent: FunctionAgent = {
    run: () => {
      runs += 1;
      return new Promise<never>(() => {});
    },
    onShutdown: () => (++asked === 2 ? new Promise<never>(() => {}) : { accept: false, reason: "never" }),
  };
  await using tests = await startSystem({ bus, agents: { it: agent } });
  const session = await tests.open();
  await session.createTeam({ name: "T", members: [persistent("A", { agentType: "it" })] });
  await session.replan({ shutdown: ["A"] });
  await until(() => asked === 1 && member(session, "A").presence === "running");
  await session.replan({ shutdown: ["A"] });
  await until(() => asked === 2);
  await loseRun(bus, session, "A-t1");
  await until(() => member(session, "A").presence === "shutdown");
  await settle();
  expect([runs, asked]).toEqual([1, 3]);
});

test("R42: a function that refuses without a reason has refused", async () => {
  const agent = { run: () => ({ summary: "s" }), onShutdown: () => ({ accept: false }) as never };
  await using tests = await startSystem({ agents: { it: agent } });
  const session = await tests.open();
  const reasons: unknown[] = [];
  session.events$.subscribe(({ event }) => {
    if (event.type === "notice.shutdown_refused") reasons.push((event as { reason?: string }).reason);
  });
  await session.createTeam({ name: "T", members: [persistent("A", { agentType: "it" })] });
  await until(() => member(session, "A").presence === "idle");
  await session.replan({ shutdown: ["A"] });
  await until(() => reasons.length > 0);
  await until(() => member(session, "A").presence === "idle");
  expect([reasons, tests.faults]).toEqual([["no reason was given"], []]);
});
