import { jsonSchema, tool } from "ai";
import { expect, test } from "vitest";
import type { ScriptEntryInput } from "../../../src/protocol/script.ts";
import type { StatusResult } from "../../../src/tools/team/index.ts";
import { call, complete, gate, one, settle, startSystem, until, lookTool, fail } from "../../support/sessions.ts";

const any = jsonSchema({ type: "object" });
const create = (...members: object[]) => call("team_create", { name: "T", members });

/** A hosted lead of a member that works until the test lets it go on. */
async function startWait(lead: readonly ScriptEntryInput[], options: Parameters<typeof startSystem>[0] = {}) {
  const go = gate();
  const shown: string[] = [];
  const look = lookTool(shown);
  const tests = await startSystem({
    script: { Lead: [create(one("A", { agentType: "it" })), ...lead] },
    agents: {
      it: {
        run: async ({ send }) => {
          await go.promise;
          await send("Lead", "half way");
          return { summary: "fine" };
        },
      },
    },
    ...options,
  });
  const session = await tests.open({ lead: { tools: { look } } });
  const statuses = (): StatusResult[] =>
    [
      ...(shown.at(-1) ?? "").matchAll(/"toolName":"team_status","output":\{"type":"json","value":(\{.*?\})\}\}/gsu),
    ].map(([, json = ""]) => JSON.parse(json) as StatusResult);
  return { ...tests, session, shown, statuses, go };
}

const wait = (since: number) => call("team_status", { since });

test("U51, R35: a wait ends by its window, says so, and costs one model call per window", async () => {
  const windows = 10;
  const { session, clock, statuses, system, shown } = await startWait([
    ...Array.from({ length: windows }, () => wait(2)),
    call("look"),
    { text: "bye" },
  ]);
  void session.send("Go.");
  for (let n = 0; n < windows; n += 1) {
    await until(() => session.status().lead === "awaiting_team");
    await clock.advance(29_999);
    expect(session.status().lead).toBe("awaiting_team");
    await clock.advance(1);
  }
  await until(() => shown.length === 1);
  expect(statuses()).toHaveLength(windows);
  expect(statuses()[0]).toMatchObject({ timedOut: true, waitedMs: 30_000, changed: false, state: "running" });
  expect(shown.join("")).not.toMatch(/poll/iu);
  await system.close();
  expect(clock.pending).toBe(0);
});

test("a wait is answered at once by mail, by a completion, and at once when something came before it", async () => {
  const { session, clock, statuses, system, go } = await startWait([wait(2), wait(1), call("look"), { text: "bye" }]);
  const sent = session.send("Go.");
  await until(() => session.status().lead === "awaiting_team");
  await clock.advance(1_234);
  go.resolve();
  expect(await sent).toBe("bye");
  expect(statuses()).toMatchObject([
    { changed: true, timedOut: false, waitedMs: 1_234 },
    { changed: true, timedOut: false, waitedMs: 0 },
  ]);
  await system.close();
});

test("what the user says during a wait ends it, and is read at the next step", async () => {
  const { session, shown, statuses, clock, system } = await startWait([wait(2), call("look"), { text: "bye" }]);
  const first = session.send("Go.");
  await until(() => session.status().lead === "awaiting_team");
  const second = session.send("Hurry up.");
  expect(await Promise.all([first, second])).toEqual(["bye", "bye"]);
  expect(statuses()[0]).toMatchObject({ waitedMs: 0, timedOut: false });
  expect(shown[0]).toMatch(/timedOut.*Hurry up\./su);
  expect(clock.pending).toBe(0);
  await system.close();
});

test("what a status has shown wakes nobody: the lead is not called again for the failure it has just read", async () => {
  const { session, system, go } = await startWait([{ waitFor: { A: "failed" } }, { text: "I saw it" }], {
    agents: { it: { run: () => settle(5).then(() => fail("boom")) } },
  });
  expect(await session.send("Go.")).toBe("I saw it");
  go.resolve();
  await session.settled();
  await settle(50);
  expect(session.status()).toMatchObject({ lead: "ended", state: "stalled" });
  await system.close();
});

test("U27, U52: idle members and a resting lead call no model and arm no timer, for a day", async () => {
  await using tests = await startSystem({
    script: {
      Lead: [create(one("A", { lifetime: "persistent" })), { text: "ok" }, { text: "noted" }],
      A: [complete("v1"), { text: "good morning to you" }],
    },
  });
  const session = await tests.open({ lead: {} });
  await session.send("Go.");
  await until(() => session.status().state === "finished" && session.status().lead === "ended");
  const records: unknown[] = [];
  session.records$.subscribe((record) => records.push(record));
  await tests.clock.advance(24 * 3_600_000);
  expect([records, tests.clock.pending, session.alive]).toEqual([[], 0, { runs: 0, timers: 0 }]);
  await session.sendMessage({ to: "A", content: "good morning" });
  await until(() => session.status().members[0]?.modelCalls === 2);
});

test("U52: with idleMs an idle member shuts down by itself", async () => {
  await using tests = await startSystem({ script: { A: [complete()] }, limits: { idleMs: 60_000 } });
  const session = await tests.open();
  await session.createTeam({ name: "T", members: [one("A", { lifetime: "persistent" })] });
  await until(() => session.status().members[0]?.presence === "idle");
  await tests.clock.advance(60_000);
  expect(session.status().members[0]).toMatchObject({ status: "completed", presence: "shutdown" });
  expect(tests.clock.pending).toBe(0);
});

test("U54: a lead in a wait is woken by a request, and cannot answer it: that is the user's", async () => {
  const deploy = tool({ inputSchema: any, execute: () => "deployed" });
  await using tests = await startSystem({
    script: {
      Lead: [create(one("A", { agentType: "it" })), wait(2), { text: "somebody asks" }, { text: "it is done" }],
      A: [call("deploy"), complete()],
    },
    agents: { it: { tools: { deploy }, ask: ["deploy"] } },
  });
  const session = await tests.open({ lead: {} });
  expect(await session.send("Go.")).toBe("somebody asks");
  const [request] = session.status().permissionRequests;
  await session.answerPermission(request?.id ?? "", { approve: true });
  await until(() => session.status().state === "finished");
});
