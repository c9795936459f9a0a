import { expect, test } from "vitest";
import type { FunctionRun, TeamHooks } from "../../../src/index.ts";
import { call, complete, gate, lookTool, member, one, rejection, startSystem, until } from "../../support/sessions.ts";

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

test("R53 onComplete: a refused result comes back to the model with the feedback, and the next one counts", async () => {
  const shown: string[] = [];
  const { told, hook } = answers<object>({ block: "Say which file." });
  await using tests = await startSystem({
    hooks: { onComplete: hook },
    agents: { general: { tools: { look: lookTool(shown) } } },
    script: { A: [complete("fixed"), call("look"), complete("fixed a.ts")] },
  });
  const session = await tests.open({ id: "s" });
  const team = await session.createTeam({ name: "T", members: [one("A")] });
  expect(await team.finished()).toMatchObject({ members: [{ status: "completed", summary: "fixed a.ts" }] });
  expect(shown[0]).toContain(
    "HOOK_REFUSED: complete was not let through: Say which file. Do: Heed that, then try again.",
  );
  const about = { session: "s", team: "T", member: { name: "A", agentType: "general", kind: "created", attempt: 1 } };
  expect(told).toMatchObject([
    { ...about, summary: "fixed", paths: [] },
    { ...about, summary: "fixed a.ts", paths: [] },
  ]);
});

test("R53 onComplete: a function whose result is refused runs again and reads why", async () => {
  const read: string[] = [];
  const { hook } = answers({ block: "Too short." });
  const worker = {
    run: async ({ mail }: FunctionRun) => {
      for (const { from, kind, content } of await mail.take()) read.push(`${from} ${kind} ${content}`);
      return { summary: `try ${read.length + 1}` };
    },
  };
  await using tests = await startSystem({ hooks: { onComplete: hook }, agents: { worker } });
  const session = await tests.open();
  const team = await session.createTeam({ name: "T", members: [one("A", { agentType: "worker" })] });
  expect(await team.finished()).toMatchObject({ members: [{ summary: "try 2", attempt: 1 }] });
  expect(read).toEqual([
    "system system A check of the host did not let you end here. Do what it says, then go on. Too short.",
  ]);
});

test.each(["model", "function"])(
  "R53 onComplete: stops a %s member, which fails with the reason; downstream stays blocked",
  async (kind) => {
    const agents = { worker: { run: () => ({ summary: "s" }) } };
    await using tests = await startSystem({
      agents,
      hooks: { onComplete: () => ({ stop: "out of scope" }) },
      script: { A: [complete()] },
    });
    const session = await tests.open();
    const agentType = kind === "model" ? "general" : "worker";
    const members = [one("A", { agentType }), one("B", { agentType, dependsOn: ["A"] })];
    const team = await session.createTeam({ name: "T", members });
    expect(await team.finished()).toMatchObject({ state: "stalled" });
    expect(member(session, "A")).toMatchObject({
      status: "failed",
      reason: "interrupted: stopped by onComplete: out of scope",
    });
    expect([member(session, "B").status, session.alive.runs]).toEqual(["blocked", 0]);
  },
);

test("R53 onMessage: a member's message is refused with the feedback, and counted so", async () => {
  const shown: string[] = [];
  const { told, hook } = answers<object>({ block: "No names, please." });
  await using tests = await startSystem({
    hooks: { onMessage: hook },
    agents: { general: { tools: { look: lookTool(shown) } } },
    script: {
      A: [
        call("team_send_message", { to: "B", content: "Ada did it" }),
        call("look"),
        call("team_send_message", { to: "B", content: "somebody did it" }),
        complete(),
      ],
      B: [complete(), { text: "read" }],
    },
  });
  const session = await tests.open();
  const team = await session.createTeam({ name: "T", members: [one("A"), one("B", persistent)] });
  await team.finished();
  expect(shown[0]).toContain("HOOK_REFUSED: team_send_message was not let through: No names, please.");
  expect(told).toMatchObject([
    { from: "A", to: "B", content: "Ada did it", kind: "text", team: "T" },
    { from: "A", to: "B", content: "somebody did it" },
  ]);
  expect(session.status().messages).toMatchObject({ accepted: 1, refused: 1 });
});

