import { expect, test } from "vitest";
import { memoryBus } from "../../../src/bus/memory.ts";
import type { TeamHooks } from "../../../src/index.ts";
import { checkRecording, replay } from "../../../src/testing/index.ts";
import { loseRun } from "../../support/lose-run.ts";
import { keepLines } from "../../support/record-session.ts";
import {
  call,
  complete,
  gate,
  lookTool,
  member,
  one,
  rejection,
  settle,
  startSystem,
  until,
} from "../../support/sessions.ts";

const persistent = { lifetime: "persistent" } as const;

/** Answers in this order, then lets pass; keeps what it was told. */
function answers<Event>(...given: (object | null)[]) {
  const told: Event[] = [];
  return {
    told,
    hook: (event: Event) => {
      told.push(event);
      return (given.shift() ?? null) as { block: string } | null;
    },
  };
}

test("a hook that hangs is given up after hookMs: the result counts, and its host is told", async () => {
  await using tests = await startSystem({
    hooks: { onComplete: () => new Promise<never>(() => {}) },
    limits: { hookMs: 500 },
    script: { A: [complete()] },
  });
  const session = await tests.open();
  const team = await session.createTeam({ name: "T", members: [one("A")] });
  await until(() => member(session, "A").activity === "tool");
  await settle();
  await tests.clock.advance(500);
  expect(await team.finished()).toMatchObject({ state: "finished" });
  expect(tests.faults).toMatchObject([{ code: "bad_input", data: { what: "hooks.onComplete" } }]);
});

test.each(["pass", "block"] as const)(
  "a hook that sends what it is asked about ends in a few messages, and its host is told (onFailure: %s)",
  async (onFailure) => {
    const asked: string[] = [];
    await using tests = await startSystem({
      hooks: {
        onFailure,
        onMessage: async ({ content }) => {
          asked.push(content);
          await session.sendMessage({ to: "A", content: `${content}+` });
        },
      },
      agents: { waiter: { run: () => new Promise<never>(() => {}) } },
    });
    const session = await tests.open();
    await session.createTeam({ name: "T", members: [one("A", { agentType: "waiter" })] });
    const sent = session.sendMessage({ to: "A", content: "x" });
    if (onFailure === "pass") await sent;
    else expect(await rejection(sent)).toMatchObject({ code: "hook_refused" });
    expect(asked).toEqual(["x", "x+", "x++"]);
    expect(member(session, "A").unread).toBe(onFailure === "pass" ? 4 : 0);
    expect(tests.faults[0]).toMatchObject({ code: "bad_input", data: { what: "hooks.onMessage" } });
  },
);

test("what a member does that a hook has started is asked about like anything else", async () => {
  const asked: string[] = [];
  await using tests = await startSystem({
    hooks: {
      onMessage: async ({ from, content }) => {
        asked.push(`${from}: ${content}`);
        if (content.startsWith("start ")) {
          const name = content.slice(-1);
          await session.replan({ add: [{ name, prompt: "p", agentType: "starter" }] });
        }
      },
    },
    agents: {
      waiter: { run: () => new Promise<never>(() => {}) },
      starter: {
        run: async ({ name, send }) =>
          void (await send("Lead", name < "F" ? `start ${String.fromCodePoint(name.charCodeAt(0) + 1)}` : "last")),
      },
    },
  });
  const session = await tests.open();
  await session.createTeam({ name: "T", members: [one("A", { agentType: "waiter" })] });
  await session.sendMessage({ to: "A", content: "start B" });
  await until(() => asked.length === 6);
  expect(asked.at(-1)).toBe("F: last");
  expect(tests.faults).toEqual([]);
});

test("U62: a hook that throws does not end the process, nor the member, nor the message", async () => {
  const broken = (): never => {
    throw new Error("broken");
  };
  await using tests = await startSystem({
    hooks: { onComplete: broken, onMemberIdle: broken, onMessage: broken },
    script: { A: [call("team_send_message", { to: "Lead", content: "hi" }), complete()] },
  });
  const session = await tests.open();
  const team = await session.createTeam({ name: "T", members: [one("A", persistent)] });
  expect(await team.finished()).toMatchObject({ state: "finished", messages: { accepted: 1 } });
  expect(tests.faults.length).toBe(3);
});

test("cancelled while its hook is asked, a member is cancelled: the answer comes too late", async () => {
  const [asked, answer] = [gate(), gate<{ block: string }>()];
  await using tests = await startSystem({
    hooks: {
      onComplete: () => {
        asked.resolve();
        return answer.promise;
      },
    },
    script: { A: [complete()] },
  });
  const session = await tests.open();
  await session.createTeam({ name: "T", members: [one("A")] });
  await asked.promise;
  await session.replan({ cancel: ["A"] });
  answer.resolve({ block: "no" });
  await settle();
  expect([member(session, "A").status, tests.faults]).toEqual(["cancelled", []]);
});

