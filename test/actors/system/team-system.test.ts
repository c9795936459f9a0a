import { expect, test } from "vitest";
import { memoryBus } from "../../../src/bus/memory.ts";
import { createTeamSystem, defineAgent } from "../../../src/index.ts";
import { createVirtualClock } from "../../../src/testing/virtual-clock.ts";
import { flakyBus } from "../../support/flaky-bus.ts";
import { member, one, rejection, settle, startSystem } from "../../support/sessions.ts";

const waiter = defineAgent({ run: () => new Promise<never>(() => {}) });

test("U23, R57: a session that one system holds is refused to another, until it is closed; then it is new", async () => {
  const bus = memoryBus();
  await using first = await startSystem({ bus, agents: { waiter } });
  await using second = await startSystem({ bus, agents: { waiter } });
  const session = await first.open({ id: "s" });
  await session.createTeam({ name: "T", members: [one("A", { agentType: "waiter" })] });
  expect(await rejection(second.open({ id: "s" }))).toMatchObject({ code: "fenced" });
  expect(await rejection(first.open({ id: "s" }))).toMatchObject({ code: "fenced" });
  await session.close();
  const again = await second.open({ id: "s" });
  expect(again.status()).toMatchObject({ state: "none", revision: 0 });
});

test("two systems on one bus with namespaces of their own may open the same id", async () => {
  const bus = memoryBus();
  await using first = await startSystem({ bus, agents: { waiter }, namespace: "a" });
  await using second = await startSystem({ bus, agents: { waiter }, namespace: "b" });
  const [one_, two] = await Promise.all([first.open({ id: "s" }), second.open({ id: "s" })]);
  for (const session of [one_, two])
    await session.createTeam({ name: "epic", members: [one("dev", { agentType: "waiter" })] });
  await one_.sendMessage({ to: "dev", content: "x" });
  expect([member(one_, "dev").unread, member(two, "dev").unread]).toEqual([1, 0]);
});

test.each(["", 7, null, "a\u0000b", "x".repeat(201), "a\nb"])("the session id %j is refused", async (id) => {
  await using tests = await startSystem();
  expect(await rejection(tests.open({ id: id as never }))).toMatchObject({ code: "bad_input" });
  expect(tests.system.sessions()).toEqual([]);
});

test.each([
  { agents: { "": {} } },
  { agents: { "a\nb": {} } },
  { agents: { it: null } },
  { agents: { it: 7 } },
  { limits: { membersMax: -1 } },
  { limits: { pollMs: "soon" } },
  { limits: { noSuchLimit: 1 } },
  { script: { A: [{ nonsense: true }] } },
  { workspace: "/no/such/folder" },
])("a system that cannot work is refused with a code: %j", async (options) => {
  const error = await rejection(createTeamSystem(options as never));
  expect(error).toMatchObject({ code: expect.stringMatching(/^bad_input|bad_name|missing_path$/u) as string });
});

test("an open that fails leaves no session, no lease and no timer", async () => {
  const bus = flakyBus(({ input }) => input.event.type === "owner.claimed" && input.id.length > 0 && broken);
  let broken = true;
  const clock = createVirtualClock();
  const faults: unknown[] = [];
  const system = await createTeamSystem({ bus, clock, onFault: (fault) => void faults.push(fault) });
  const opened = rejection(system.openSession({ id: "s" }));
  await settle();
  await clock.advance(60_000);
  expect(await opened).toMatchObject({ message: "the disk is full" });
  expect([system.sessions(), clock.pending]).toEqual([[], 0]);
  broken = false;
  const session = await system.openSession({ id: "s" });
  expect(session.status().state).toBe("none");
  const failing = rejection(
    system.openSession({
      id: "t",
      onOpen: () => {
        throw new Error("recorder");
      },
    }),
  );
  expect(await failing).toMatchObject({ message: "recorder" });
  await (await system.openSession({ id: "t" })).close();
  await system.close();
  expect(clock.pending).toBe(0);
});

test("closing a system closes its sessions, once, also while one is being opened; then it opens no more", async () => {
  const tests = await startSystem({ agents: { waiter } });
  const session = await tests.open({ id: "s" });
  await session.createTeam({ name: "T", members: [one("A", { agentType: "waiter" })] });
  const late = tests.open({ id: "late" }).then(
    (opened) => opened.status().lead,
    (error: unknown) => (error as { code: string }).code,
  );
  await Promise.all([tests.system.close(), tests.system.close(), session.close()]);
  expect(["fenced", "shutdown"]).toContain(await late);
  expect(await rejection(tests.open())).toMatchObject({ code: "fenced" });
  expect([tests.system.sessions(), session.alive, tests.clock.pending]).toEqual([[], { runs: 0, timers: 0 }, 0]);
});

test("R20: without a hosted lead there is no lead tool, and without a workspace no workspace tool, in any block", async () => {
  await using tests = await startSystem();
  const session = await tests.open({ lead: "own" });
  expect(Object.keys(session.tools)).toEqual([
    "team_create",
    "team_replan",
    "team_dissolve",
    "team_status",
    "team_send_message",
    "complete",
    "team_mail",
  ]);
});

test("R55, R60: with a hosted lead the API is the user: recorded as user, never as the Lead", async () => {
  await using tests = await startSystem({ agents: { waiter }, script: { Lead: [{ text: "hi" }, { text: "I saw" }] } });
  const session = await tests.open({ lead: {} });
  const senders = new Set<string>();
  session.events$.subscribe(
    ({ step, from, event }) => step === 0 && /^(?:team|message)\./u.test(event.type) && senders.add(from),
  );
  await session.send("hello");
  await session.createTeam({
    name: "T",
    members: [one("A", { agentType: "waiter" }), one("B", { agentType: "waiter" })],
  });
  await session.sendMessage({ to: "A", content: "x", kind: "instruction" });
  await session.replan({ cancel: ["B"] });
  await session.dissolve({ mode: "abort" });
  expect([...senders]).toEqual(["user"]);
});

test("routeOf says how a model would be reached, or why not, and never a key", async () => {
  await using tests = await startSystem({ environment: { OPENAI_API_KEY: "sk-secret" }, script: { A: [] } });
  expect(await tests.system.routeOf()).toBe("scripted model, no LLM");
  expect(await tests.system.routeOf("ollama/q")).toBe("ollama/q via http://127.0.0.1:11434/v1");
  expect(await tests.system.routeOf("openai/gpt")).not.toContain("secret");
  expect(await rejection(tests.system.routeOf("nowhere/x"))).toMatchObject({ code: "no_model_key" });
});