test.each([
  ["none", undefined, "Lead"],
  ["own", "own", "user"],
] as const)("R53 onMessage: the host's own messages are asked about too (lead: %s)", async (_name, lead, from) => {
  const { told, hook } = answers<object>({ block: "quiet" }, { stop: "quiet" });
  await using tests = await startSystem({ agents: { waits: { run: () => new Promise<never>(() => {}) } } });
  const session = await tests.open({ hooks: { onMessage: hook }, ...(lead && { lead }) });
  await session.createTeam({ name: "T", members: [one("A", { agentType: "waits" })] });
  const send = (): Promise<unknown> => session.sendMessage({ to: "A", content: "hi", kind: "instruction" });
  for (let turn = 0; turn < 2; turn++)
    expect(await rejection(send())).toMatchObject({ code: "hook_refused", data: { feedback: "quiet" } });
  expect(await send()).toMatchObject({ accepted: true });
  expect(told).toMatchObject(Array.from({ length: 3 }, () => ({ from, to: "A", content: "hi", kind: "instruction" })));
  if (lead === undefined) return;
  const tool = session.tools["team_send_message"];
  await tool?.execute?.({ to: "A", content: "tool" }, { toolCallId: "c", messages: [], context: {} });
  expect(told.at(-1)).toMatchObject({ from: "Lead", content: "tool" });
});

test("R53 onMemberIdle: keeps a persistent member busy with its feedback, three times in a row at most", async () => {
  const shown: string[] = [];
  const { told, hook } = answers<{ delivered: boolean }>(
    ...Array.from({ length: 10 }, () => ({ block: "Look once more." })),
  );
  await using tests = await startSystem({
    hooks: { onMemberIdle: hook },
    agents: { general: { tools: { look: lookTool(shown) } } },
    script: { A: [complete(), { text: "one" }, call("look"), { text: "two" }, { text: "three" }] },
  });
  const session = await tests.open();
  const team = await session.createTeam({ name: "T", members: [one("A", persistent)] });
  await team.finished();
  await until(() => member(session, "A").presence === "idle");
  expect(told.map(({ delivered }) => delivered)).toEqual([true, true, true]);
  expect(shown[0]).toContain("Look once more.");
  expect(shown[0]).toMatch(/kind=\\"system\\" trust=\\"system\\"/u);
  expect(member(session, "A")).toMatchObject({ status: "completed", modelCalls: 5 });
});

test("R53 onMemberIdle: is not asked of oneshot members, nor of one that has mail", async () => {
  const { told, hook } = answers<object>();
  const release = gate();
  let runs = 0;
  const slow = {
    // The first run leaves its mail to the next one.
    run: async ({ mail }: FunctionRun) => {
      await release.promise;
      if (++runs > 1) await mail.take();
    },
  };
  await using tests = await startSystem({
    hooks: { onMemberIdle: hook },
    agents: { slow },
    script: { A: [complete()] },
  });
  const session = await tests.open();
  const team = await session.createTeam({
    name: "T",
    members: [one("A"), one("B", { ...persistent, agentType: "slow" })],
  });
  await session.sendMessage({ to: "B", content: "hi" });
  release.resolve();
  await team.finished();
  await until(() => member(session, "B").presence === "idle");
  expect([runs, told]).toMatchObject([2, [{ member: { name: "B" }, delivered: true }]]);
});

test("R53 onMemberIdle: stops a member: failed while it works, shut down once it has delivered", async () => {
  await using tests = await startSystem({
    hooks: { onMemberIdle: () => ({ stop: "not needed" }) },
    script: { A: [{ text: "hm" }], B: [complete("b")] },
  });
  const session = await tests.open();
  await session.createTeam({ name: "T", members: [one("A", persistent), one("B", persistent)] });
  await until(() => session.alive.runs === 0 && member(session, "B").presence === "shutdown");
  const reason = "interrupted: stopped by onMemberIdle: not needed";
  expect(member(session, "A")).toMatchObject({ status: "failed", presence: "parked", reason });
  expect(member(session, "B")).toMatchObject({ status: "completed", presence: "shutdown", summary: "b", reason });
});

test("hooks of an agent type hold for its members alone, after those of system and session", async () => {
  const order: string[] = [];
  const noting = (name: string): TeamHooks => ({
    onComplete: ({ member: { name: of } }) => void order.push(`${name} ${of}`),
  });
  const { onComplete } = noting("type");
  await using tests = await startSystem({
    hooks: noting("system"),
    agents: { checked: { run: () => {}, hooks: { ...(onComplete && { onComplete }) } }, free: { run: () => {} } },
  });
  const session = await tests.open({ hooks: noting("session") });
  const team = await session.createTeam({
    name: "T",
    members: [one("A", { agentType: "checked" }), one("B", { agentType: "free", dependsOn: ["A"] })],
  });
  await team.finished();
  expect(order).toEqual(["system A", "session A", "type A", "system B", "session B"]);
});
