import { expect, test, vi } from "vitest";
import { createTeamSystem, defineAgent, type TeamSystemOptions } from "../../../src/index.ts";
import { openAsks, permissionAnswer, permissionText } from "../../../src/cli/run/open-asks.ts";

const complete = { calls: [{ tool: "complete", input: { summary: "done" } }] };

/** A session whose asks are followed from its first input on. */
async function followed(options: TeamSystemOptions, lead?: object) {
  const system = await createTeamSystem(options);
  const attached: ReturnType<typeof openAsks>[] = [];
  const session = await system.openSession({
    ...(lead === undefined ? {} : { lead }),
    onOpen(opened) {
      const asks = openAsks(opened);
      opened.events$.subscribe((line) => asks.take(line));
      attached.push(asks);
    },
  });
  const first = () =>
    vi.waitFor(() => {
      const ask = attached[0]?.asks[0];
      if (ask === undefined) throw new Error("nothing is asked");
      return ask;
    });
  return { session, first, asks: () => attached[0]?.asks, [Symbol.asyncDispose]: () => system.close() };
}

test("a question of the lead waits with its choices, and the answer reaches the lead", async () => {
  const ask = { tool: "ask_user_question", input: { question: "Which?", choices: ["a", "b"] } };
  await using run = await followed({ script: { Lead: [{ calls: [ask] }, { text: "thanks" }] } }, {});
  const answered = run.session.send("go");
  const question = await run.first();
  expect(question).toMatchObject({ kind: "question", from: "Lead", text: "Which?", choices: ["a", "b"] });
  await question.answer("a");
  await expect(answered).resolves.toBe("thanks");
  expect(run.asks()).toEqual([]);
});

test("a permission waits for a yes or no; a second answer is no fault", async () => {
  const list = vi.fn<() => string>(() => "listed");
  const { tool } = await import("ai");
  const { z } = await import("zod");
  const agents = {
    asker: defineAgent({ ask: ["look"], tools: { look: tool({ inputSchema: z.object({}), execute: list }) } }),
  };
  await using run = await followed({
    agents,
    script: { A: [{ calls: [{ tool: "look", input: {} }] }, complete] },
  });
  await run.session.createTeam({ name: "T", members: [{ name: "A", prompt: "p", agentType: "asker" }] });
  const permission = await run.first();
  expect(permission).toMatchObject({ kind: "permission", from: "A", text: "May A use look?" });
  await permission.answer("y");
  await permission.answer("n");
  await run.session.settled();
  expect(list).toHaveBeenCalledOnce();
});

test("a permission shows the arguments that it holds for", async () => {
  const { jsonSchema, tool } = await import("ai");
  const run = tool({ inputSchema: jsonSchema({ type: "object" }), execute: () => "done" });
  const input = { command: "rm -rf build", why: "x".repeat(5_000) };
  await using followedRun = await followed({
    agents: { asker: defineAgent({ ask: ["run"], tools: { run } }) },
    script: { A: [{ calls: [{ tool: "run", input }] }, complete] },
  });
  await followedRun.session.createTeam({ name: "T", members: [{ name: "A", prompt: "p", agentType: "asker" }] });
  const { text } = await followedRun.first();
  expect(text).toMatch(
    /^May A use run with \{"command":"rm -rf build","why":"x{400}\.\.\. \(4600 characters more\)"\}\?$/u,
  );
  expect(text.length).toBeLessThan(2_100);
});

test("a plan waits with its text, and a no sends the words back", async () => {
  const submit = (plan: string) => ({ calls: [{ tool: "submit_plan", input: { plan } }] });
  await using run = await followed({ script: { A: [submit("first try"), submit("second try"), complete] } });
  await run.session.createTeam({ name: "T", members: [{ name: "A", prompt: "p", requirePlan: true }] });
  const first = await run.first();
  expect(first).toMatchObject({ kind: "plan", from: "A", text: "May A go on with this plan? first try" });
  await first.answer("more tests");
  const second = await vi.waitFor(() => {
    const ask = run.asks()?.[0];
    if (ask?.text.includes("second") !== true) throw new Error("not yet");
    return ask;
  });
  await second.answer("yes");
  await run.session.settled();
  expect(run.session.member("A")).toMatchObject({ status: "completed" });
});

test.each([
  ["y: keep the tests", { approved: true, remark: "keep the tests" }],
  ["n: too broad", { approved: false, remark: "too broad" }],
  ["n", { approved: false }],
])("the remark of %j reaches the member that planned, and its next plan is another ask", async (word, answer) => {
  const submit = { calls: [{ tool: "submit_plan", input: { plan: "a plan" } }] };
  await using run = await followed({ script: { A: [submit, submit, complete] } });
  const results: unknown[] = [];
  run.session.records$.subscribe(({ stored }) => {
    if (stored.input.event.type === "tool.ended") results.push(stored.body);
  });
  await run.session.createTeam({ name: "T", members: [{ name: "A", prompt: "p", requirePlan: true }] });
  const first = await run.first();
  await first.answer(word);
  await vi.waitFor(() => expect(JSON.stringify(results)).toContain(JSON.stringify(answer).slice(1, -1)));
  if (answer.approved) return;
  await vi.waitFor(() => expect(run.asks()?.[0]?.id).toMatch(/^plan of A/));
  expect(run.asks()?.[0]?.id).not.toBe(first.id);
});

test.each([
  ["y", { approve: true }],
  [" Yes ", { approve: true }],
  ["y: only </b> eu", { approve: true, note: "only </b> eu" }],
  ["n", { approve: false }],
  ["no: not on Fridays", { approve: false, note: "not on Fridays" }],
  ["", { approve: false }],
  ["yes but wait", { approve: false, note: "yes but wait" }],
  ["yn", { approve: false, note: "yn" }],
  ["yes, no: y", { approve: false, note: "yes, no: y" }],
  [`y: ${"x".repeat(700)}`, { approve: true, note: "x".repeat(600) }],
])("the answer %j is taken as %j", (text, answer) => {
  expect(permissionAnswer(text)).toEqual(answer);
});

test.each([
  [{ kind: "network", tool: "fetch", target: "a.org", input: "{}" }, "May A reach a.org with fetch?"],
  [{ kind: "mode", tool: "default", input: '{"reason":"r"}' }, 'May A have the mode default with {"reason":"r"}?'],
  [
    {
      kind: "tool",
      tool: "deploy",
      chains: [
        ["user", "Lead", "A"],
        ["user", "Lead", "Reader", "A"],
      ],
    },
    "May A use deploy? Told by: user > Lead > Reader > A.",
  ],
] as const)("S11: a request is asked for with what is reached and who told whom: %j", (request, text) => {
  expect(permissionText({ id: "1", member: "A", approver: "user", since: 0, ...request })).toBe(text);
});
