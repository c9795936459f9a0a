import { expect, test } from "vitest";
import type { FunctionAgent, FunctionRun, ShutdownRequest } from "../../../src/actors/agents/agent.ts";
import type { ScriptEntryInput } from "../../../src/protocol/script.ts";
import {
  call,
  complete,
  fail,
  gate,
  lookTool,
  member,
  one,
  settle,
  startSystem,
  until,
} from "../../support/sessions.ts";

const persistent = (name: string, more: object = {}) => one(name, { lifetime: "persistent", ...more });
const agree = call("shutdown_reply", { accept: true });
const refuse = (reason: string) => call("shutdown_reply", { accept: false, reason });

/** A session without a lead, of one model member that answers by `script`; with what its models were shown. */
async function startOne(script: readonly ScriptEntryInput[], more: object = {}, limits = {}) {
  const shown: string[] = [];
  const tests = await startSystem({
    script: { A: script },
    agents: { it: { tools: { look: lookTool(shown) } } },
    limits,
  });
  const session = await tests.open();
  const told: (readonly [string, string | undefined])[] = [];
  session.events$.subscribe(({ actor, event }) => {
    if (actor === "Lead") told.push([event.type, (event as { reason?: string }).reason]);
  });
  await session.createTeam({ name: "T", members: [one("A", { agentType: "it", ...more })] });
  return { ...tests, session, told, shown };
}

test("R42: an idle member is woken for the question and agrees; its name stays taken, its work completed", async () => {
  const { session, system, clock } = await startOne([complete("v1"), agree], { lifetime: "persistent" });
  await until(() => member(session, "A").presence === "idle");
  await session.replan({ shutdown: ["A"], reason: "all is done" });
  await until(() => member(session, "A").presence === "shutdown");
  expect(member(session, "A")).toMatchObject({ status: "completed", summary: "v1", modelCalls: 2 });
  expect([session.status().state, clock.pending, session.alive]).toEqual(["finished", 0, { runs: 0, timers: 0 }]);
  await expect(session.replan({ add: [one("a")] })).rejects.toMatchObject({ code: "name_collision" });
  await system.close();
});

test("R42: a member refuses once, the Lead reads why, and the second request stands", async () => {
  const script = [call("look"), refuse("half of the file is written"), call("look"), refuse("still not")];
  const steps = [gate<string>(), gate<string>()];
  let looked = 0;
  const slow = { ...lookTool([]), execute: () => steps[looked++]?.promise };
  await using tests = await startSystem({ script: { A: script }, agents: { it: { tools: { look: slow } } } });
  const session = await tests.open();
  const told: (readonly [string, string | undefined])[] = [];
  session.events$.subscribe(({ actor, event }) => {
    if (actor === "Lead") told.push([event.type, (event as { reason?: string }).reason]);
  });
  await session.createTeam({ name: "T", members: [persistent("A", { agentType: "it" })] });
  await until(() => member(session, "A").activity === "tool");
  await session.replan({ shutdown: ["A"] });
  expect(member(session, "A").presence).toBe("draining");
  steps[0]?.resolve("seen");
  await until(() => member(session, "A").presence === "running");
  expect(told).toContainEqual(["notice.shutdown_refused", "half of the file is written"]);
  await until(() => looked === 2);
  await session.replan({ shutdown: ["A"] });
  steps[1]?.resolve("seen again");
  await until(() => member(session, "A").presence === "shutdown");
  expect(member(session, "A")).toMatchObject({
    status: "cancelled",
    reason: "interrupted: it was asked to shut down a second time",
  });
  expect(tests.clock.pending).toBe(0);
});

test("the request is mail from whoever asks, with its reason, framed as a request", async () => {
  const script = [complete(), call("look"), agree];
  const { session, shown, system } = await startOne(script, { lifetime: "persistent" });
  await until(() => member(session, "A").presence === "idle");
  await session.replan({ shutdown: ["A"], reason: "we <are> done" });
  await until(() => member(session, "A").presence === "shutdown");
  expect(shown[0]).toMatch(
    /from=\\"Lead\\" kind=\\"shutdown_request\\" trust=\\"lead\\".*shutdown_reply.*we &lt;are&gt; done/su,
  );
  const { mail } = session.mail({ member: "A" });
  expect(mail).toMatchObject([{ kind: "shutdown_request", from: "Lead", state: "delivered", reason: "we <are> done" }]);
  await system.close();
});

test.each<[string, ScriptEntryInput]>([
  ["says nothing more", { hang: true }],
  ["only calls tools", call("team_status")],
])("R42, U38: a member that %s is gone when its time is over", async (_what, entry) => {
  const script = [
    complete(),
    ...Array.from({ length: 40 }, () => ({ ...entry, ...("calls" in entry ? { delayMs: 500 } : {}) })),
  ];
  const { session, clock, system } = await startOne(script, { lifetime: "persistent" }, { graceMs: 5_000 });
  await until(() => member(session, "A").presence === "idle");
  await session.replan({ shutdown: ["A"] });
  for (let ms = 0; ms < 4_900; ms += 100) {
    await clock.advance(100);
    await settle(2);
  }
  expect(member(session, "A").presence).toBe("draining");
  await clock.advance(100);
  await until(() => member(session, "A").presence === "shutdown");
  await settle();
  expect([session.alive, clock.pending]).toEqual([{ runs: 0, timers: 0 }, 0]);
  await system.close();
});

