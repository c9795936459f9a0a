import { expect, test } from "vitest";
import type { FunctionRun, TeamError } from "../../../src/index.ts";
import { call, complete, gate, member, one, rejection, settle, startSystem, until } from "../../support/sessions.ts";

const waiter = { run: () => new Promise<never>(() => {}) };

async function start(names: readonly string[], options: Parameters<typeof startSystem>[0] = {}) {
  const tests = await startSystem({ agents: { it: waiter }, ...options });
  const session = await tests.open();
  await session.createTeam({ name: "T", members: names.map((name) => one(name, { agentType: "it" })) });
  return { ...tests, session };
}

test("U13, R28: a name that is nobody is refused with the roster and the nearest name; nothing is stored", async () => {
  const { session, system } = await start(["Ann", "Bob"]);
  expect(await rejection(session.sendMessage({ to: "Bbo", content: "hi" }))).toMatchObject({
    code: "unknown_recipient",
    data: { to: "Bbo", known: ["Lead", "Ann", "Bob", "broadcast"], nearest: "Bob" },
  });
  for (const to of ["A\u0000", "", "user", "system", "x".repeat(9_000)]) {
    expect(await rejection(session.sendMessage({ to, content: "hi" }))).toMatchObject({
      code: "unknown_recipient",
    });
  }
  expect(await rejection(session.sendMessage({ to: "Lead", content: "hi" }))).toMatchObject({ code: "self_recipient" });
  expect(session.status().messages).toEqual({ accepted: 0, delivered: 0, deadLettered: 0, unread: 0, refused: 7 });
  await system.close();
});

test.each([
  { to: "Ann", content: "" },
  { to: 7, content: "x" },
  { to: "Ann" },
  { to: "Ann", content: "x", kind: "system" },
  { to: "Ann", content: "x", from: "Bob" },
  null,
])("S9, R28: %j is no message: refused before anything is stored", async (message) => {
  const { session, system } = await start(["Ann"]);
  expect(await rejection(session.sendMessage(message as never))).toMatchObject({ code: "bad_input" });
  expect(member(session, "Ann").unread).toBe(0);
  await system.close();
});

test("R6, R7: the lead's and the broadcast's aliases mean what they mean, in any spelling", async () => {
  await using tests = await startSystem({
    script: {
      A: ["team-lead", "LEAD", "lead", "*", "All", "broadcast"]
        .map((to) => call("team_send_message", { to, content: "x" }))
        .concat(complete()),
    },
    agents: { it: waiter },
  });
  const session = await tests.open();
  const to: string[] = [];
  session.events$.subscribe(({ actor, event }) => event.type === "mail.arrived" && to.push(actor));
  await session.createTeam({ name: "T", members: [one("A"), one("B", { agentType: "it" })] });
  await until(() => member(session, "A").status === "completed");
  expect(to).toEqual(["Lead", "Lead", "Lead", "Lead", "B", "Lead", "B", "Lead", "B"]);
});

test("R7: a broadcast is whole: one full mailbox refuses all of it", async () => {
  const { session, system } = await start(["A", "B"], { limits: { unreadMessagesMax: 1 } });
  await session.sendMessage({ to: "B", content: "fills it" });
  expect(await rejection(session.sendMessage({ to: "broadcast", content: "x" }))).toMatchObject({
    code: "mailbox_full",
    data: { to: "B" },
  });
  expect([member(session, "A").unread, member(session, "B").unread]).toEqual([0, 1]);
  await system.close();
});

test("U29, R27, S21: 32 KiB of UTF-8 pass, one byte more is refused and never cut", async () => {
  const { session, system } = await start(["A"]);
  const content = "é".repeat(16 * 1024);
  await session.sendMessage({ to: "A", content });
  const error = (await rejection(session.sendMessage({ to: "A", content: `${content}x` }))) as TeamError;
  expect(error).toMatchObject({ code: "message_too_large", data: { bytes: 32_769, messageBytesMax: 32_768 } });
  expect(member(session, "A").unread).toBe(1);
  await system.close();
});

test("R27, S21: a mailbox takes unreadMessagesMax messages and unreadBytesMax bytes, and then says so", async () => {
  const byCount = await start(["A"], { limits: { unreadMessagesMax: 3 } });
  for (let n = 0; n < 3; n += 1) await byCount.session.sendMessage({ to: "A", content: "x" });
  expect(await rejection(byCount.session.sendMessage({ to: "A", content: "x" }))).toMatchObject({
    code: "mailbox_full",
    data: { unit: "messages" },
  });
  await byCount.system.close();
  const byBytes = await start(["A"], { limits: { unreadBytesMax: 10 } });
  await byBytes.session.sendMessage({ to: "A", content: "x".repeat(10) });
  expect(await rejection(byBytes.session.sendMessage({ to: "A", content: "x" }))).toMatchObject({
    code: "mailbox_full",
    data: { unit: "bytes" },
  });
  await byBytes.system.close();
});

