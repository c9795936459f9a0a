import { tool } from "ai";
import { expect, test } from "vitest";
import { memoryBus } from "../../../src/bus/memory.ts";
import { loseRun } from "../../support/lose-run.ts";
import {
  anyInput,
  call,
  complete,
  gate,
  lookTool,
  one,
  rejection,
  startSystem,
  until,
} from "../../support/sessions.ts";

/** A member that is lost while it executes these calls side by side, or in turn; what it did, and what it is shown then. */
async function lose(calls: readonly string[], { idempotent }: { readonly idempotent?: readonly string[] } = {}) {
  const bus = memoryBus();
  const executed: string[] = [];
  const shown: string[] = [];
  const hangs = (name: string) =>
    tool({
      inputSchema: anyInput,
      execute: (_input: unknown, { toolCallId }) => {
        executed.push(`${name} ${toolCallId}`);
        // The first one is lost in the middle.
        return executed.filter((each) => each.startsWith(name)).length === 1 ? gate<string>().promise : "made again";
      },
    });
  const tools = { charge: hangs("charge"), lookUp: hangs("lookUp"), look: lookTool(shown) };
  await using tests = await startSystem({
    bus,
    script: { A: [{ calls: calls.map((name) => ({ tool: name, input: {} })) }, call("look"), complete()] },
    agents: { it: { tools, ...(idempotent === undefined ? {} : { idempotent }) } },
  });
  const session = await tests.open();
  const team = await session.createTeam({ name: "T", members: [one("A", { agentType: "it" })] });
  const [token = ""] = session.state.members.keys();
  await until(() => session.state.members.get(token)?.run.calls.length === calls.length);
  await until(() => executed.length === calls.length);
  await loseRun(bus, session, token);
  expect(await team.finished()).toMatchObject({ outcome: "completed" });
  return { executed, shown: shown[0] ?? "" };
}

test("a call of an own tool that a lost run has started is not made again, and its effect is told as unknown", async () => {
  const { executed, shown } = await lose(["charge"]);
  expect(executed).toHaveLength(1);
  expect(shown).toContain("interrupted: effect unknown");
});

test("a call of an own tool that its agent type calls idempotent is made again, with the same call id", async () => {
  const { executed, shown } = await lose(["lookUp", "charge"], { idempotent: ["lookUp"] });
  const [first, , again, ...more] = executed;
  expect([again, more]).toEqual([first, []]);
  expect(shown).toContain("made again");
  expect(shown.match(/interrupted: effect unknown/gu)).toHaveLength(1);
});

test.each([
  ["", []],
  [", though it is idempotent", ["ask_first"]],
])(
  "a call that a lost run never started is made by the next one, which asks again for it%s",
  async (_more, idempotent) => {
    const bus = memoryBus();
    const shown: string[] = [];
    const sends = { tool: "team_send_message", input: { to: "Lead", content: "hi" } };
    const executed: string[] = [];
    const ask_first = tool({ inputSchema: anyInput, execute: () => executed.push("ask_first") });
    await using tests = await startSystem({
      bus,
      script: { A: [{ calls: [{ tool: "ask_first", input: {} }, sends] }, call("look"), complete()] },
      agents: { it: { tools: { ask_first, look: lookTool(shown) }, ask: ["ask_first"], idempotent } },
    });
    const session = await tests.open();
    const team = await session.createTeam({ name: "T", members: [one("A", { agentType: "it" })] });
    const [token = ""] = session.state.members.keys();
    await until(() => session.status().permissionRequests.length === 1);
    const [first] = session.permissionRequests();
    await loseRun(bus, session, token);
    await until(() => session.permissionRequests().some(({ id }) => id !== first?.id));
    expect(executed).toEqual([]);
    await session.answerPermission({ request: session.permissionRequests()[0]?.id ?? "", approve: true });
    expect(await team.finished()).toMatchObject({ outcome: "completed", messages: { accepted: 1 } });
    expect([executed, shown[0]]).toEqual([["ask_first"], expect.not.stringContaining("interrupted")]);
  },
);

test.each([
  ["it has no tool of this name", { tools: { a: tool({ inputSchema: anyInput }) }, idempotent: ["b"] }],
  ["it lists no such tool", { tools: ["read_file"], idempotent: ["write_file"] }],
  ["it is no name", { tools: ["read_file"], idempotent: [7 as never] }],
])("an agent type that calls a tool idempotent is refused when %s", async (_why, agent) => {
  expect(await rejection(startSystem({ agents: { it: agent } }))).toMatchObject({ code: "bad_input" });
});

test("an own tool that is called like a workspace tool has none of its traits", async () => {
  const bus = memoryBus();
  const shown: string[] = [];
  const executed: string[] = [];
  const read_file = tool({
    inputSchema: anyInput,
    execute: () => {
      executed.push("read_file");
      return gate<string>().promise;
    },
  });
  await using tests = await startSystem({
    bus,
    script: { A: [call("read_file"), call("look"), complete()] },
    agents: { it: { tools: { read_file, look: lookTool(shown) } } },
  });
  const session = await tests.open();
  const team = await session.createTeam({ name: "T", members: [one("A", { agentType: "it" })] });
  await until(() => executed.length === 1);
  await loseRun(bus, session, [...session.state.members.keys()][0] ?? "");
  await team.finished();
  expect([executed, shown[0]]).toEqual([["read_file"], expect.stringContaining("interrupted: effect unknown")]);
});

test("a call that was approved and lost is not made again, though it is idempotent: an approval is for one execution", async () => {
  const bus = memoryBus();
  const executed: string[] = [];
  const shown: string[] = [];
  const lookUp = tool({
    inputSchema: anyInput,
    execute: () => {
      executed.push("lookUp");
      return gate<string>().promise;
    },
  });
  await using tests = await startSystem({
    bus,
    script: { A: [call("lookUp"), call("look"), complete()] },
    permissions: {},
    agents: { it: { tools: { lookUp, look: lookTool(shown) }, idempotent: ["lookUp"], readOnly: ["look"] } },
  });
  const session = await tests.open();
  const team = await session.createTeam({ name: "T", members: [one("A", { agentType: "it" })] });
  await until(() => session.permissionRequests().length > 0);
  await session.answerPermission({ request: session.permissionRequests()[0]?.id ?? "", approve: true });
  await until(() => executed.length === 1);
  await loseRun(bus, session, [...session.state.members.keys()][0] ?? "");
  expect(await team.finished()).toMatchObject({ outcome: "completed" });
  expect(executed).toHaveLength(1);
  expect(shown[0]).toContain("interrupted: effect unknown");
});
