import { expect, test } from "vitest";
import type { FunctionRun } from "../../../src/actors/agents/agent.ts";
import { createVirtualClock } from "../../../src/testing/index.ts";
import { call, complete, lookTool, member, one, settle, startSystem, until } from "../../support/sessions.ts";

const persistent = (name: string, more: object = {}) => one(name, { lifetime: "persistent", ...more });
const hour = 3_600_000;

/** A virtual clock that counts what it is asked to arm. */
function countingClock() {
  const clock = createVirtualClock(1_000_000);
  let armed = 0;
  const counting = {
    now: () => clock.now(),
    setTimeout(callback: () => void, ms: number) {
      armed += 1;
      return clock.setTimeout(callback, ms);
    },
    clearTimeout: (handle: ReturnType<typeof clock.setTimeout>) => clock.clearTimeout(handle),
  };
  return { clock, counting, armed: () => armed };
}

test("U52, R9: in 24 idle hours a team of 20 and its lead arm no timer, start no run, call no model and store nothing", async () => {
  const names = Array.from({ length: 20 }, (_, n) => `M${n}`);
  const { clock, counting, armed } = countingClock();
  await using tests = await startSystem({
    clock: counting,
    script: {
      Lead: [
        call("team_create", { name: "T", members: names.map((name) => persistent(name)) }),
        { text: "they are at work" },
        { text: "all are done" },
      ],
      ...Object.fromEntries(names.map((name) => [name, [complete(), { text: "you woke me" }]])),
    },
  });
  const session = await tests.open({ lead: {} });
  await session.send("Go.");
  await until(() => session.status().state === "finished" && session.status().lead === "ended");
  await settle(30);
  const records: unknown[] = [];
  session.records$.subscribe((record) => records.push(record));
  const before = armed();
  await clock.advance(24 * hour);
  expect([records, armed() - before, clock.pending, session.alive]).toEqual([[], 0, 0, { runs: 0, timers: 0 }]);
  await session.sendMessage({ to: "M7", content: "good morning" });
  await until(() => member(session, "M7").modelCalls === 2 && member(session, "M7").presence === "idle");
  expect(session.status().members.filter(({ modelCalls }) => modelCalls !== 1)).toHaveLength(1);
});

test("R10, R29: mail wakes an idle member with its history intact; the follow-up leaves its work as it was", async () => {
  const shown: string[] = [];
  await using tests = await startSystem({
    script: {
      A: [call("look"), complete("v1"), call("look"), { text: "I told you" }],
      B: [complete("built on v1")],
    },
    agents: { it: { tools: { look: lookTool(shown) } } },
  });
  const session = await tests.open();
  await session.createTeam({
    name: "T",
    members: [persistent("A", { agentType: "it" }), one("B", { dependsOn: ["A"] })],
  });
  await until(() => member(session, "B").status === "completed" && member(session, "A").presence === "idle");
  await session.sendMessage({ to: "A", content: "what was it?" });
  await until(() => shown.length === 2 && member(session, "A").presence === "idle");
  expect(shown[1]?.startsWith(shown[0]?.slice(0, -1) ?? "?")).toBe(true);
  expect(shown[1]).toContain("what was it?");
  expect(member(session, "A")).toMatchObject({ status: "completed", summary: "v1", attempt: 1 });
  expect([member(session, "B").attempt, session.status().state]).toEqual([1, "finished"]);
});

test("R24: whatever the moment at which mail comes, it is read, and no turn is taken without any", async () => {
  const read: string[] = [];
  const empty: number[] = [];
  const agent = {
    async run({ mail }: FunctionRun) {
      await settle(3);
      const batch = await mail.take();
      if (batch.length === 0) empty.push(read.length);
      for (const { content } of batch) read.push(content);
      await settle(2);
    },
  };
  await using tests = await startSystem({ agents: { it: agent } });
  const session = await tests.open();
  await session.createTeam({ name: "T", members: [persistent("A", { agentType: "it" })] });
  const sent: string[] = [];
  for (let turns = 0; turns < 40; turns++) {
    sent.push(`${turns}`);
    await session.sendMessage({ to: "A", content: `${turns}` });
    await settle(turns % 9);
  }
  await until(() => member(session, "A").presence === "idle" && read.length === sent.length);
  expect(read).toEqual(sent);
  // The first run is the task's own; every other one was for mail.
  expect(empty.length).toBeLessThanOrEqual(1);
  expect(session.status().messages).toMatchObject({ accepted: 40, delivered: 40, unread: 0 });
});

test("R12: a completed persistent member is tried again with a new task in its conversation; what was built on it stays", async () => {
  const shown: string[] = [];
  await using tests = await startSystem({
    script: { A: [complete("v1"), call("look"), complete("v2")], B: [complete("built on v1")] },
    agents: { it: { tools: { look: lookTool(shown) } } },
  });
  const session = await tests.open();
  const team = await session.createTeam({
    name: "T",
    members: [persistent("A", { agentType: "it" }), one("B", { dependsOn: ["A"] })],
  });
  await team.finished();
  await until(() => member(session, "A").presence === "idle");
  const result = await session.replan({ retry: [{ name: "A", prompt: "Now in one sentence." }] });
  expect([result.retried, session.status().state]).toEqual([["A"], "running"]);
  expect(await team.finished()).toMatchObject({ outcome: "completed" });
  expect(shown[0]).toMatch(/Task of A\..*v1.*Now in one sentence\./su);
  expect(member(session, "A")).toMatchObject({ attempt: 2, summary: "v2" });
  expect(member(session, "B")).toMatchObject({ attempt: 1, summary: "built on v1" });
  await expect(session.replan({ retry: [{ name: "B" }] })).rejects.toMatchObject({ code: "not_retryable" });
});