test("U15, R29: a message to a member that has ended is refused, and its receipts name states", async () => {
  await using tests = await startSystem({
    agents: { done: { run: () => ({}) }, bad: { run: () => Promise.reject(new Error("x")) }, it: waiter },
  });
  const session = await tests.open();
  await session.createTeam({
    name: "T",
    members: [
      one("Done", { agentType: "done" }),
      one("Bad", { agentType: "bad" }),
      one("Gone", { agentType: "it" }),
      one("Run", { agentType: "it" }),
      one("Blocked", { agentType: "it", dependsOn: ["Bad"] }),
      one("Idle", { agentType: "done", lifetime: "persistent" }),
    ],
  });
  await session.replan({ cancel: ["Gone"] });
  await until(() => member(session, "Idle").presence === "idle");
  for (const [to, status] of Object.entries({ Done: "shutdown", Bad: "failed", Gone: "shutdown" })) {
    expect(await rejection(session.sendMessage({ to, content: "x" }))).toMatchObject({
      code: "recipient_closed",
      data: { to, status },
    });
  }
  const receipt = await session.sendMessage({ to: "all", content: "x" });
  expect(receipt).toEqual({
    accepted: true,
    to: [
      { name: "Run", status: "running" },
      { name: "Blocked", status: "blocked" },
      { name: "Idle", status: "idle" },
    ],
  });
});

test("U32, R30: what came while blocked is read at the first step; a cancel makes dead letters of it", async () => {
  const go = gate();
  const read: string[] = [];
  await using tests = await startSystem({
    agents: {
      first: {
        run: async () => {
          await go.promise;
          return {};
        },
      },
      reader: {
        run: async ({ mail }: FunctionRun) => {
          for (const { content } of await mail.take()) read.push(content);
        },
      },
    },
  });
  const session = await tests.open();
  const members = [
    one("A", { agentType: "first" }),
    one("B", { agentType: "reader", dependsOn: ["A"] }),
    one("C", { agentType: "reader", dependsOn: ["A"] }),
  ];
  await session.createTeam({ name: "T", members });
  for (const to of ["B", "C"]) await session.sendMessage({ to, content: `for ${to}` });
  await settle();
  expect([read, member(session, "B")]).toEqual([[], expect.objectContaining({ status: "blocked", unread: 1 })]);
  await session.replan({ cancel: ["C"] });
  go.resolve();
  await until(() => session.status().state === "finished");
  expect(read).toEqual(["for B"]);
  expect(session.status().messages).toEqual({ accepted: 2, delivered: 1, deadLettered: 1, unread: 0, refused: 0 });
});

test("U25, S21: members that answer each broadcast with a broadcast are stopped, and wake nobody without end", async () => {
  let wakes = 0;
  const echo = {
    run: async ({ mail, send }: FunctionRun) => {
      wakes += 1;
      for (const { from } of await mail.take()) if (from !== "Lead") await send("broadcast", "me too").catch(() => {});
      return {};
    },
  };
  await using tests = await startSystem({ agents: { echo } });
  const session = await tests.open();
  const names = Array.from({ length: 20 }, (_, n) => `M${n}`);
  await session.createTeam({
    name: "T",
    members: names.map((name) => one(name, { agentType: "echo", lifetime: "persistent" })),
  });
  await until(() => session.status().members.every(({ presence }) => presence === "idle"));
  wakes = 0;
  await session.sendMessage({ to: "broadcast", content: "hello" });
  await settle(200);
  await until(() => session.alive.runs === 0);
  expect(wakes).toBeLessThanOrEqual(2 * names.length);
});

test("hopsMax ends a chain of answers, with what to do instead", async () => {
  const codes: string[] = [];
  const answer = {
    run: async ({ mail, send }: FunctionRun) => {
      for (const { from, content } of await mail.take()) {
        await send(from === "Lead" ? "B" : from, content).catch(
          (error: unknown) => void codes.push((error as TeamError).code),
        );
      }
      return {};
    },
  };
  await using tests = await startSystem({ agents: { answer }, limits: { hopsMax: 6 } });
  const session = await tests.open();
  const persistent = { agentType: "answer", lifetime: "persistent" };
  await session.createTeam({ name: "T", members: [one("A", persistent), one("B", persistent)] });
  await until(() => session.status().members.every(({ presence }) => presence === "idle"));
  await session.sendMessage({ to: "A", content: "ball" });
  await until(() => codes.length > 0);
  expect(codes).toEqual(["hop_limit"]);
});

test("U22: two sessions with teams and members of the same names keep their mail apart", async () => {
  const first = await start(["dev"]);
  const other = await first.open();
  await other.createTeam({ name: "T", members: [one("dev", { agentType: "it" })] });
  await first.session.sendMessage({ to: "dev", content: "mine" });
  expect([member(first.session, "dev").unread, member(other, "dev").unread]).toEqual([1, 0]);
  await first.system.close();
});

test.each([
  ["dag", "permission_denied"],
  ["lead", "permission_denied"],
] as const)("S10: with comms %s a member may write to the Lead and to its neighbours at most", async (comms, code) => {
  const tried: unknown[] = [];
  const teller = {
    run: async ({ send }: FunctionRun) => {
      for (const to of ["Lead", "Near", "Far"]) {
        tried.push(
          await send(to, "x").then(
            () => "sent",
            (error: unknown) => (error as TeamError).code,
          ),
        );
      }
      return {};
    },
  };
  await using tests = await startSystem({ agents: { it: waiter, teller } });
  const session = await tests.open();
  await session.createTeam({
    name: "T",
    comms,
    members: [
      one("A", { agentType: "teller" }),
      one("Near", { agentType: "it", dependsOn: ["A"] }),
      one("Far", { agentType: "it" }),
    ],
  });
  await until(() => tried.length === 3);
  expect(tried).toEqual(["sent", comms === "dag" ? "sent" : code, code]);
});