test("a member that is asked may deliver instead, or end its turn", async () => {
  const ends = { deliver: complete("just in time"), stop: { text: "Good bye." } };
  for (const [end, status] of [
    ["deliver", "completed"],
    ["stop", "cancelled"],
  ] as const) {
    const stepEnds = gate<string>();
    const look = { ...lookTool([]), execute: () => stepEnds.promise };
    await using tests = await startSystem({
      script: { A: [call("look"), ends[end]] },
      agents: { it: { tools: { look } } },
    });
    const session = await tests.open();
    await session.createTeam({ name: "T", members: [one("A", { agentType: "it" })] });
    await until(() => member(session, "A").activity === "tool");
    const dissolved = session.dissolve();
    stepEnds.resolve("seen");
    await dissolved;
    expect(member(session, "A")).toMatchObject({ status, presence: "shutdown" });
  }
});

test("R43: who refuses in a dissolve goes on until the grace period is over, and the Lead reads why", async () => {
  const script = [call("look"), refuse("one more minute"), { hang: true } as const];
  const { session, clock, told, system } = await startOne(script);
  await until(() => member(session, "A").activity !== null);
  const dissolved = session.dissolve({ graceMs: 3_000 });
  await until(() => told.some(([type]) => type === "notice.shutdown_refused"), "the refusal");
  await clock.advance(3_000);
  expect(await dissolved).toEqual({ outcome: "dissolved", cancelled: ["A"] });
  expect(member(session, "A").reason).toBe(
    "interrupted: the team was dissolved, and it had not stopped when the grace period was over",
  );
  await system.close();
});

test("U39: a member whose conversation has become too long is asked in vain: the dissolve ends without its word", async () => {
  const { session, told, system } = await startOne([call("look"), { error: "context_length" }]);
  await until(() => member(session, "A").activity !== null);
  await session.dissolve();
  expect(member(session, "A")).toMatchObject({ presence: "shutdown" });
  expect(told.filter(([type]) => type === "notice.shutdown_refused")).toEqual([]);
  await system.close();
});

const functions: Record<string, Pick<FunctionAgent, "onShutdown">> = {
  "has no word for it": {},
  agrees: { onShutdown: () => ({ accept: true }) },
  throws: { onShutdown: () => fail("broken") },
  "answers nonsense": { onShutdown: () => ({ reason: "no" }) as never },
};
const faulty: ReadonlySet<string> = new Set(["throws", "answers nonsense"]);

test.each(Object.entries(functions))(
  "R42: an idle function that %s is shut down without being run again",
  async (what, more) => {
    let runs = 0;
    const run = () => ({ summary: `run ${++runs}` });
    await using tests = await startSystem({ agents: { it: { run, ...more } } });
    const session = await tests.open();
    await session.createTeam({ name: "T", members: [persistent("A", { agentType: "it" })] });
    await until(() => member(session, "A").presence === "idle");
    await session.replan({ shutdown: ["A"] });
    await until(() => member(session, "A").presence === "shutdown");
    expect([runs, member(session, "A").summary, tests.faults.length]).toEqual([1, "run 1", faulty.has(what) ? 1 : 0]);
  },
);

test("R42: a function refuses once while it works and once while it idles, with its reason", async () => {
  const requests: ShutdownRequest[] = [];
  const done = gate();
  const agent: FunctionAgent = {
    run: async ({ mail }: FunctionRun) => {
      await done.promise;
      return { summary: `after ${(await mail.take()).length} messages` };
    },
    onShutdown: (request) => {
      requests.push(request);
      return { accept: false, reason: "I hold a lock" };
    },
  };
  await using tests = await startSystem({ agents: { it: agent } });
  const session = await tests.open();
  const refusals: unknown[] = [];
  session.events$.subscribe(({ event }) => {
    if (event.type === "notice.shutdown_refused") refusals.push((event as { reason?: string }).reason);
  });
  await session.createTeam({ name: "T", members: [persistent("A", { agentType: "it" })] });
  await session.replan({ shutdown: ["A"], reason: "why not" });
  await until(() => refusals.length === 1);
  expect(member(session, "A").presence).toBe("running");
  done.resolve();
  await until(() => member(session, "A").presence === "idle");
  expect(member(session, "A").summary).toBe("after 0 messages");
  await session.replan({ shutdown: ["A"] });
  await until(() => member(session, "A").presence === "shutdown");
  expect(requests).toEqual([
    { name: "A", team: "T", from: "Lead", reason: "why not", isFinal: false },
    { name: "A", team: "T", from: "Lead", reason: null, isFinal: true },
  ]);
});

test("a lead asks by team_replan and reads the refusal at its next step", async () => {
  const shown: string[] = [];
  const members = [{ name: "A", prompt: "a", lifetime: "persistent" }];
  await using tests = await startSystem({
    script: {
      Lead: [
        call("team_create", { name: "T", members }),
        { waitFor: { A: "completed" } },
        call("team_replan", { shutdown: ["A"] }),
        { text: "I asked" },
        call("look"),
        { text: "I see" },
      ],
      A: [complete("v1"), refuse("I wait for a call"), { text: "waiting" }],
    },
  });
  const session = await tests.open({ lead: { tools: { look: lookTool(shown) } } });
  await session.send("Go.");
  await until(() => shown.length > 0);
  expect(shown.join("")).toMatch(
    /kind=\\"shutdown_reply\\".*A was asked to shut down and refused.*I wait for a call/su,
  );
  await until(() => member(session, "A").presence === "idle");
});