test("R19: a member can't start a new attempt, of itself or another, and its mail starts none", async () => {
  const shown: string[] = [];
  await using tests = await startSystem({
    script: {
      A: [complete("v1"), { text: "woken" }],
      B: [
        call("team_replan", { retry: [{ name: "A", prompt: "again" }] }),
        call("team_send_message", { to: "A", content: "member.retry" }),
        call("look"),
        complete(),
      ],
    },
    agents: { it: { tools: { look: lookTool(shown) } } },
  });
  const session = await tests.open();
  await session.createTeam({ name: "T", members: [persistent("A"), one("B", { agentType: "it", dependsOn: ["A"] })] });
  await until(() => member(session, "B").status === "completed" && member(session, "A").modelCalls === 2);
  expect(shown[0]).toContain("LEAD_ONLY");
  expect(member(session, "A")).toMatchObject({ attempt: 1, status: "completed" });
});

test("idle shutdown: the member's own time counts before its type's, and that before the limits'; a wake starts it anew", async () => {
  const quick = { run: () => ({ summary: "done" }) };
  await using tests = await startSystem({
    agents: { quick, patient: { ...quick, idleMs: 50_000 } },
    limits: { idleMs: 20_000 },
  });
  const session = await tests.open();
  await session.createTeam({
    name: "T",
    members: [
      persistent("Limits", { agentType: "quick" }),
      persistent("Type", { agentType: "patient" }),
      persistent("Own", { agentType: "patient", idleMs: 5_000 }),
      persistent("Never", { agentType: "quick", idleMs: 0 }),
    ],
  });
  const left = () =>
    session
      .status()
      .members.filter(({ presence }) => presence === "idle")
      .map(({ name }) => name);
  await until(() => left().length === 4);
  await tests.clock.advance(5_000);
  expect(left()).toEqual(["Limits", "Type", "Never"]);
  await tests.clock.advance(10_000);
  await session.sendMessage({ to: "Limits", content: "still there?" });
  await until(() => left().length === 3 && session.status().messages.unread <= 1);
  await tests.clock.advance(15_000);
  expect(left()).toEqual(["Limits", "Type", "Never"]);
  await tests.clock.advance(20_000);
  expect(left()).toEqual(["Never"]);
  await tests.clock.advance(24 * hour);
  expect([left(), tests.clock.pending]).toEqual([["Never"], 0]);
  expect(member(session, "Own")).toMatchObject({ status: "completed" });
});

test("an idle time that is none is refused where it is given", async () => {
  const run = () => ({});
  await expect(startSystem({ agents: { it: { run, idleMs: -1 } } })).rejects.toMatchObject({ code: "bad_input" });
  await expect(startSystem({ agents: { it: { idleMs: "1" as never } } })).rejects.toMatchObject({ code: "bad_input" });
  await using tests = await startSystem();
  const session = await tests.open();
  await expect(session.createTeam({ name: "T", members: [persistent("A", { idleMs: -5 })] })).rejects.toMatchObject({
    code: "bad_input",
  });
});

test.each([
  ["block", "blocked", "stalled"],
  ["cancel", "cancelled", "stalled"],
  ["skip", "completed", "stalled"],
] as const)("R13: with the policy %s what waits for a failed member is %s", async (upstreamFailure, status, state) => {
  await using tests = await startSystem({ script: { A: [{ error: "context_length" }], B: [complete("without A")] } });
  const session = await tests.open();
  const team = await session.createTeam({
    name: "T",
    upstreamFailure,
    members: [one("A"), one("B", { dependsOn: ["A"] })],
  });
  await team.finished();
  await until(() => session.status().state === state);
  expect([member(session, "A").status, member(session, "B").status]).toEqual(["failed", status]);
});

test("R33: that members idle and what they are asked wakes no lead; what it must know comes in one turn", async () => {
  const shown: string[] = [];
  await using tests = await startSystem({
    script: {
      Lead: [
        call("team_create", { name: "T", members: ["A", "B", "C", "Busy"].map((name) => persistent(name)) }),
        { text: "they are at work" },
        call("look"),
        { text: "I have read it all" },
      ],
      Busy: [{ hang: true }],
      A: [{ text: "I wait" }],
      B: [{ text: "I wait" }],
      C: [{ text: "I wait" }, call("team_send_message", { to: "Lead", content: "somebody spoke" }), { text: "done" }],
    },
  });
  const session = await tests.open({ lead: { tools: { look: lookTool(shown) } } });
  await session.send("Go.");
  await until(() => session.status().members.filter(({ presence }) => presence === "idle").length === 3);
  await settle(50);
  expect([session.status().lead, shown.length]).toEqual(["ended", 0]);
  await session.sendMessage({ to: "C", content: "speak" });
  await until(() => shown.length === 1 && session.status().lead === "ended");
  const frames = shown[0]?.match(/<teammate-message [^>]*>/gu) ?? [];
  expect(frames.map((frame) => /kind=\\"(\w+)/u.exec(frame)?.[1] ?? "").toSorted()).toEqual([
    "idle_notice",
    "idle_notice",
    "idle_notice",
    "text",
  ]);
});