test("a run that takes over is not asked again about what the log has answered", async () => {
  const { told, hook } = answers<object>({ block: "no" });
  const look = gate();
  const bus = memoryBus();
  await using tests = await startSystem({
    bus,
    hooks: { onComplete: hook },
    agents: { general: { tools: { hang: { ...lookTool([]), execute: () => look.promise } } } },
    script: {
      A: [
        {
          calls: [
            { tool: "complete", input: { summary: "s", paths: [] } },
            { tool: "hang", input: {} },
          ],
        },
        complete("t"),
      ],
    },
  });
  const session = await tests.open();
  const team = await session.createTeam({ name: "T", members: [one("A")] });
  await until(() => told.length === 1);
  await settle();
  await loseRun(bus, session, "A-t1");
  expect(await team.finished()).toMatchObject({ members: [{ summary: "t" }] });
  expect(told).toMatchObject([{ summary: "s" }, { summary: "t" }]);
});

test("a run that takes over is not asked again about a command that was answered, where the call has no end yet", async () => {
  const { told, hook } = answers<object>({ block: "no" });
  const shown: string[] = [];
  const bus = memoryBus();
  await using tests = await startSystem({
    bus,
    hooks: { onMessage: hook },
    agents: { general: { tools: { look: lookTool(shown) } } },
    script: { A: [call("team_send_message", { to: "Lead", content: "hi" }), call("look"), complete()] },
  });
  const session = await tests.open();
  let lost: Promise<void> | null = null;
  session.records$.subscribe(({ stored }) => {
    if (stored.input.event.type === "message.send") lost ??= loseRun(bus, session, "A-t1");
  });
  const team = await session.createTeam({ name: "T", members: [one("A")] });
  expect(await team.finished()).toMatchObject({ state: "finished" });
  expect([told.length, session.state.members.get("A-t1")?.snapshot.context.run]).toEqual([1, 2]);
  expect(shown[0]).toContain("HOOK_REFUSED: team_send_message was not let through: no");
});

test("a run that takes over an answer that ends the turn asks whether it may idle, as the lost one would have", async () => {
  const told: unknown[] = [];
  const answered = [new Promise<never>(() => {}), { block: "Look once more." }];
  const bus = memoryBus();
  await using tests = await startSystem({
    bus,
    hooks: { onMemberIdle: (event) => (told.push(event), answered.shift()) },
    script: { A: [{ text: "one" }, { text: "two" }] },
  });
  const session = await tests.open();
  await session.createTeam({ name: "T", members: [one("A", persistent)] });
  await until(() => told.length === 1);
  await loseRun(bus, session, "A-t1");
  await until(() => member(session, "A").presence === "idle");
  expect([told.length, member(session, "A").modelCalls]).toEqual([3, 2]);
});

test("G12: what hooks said is in the log: a replay asks none and comes to the same states, as does the model", async () => {
  const kept = keepLines();
  const { told, hook } = answers<object>({ block: "more" });
  const idle = answers<object>({ block: "stay" }, { stop: "go" });
  const letters = answers<object>({ block: "hush" });
  await using tests = await startSystem({
    hooks: { onComplete: hook, onMemberIdle: idle.hook, onMessage: letters.hook },
    agents: { worker: { run: () => ({ summary: "w" }) } },
    script: {
      A: [call("team_send_message", { to: "Lead", content: "hi" }), complete(), complete(), { text: "still" }],
    },
  });
  const session = await tests.open({ onOpen: async (opened) => void (await opened.record(kept)) });
  const team = await session.createTeam({
    name: "T",
    members: [one("A", persistent), one("B", { agentType: "worker", dependsOn: ["A"] })],
  });
  await team.finished();
  await until(() => member(session, "A").presence === "shutdown");
  await team.dissolve();
  await session.close();
  const asked = [told.length, idle.told.length, letters.told.length];
  const { session: replayed } = await replay(kept.lines);
  expect([...replayed.members.values()].map(({ reason }) => reason)).toEqual([
    "interrupted: stopped by onMemberIdle: go",
    null,
  ]);
  expect((await checkRecording(kept.lines)).problems).toEqual([]);
  expect([told.length, idle.told.length, letters.told.length]).toEqual(asked);
});

test.each([
  [{ onComplete: "no" }, "hooks.onComplete"],
  [{ onCompleted: () => {} }, "hooks.onCompleted"],
  [{ onFailure: "panic" }, "hooks.onFailure"],
])("hooks that are none are refused at the start: %j", async (hooks, what) => {
  const given = hooks as unknown as TeamHooks;
  expect(await rejection(startSystem({ hooks: given }))).toMatchObject({
    code: "bad_input",
    data: { what: `createTeamSystem.${what}` },
  });
  await using tests = await startSystem();
  expect(await rejection(tests.open({ hooks: given }))).toMatchObject({ code: "bad_input" });
});
