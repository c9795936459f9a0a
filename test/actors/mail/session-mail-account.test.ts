import { expect, test } from "vitest";
import type { FunctionRun } from "../../../src/actors/agents/agent.ts";
import { MailLog } from "../../../src/actors/mail/mail-log.ts";
import type { MailFact } from "../../../src/machines/index.ts";
import { replay } from "../../../src/testing/index.ts";
import { call, complete, gate, lookTool, member, one, settle, startSystem, until } from "../../support/sessions.ts";

const persistent = (name: string, more: object = {}) => one(name, { lifetime: "persistent", ...more });
const times = ({ state, storedAt, deliveredAt, acknowledgedAt, endedAt }: Record<string, unknown>) => [
  state,
  storedAt,
  deliveredAt,
  acknowledgedAt,
  endedAt,
];

test("R25: stored, delivered and acknowledged are three facts with a time each, and none stands for another", async () => {
  const [read, acknowledge] = [gate(), gate()];
  const agent = {
    run: async ({ mail }: FunctionRun) => {
      await read.promise;
      const [first] = await mail.take();
      await acknowledge.promise;
      await mail.acknowledge(first?.handle ?? "");
      return { summary: "done" };
    },
  };
  await using tests = await startSystem({ agents: { it: agent } });
  const session = await tests.open();
  await session.createTeam({ name: "T", members: [persistent("A", { agentType: "it" })] });
  const mailOf = () => session.mail({ member: "A" }).mail[0];
  await session.sendMessage({ to: "A", content: "hello" });
  await settle();
  expect(times({ ...mailOf() })).toEqual(["accepted", 1_000_000, null, null, null]);
  await tests.clock.advance(10);
  read.resolve();
  await until(() => mailOf()?.state === "delivered");
  await tests.clock.advance(10);
  expect(times({ ...mailOf() })).toEqual(["delivered", 1_000_000, 1_000_010, null, null]);
  expect(session.status().acknowledgedMessages).toBe(0);
  acknowledge.resolve();
  await until(() => mailOf()?.state === "acknowledged");
  expect(times({ ...mailOf() })).toEqual(["acknowledged", 1_000_000, 1_000_010, 1_000_020, null]);
  expect(mailOf()).toMatchObject({ from: "Lead", to: "A", kind: "text", bytes: 5, content: "hello" });
  expect(session.status()).toMatchObject({ acknowledgedMessages: 1, messages: { delivered: 1, unread: 0 } });
});

test("R25: what is refused and what is dead-lettered is told with its reason, and is never delivered", async () => {
  await using tests = await startSystem({ agents: { it: { run: () => new Promise<never>(() => {}) } } });
  const session = await tests.open();
  await session.createTeam({ name: "T", members: [one("A", { agentType: "it" })] });
  await session.sendMessage({ to: "A", content: "unread" });
  await expect(session.sendMessage({ to: "Bbo", content: "x" })).rejects.toMatchObject({ code: "unknown_recipient" });
  await session.replan({ cancel: ["A"] });
  await expect(session.sendMessage({ to: "A", content: "late" })).rejects.toMatchObject({ code: "recipient_closed" });
  const letters = session.mail().mail.filter(({ kind }) => kind === "text");
  expect(letters.map(({ to, state, reason, deliveredAt }) => [to, state, reason, deliveredAt])).toEqual([
    ["A", "refused", "recipient_closed", null],
    ["Bbo", "refused", "unknown_recipient", null],
    ["A", "dead_lettered", "A is shutdown", null],
  ]);
  expect(session.mail({ state: "refused" }).total).toBe(2);
});

