import { generateText, isStepCount, type ModelMessage, type ToolSet } from "ai";
import { expect, test } from "vitest";
import { scriptedModel } from "../../../src/actors/models/scripted-model.ts";
import type { FunctionRun, Session } from "../../../src/index.ts";
import { call, complete, member, one, settle, startSystem, until } from "../../support/sessions.ts";

const options = (toolCallId: string, abortSignal?: AbortSignal) => ({
  toolCallId,
  messages: [],
  context: undefined,
  ...(abortSignal === undefined ? {} : { abortSignal }),
});
const use = (tools: ToolSet, name: string, input: unknown, signal?: AbortSignal): Promise<unknown> =>
  Promise.resolve(tools[name]?.execute?.(input, options(name, signal)));

const start = async (agents = {}, more = {}) => {
  const tests = await startSystem({ agents, ...more });
  const session = await tests.open({ lead: "own" });
  return { ...tests, session };
};

test("R23: mail waits until prepareStep gives it to the loop, once, as one framed message after all others", async () => {
  const { session, system } = await start({
    teller: {
      run: async ({ send }: FunctionRun) => {
        await send("Lead", "<b>one</b>");
        await send("Lead", "two");
      },
    },
  });
  await session.createTeam({ name: "T", members: [one("A", { agentType: "teller" })] });
  await until(() => session.status().state === "finished");
  expect(session.status()).toMatchObject({ pendingMessages: 2, lead: "waiting_user" });
  const messages: ModelMessage[] = [{ role: "user", content: "Go." }];
  const [first, second] = await Promise.all([session.prepareStep({ messages }), session.prepareStep({ messages })]);
  const given = [first, second].map((each) => each.messages.slice(1).map(({ content }) => JSON.stringify(content)));
  expect(given.flat()).toHaveLength(1);
  expect(given.flat()[0]).toMatch(/&lt;b&gt;one&lt;\/b&gt;.*two/su);
  expect(messages).toHaveLength(1);
  expect((await session.prepareStep({ messages })).messages).toEqual(messages);
  expect(session.status().messages).toMatchObject({ delivered: 2, unread: 0 });
  await system.close();
});

test("a wait of an own loop ends with the abort of its call, and leaves no timer", async () => {
  const { session, clock, system } = await start({ it: { run: () => new Promise<never>(() => {}) } });
  await session.createTeam({ name: "T", members: [one("A", { agentType: "it" })] });
  const controller = new AbortController();
  const waiting = use(session.tools, "team_status", { since: session.status().version }, controller.signal);
  await settle();
  expect(clock.pending).toBe(1);
  controller.abort();
  expect(await waiting).toMatch(/interrupted/u);
  await settle();
  expect(clock.pending).toBe(0);
  const again = use(session.tools, "team_status", { since: session.status().version });
  await settle();
  await clock.advance(30_000);
  expect(await again).toMatchObject({ timedOut: true, waitedMs: 30_000 });
  await system.close();
});

test("refusals come to the loop as texts, and create nothing", async () => {
  const { session, system, clock } = await start();
  const refused = await use(session.tools, "team_create", {
    name: "T",
    members: [{ name: "A", prompt: "p", dependsOn: ["B"] }],
  });
  expect(refused).toMatch(/^UNKNOWN_DEPENDENCY: /u);
  expect(await use(session.tools, "team_dissolve", {})).toMatch(/^NO_TEAM: /u);
  expect([session.status().state, session.alive, clock.pending]).toEqual(["none", { runs: 0, timers: 0 }, 0]);
  await system.close();
});

/** A loop of somebody's own, on this session. */
const loop = (session: Session, model: ReturnType<typeof scriptedModel>) =>
  generateText({
    model,
    prompt: "Go.",
    tools: session.tools,
    prepareStep: session.prepareStep,
    stopWhen: isStepCount(20),
  });

test("R21, U58: one team at a time; after its end the next one starts, and its name is its own", async () => {
  const model = scriptedModel([
    call("team_create", { name: "T", members: [one("A")] }),
    call("team_create", { name: "U", members: [one("B")] }),
    call("team_dissolve", { mode: "abort" }),
    call("team_create", { name: "T", members: [one("A")] }),
    { text: "end" },
  ]);
  const { session, system } = await start({}, { model: scriptedModel([{ hang: true }]) });
  const { steps } = await loop(session, model);
  const outputs = steps.flatMap(({ toolResults }) => toolResults.map(({ output }) => output));
  expect(outputs[1]).toMatch(/^TEAM_EXISTS: /u);
  expect(outputs[3]).toMatchObject({ team: "T-2", started: ["A"] });
  expect(member(session, "A")).toMatchObject({ status: "in_progress", attempt: 1 });
  await system.close();
});

test("U56: a hundred interleaved calls of a lead and ten members are each attributed to who made them", async () => {
  const names = Array.from({ length: 10 }, (_, n) => `M${n}`);
  const script = Object.fromEntries(
    names.map((name) => [
      name,
      [
        ...Array.from({ length: 9 }, (_, n) => call("team_send_message", { to: "Lead", content: `${name}/${n}` })),
        complete(),
      ],
    ]),
  );
  const { session, system } = await start({}, { script });
  const from: string[] = [];
  session.events$.subscribe(({ actor, event }) => {
    if (actor === "Lead" && event.type === "mail.arrived" && "from" in event) from.push(String(event.from));
  });
  await session.createTeam({ name: "T", members: names.map((name) => one(name)) });
  const sent = Array.from({ length: 100 }, (_, n) =>
    use(session.tools, "team_send_message", { to: `M${n % 10}`, content: `L${n}` }),
  );
  await Promise.all(sent);
  await until(() => session.status().state === "finished");
  const texts = (await session.prepareStep({ messages: [] })).messages
    .map(({ content }) => JSON.stringify(content))
    .join("");
  for (const [, sender, content] of texts.matchAll(/from="(M\d)"[^>]*>(M\d)\/\d</gu)) expect(content).toBe(sender);
  expect(from.toSorted()).toEqual(names.flatMap((name) => Array.from({ length: 9 }, () => name)).toSorted());
  await system.close();
});

test("S21: a replan by the tool of an own loop is held to what a model may declare; the host's own is not", async () => {
  const { session, system } = await start({ it: { run: () => new Promise<never>(() => {}) } });
  await session.createTeam({ name: "T", members: [one("A", { agentType: "it" })] });
  const add = Array.from({ length: 40 }, (_, index) => ({
    ...one(`M${index}`, { agentType: "it" }),
    dependsOn: ["A"],
  }));
  expect(await use(session.tools, "team_replan", { add })).toMatch(/^TOO_MANY_MEMBERS: .*32/u);
  expect(session.status().members).toHaveLength(1);
  expect(await session.replan({ add })).toMatchObject({ stillBlocked: add.map(({ name }) => name) });
  await system.close();
});