test("a model acknowledges by the handle in the frame, once; what is another's, unread or nobody's is refused in words", async () => {
  const shown: string[] = [];
  await using tests = await startSystem({
    script: {
      A: [
        call("look"),
        call("team_mail", { acknowledge: ["m1"] }),
        call("team_mail", { acknowledge: ["m1"] }),
        call("team_mail", { acknowledge: ["m99"] }),
        call("team_mail", { mail: "m1" }),
        call("look"),
        complete(),
      ],
    },
    agents: { it: { tools: { look: lookTool(shown) } }, other: { run: () => new Promise<never>(() => {}) } },
  });
  const session = await tests.open();
  await session.createTeam({
    name: "T",
    members: [one("A", { agentType: "it" }), one("B", { agentType: "other" })],
  });
  await session.sendMessage({ to: "A", content: "look into <this>" });
  await until(() => member(session, "A").status === "completed");
  const text = shown.at(-1) ?? "";
  expect(text).toMatch(/from=\\"Lead\\" kind=\\"text\\" trust=\\"lead\\" mail=\\"m1\\"/u);
  expect(text).toMatch(/"acknowledged":\["m1"\]/u);
  expect(text).toMatch(/"acknowledged":\[\],"alreadyAcknowledged":\["m1"\]/u);
  expect(text).toMatch(/UNKNOWN_MAIL: there is no mail \\"m99\\" in the mailbox of A/u);
  expect(session.mail({ member: "A", state: "acknowledged" }).mail).toMatchObject([{ content: "look into <this>" }]);
  await expect(session.acknowledge(["m1"])).rejects.toMatchObject({ code: "unknown_mail", data: { of: "Lead" } });
});

test("mail of the Lead is acknowledged by whoever is the Lead: the host, or a loop of its own by its tool", async () => {
  const agents = {
    it: { run: async ({ send }: FunctionRun) => void (await send("Lead", "half way")) },
  };
  await using tests = await startSystem({ agents });
  const host = await tests.open();
  await host.createTeam({ name: "T", members: [one("A", { agentType: "it" })] });
  await until(() => host.mail({ member: "Lead", from: "A" }).total === 1);
  const [letter] = host.mail({ member: "Lead", from: "A" }).mail;
  expect(letter?.state).toBe("delivered");
  expect(await host.acknowledge([letter?.handle ?? ""])).toEqual({ acknowledged: [letter?.handle], already: [] });
  expect(await host.acknowledge([letter?.handle ?? ""])).toEqual({ acknowledged: [], already: [letter?.handle] });

  const own = await tests.open({ lead: "own" });
  await own.createTeam({ name: "T", members: [one("A", { agentType: "it" })] });
  const mail = () => own.mail({ member: "Lead", from: "A" }).mail[0];
  await until(() => mail()?.state === "accepted");
  const use = (input: object) =>
    own.tools["team_mail"]?.execute?.(input as never, { toolCallId: "1", messages: [], context: {} as never });
  expect(await use({ acknowledge: [mail()?.handle] })).toMatch(/^MAIL_UNREAD: /u);
  await own.prepareStep({ messages: [] });
  expect(await use({ acknowledge: [mail()?.handle] })).toMatchObject({ acknowledged: [mail()?.handle] });
  expect(mail()?.state).toBe("acknowledged");

  const hosted = await tests.open({ lead: {} });
  await expect(hosted.acknowledge(["m1"])).rejects.toMatchObject({ code: "fenced" });
});

test("pages go from the newest back, of one mailbox or of all, and what is no page is refused", async () => {
  await using tests = await startSystem({ agents: { it: { run: () => new Promise<never>(() => {}) } } });
  const session = await tests.open();
  await session.createTeam({ name: "T", members: [one("A", { agentType: "it" }), one("B", { agentType: "it" })] });
  for (let n = 1; n <= 7; n++) await session.sendMessage({ to: n % 2 === 0 ? "B" : "A", content: `${n}` });
  const contents = (page: ReturnType<typeof session.mail>) => page.mail.map(({ content }) => content);
  const first = session.mail({ member: "A", limit: 3 });
  expect([contents(first), first.total]).toEqual([["7", "5", "3"], 4]);
  const second = session.mail({ member: "A", limit: 3, before: first.next ?? "" });
  expect([contents(second), second.next]).toEqual([["1"], null]);
  expect(contents(session.mail({ limit: 2 }))).toEqual(["7", "6"]);
  expect(() => session.mail({ member: "Zed" })).toThrow(expect.objectContaining({ code: "unknown_member" }));
  expect(() => session.mail({ before: "x" })).toThrow(expect.objectContaining({ code: "bad_input" }));
  expect(() => session.mail({ limit: 0 })).toThrow(expect.objectContaining({ code: "bad_input" }));
});

test("R32: kinds are what the mail is, and no text makes itself another kind", async () => {
  await using tests = await startSystem({
    script: {
      A: [{ text: "I stop" }, complete()],
      B: [call("team_send_message", { to: "A", content: "shutdown_request" }), complete()],
    },
  });
  const session = await tests.open();
  await session.createTeam({ name: "T", members: [persistent("A"), one("B")] });
  await session.sendMessage({ to: "A", content: "now deliver", kind: "instruction" });
  await until(() => member(session, "A").status === "completed" && member(session, "B").status === "completed");
  const kinds = new Set(session.mail().mail.map(({ from, kind }) => `${from} ${kind}`));
  expect([...kinds].toSorted()).toEqual(expect.arrayContaining(["B text", "Lead instruction", "system system"]));
  expect([...kinds].filter((kind) => kind.startsWith("B "))).toEqual(["B text"]);
});

test("what became of mail is derived from the log: a replayed recording says the same", async () => {
  const lines: string[] = [];
  await using tests = await startSystem({
    agents: {
      it: {
        run: async ({ mail, send }: FunctionRun) => {
          const { handle } = await mail.next();
          await mail.acknowledge(handle);
          await send("Lead", "done with it");
        },
      },
    },
  });
  const session = await tests.open({
    onOpen: async (opened) => {
      await opened.record({ write: (line) => (lines.push(line), null) });
    },
  });
  const team = await session.createTeam({ name: "T", members: [one("A", { agentType: "it" })] });
  await session.sendMessage({ to: "A", content: "please" });
  await session.sendMessage({ to: "A", content: "too much" });
  await team.finished();
  const live = session.mail().mail;
  await session.close();
  const { mail } = await replay(lines);
  expect(mail.slice(-live.length)).toEqual(live.map((each) => ({ ...each, content: null })));
  expect(live.map(({ state }) => state)).toEqual(
    expect.arrayContaining(["acknowledged", "dead_lettered", "delivered"]),
  );
});

test("R27: the account stays bounded: unread mail is kept, and the newest of the rest", () => {
  const log = new MailLog({ nameOf: (token) => token, boxOf: (to) => to, bodyOf: () => undefined });
  const input = (seq: number) =>
    ({ id: `i${seq}`, at: seq, actor: "A", from: "lead", epoch: 1, event: { type: "session.closed" } }) as const;
  const accepted = (seq: number): MailFact => ({
    type: "accepted",
    to: "A",
    mail: {
      id: `i${seq}`,
      number: seq,
      seq,
      from: "Lead",
      kind: "text",
      notice: null,
      about: null,
      reason: null,
      bytes: 1,
      hops: 0,
      broadcast: false,
      body: null,
      wakes: true,
      at: seq,
    } as const,
  });
  const unread = 1_500;
  for (let seq = 1; seq <= unread; seq++) log.record(input(seq), { mail: [accepted(seq)] });
  const rests: number[] = [];
  for (let seq = unread + 1; seq < 10_000; seq++) {
    log.record(input(seq), { mail: [accepted(seq), { type: "delivered", to: "A", ids: [`i${seq}`] }] });
    // Often enough to see it soon after some were forgotten.
    if (seq > unread + 2_000 && seq % 50 === 0) rests.push(log.list({ limit: 1 }).total - unread);
  }
  const { total, mail } = log.list({ box: "A", state: "accepted", limit: 5 });
  expect([total, mail[0]?.handle]).toEqual([unread, `m${unread}`]);
  // However much is unread, as much of the rest is there as is promised.
  expect([Math.min(...rests) >= 2_000, Math.max(...rests) <= 2_500]).toEqual([true, true]);
  expect(log.list({ limit: 1 }).mail[0]?.handle).toBe("m9999");
});
