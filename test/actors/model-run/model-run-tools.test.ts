import { jsonSchema, tool, type ToolSet } from "ai";
import { expect, test } from "vitest";
import type { ModelAgent } from "../../../src/index.ts";
import type { ScriptEntryInput } from "../../../src/protocol/script.ts";
import { call, complete, gate, member, one, rejection, settle, startSystem, until } from "../../support/sessions.ts";

const any = jsonSchema<Record<string, unknown>>({ type: "object" });
const tools = (
  executes: Record<string, (input: Record<string, unknown>, options: { abortSignal?: AbortSignal }) => unknown>,
): ToolSet =>
  Object.fromEntries(
    Object.entries(executes).map(([name, execute]) => [name, tool({ inputSchema: any, execute: execute as never })]),
  );

/** One member `A` with these tools and this script, started. */
async function start(script: readonly ScriptEntryInput[], agent: ModelAgent, more: object = {}) {
  const tests = await startSystem({ script: { A: script, B: [complete("fine")] }, agents: { worker: agent }, ...more });
  const session = await tests.open();
  const team = await session.createTeam({ name: "T", members: [one("A", { agentType: "worker" }), one("B")] });
  return { ...tests, session, team };
}

const hostileTools: Record<string, () => unknown> = {
  throws: () => {
    throw new Error("boom");
  },
  "throws nothing": () => {
    throw undefined as unknown;
  },
  rejects: () => Promise.reject(new Error("boom")),
  "returns a circular value": () => {
    const value: Record<string, unknown> = {};
    value["self"] = value;
    return value;
  },
  "returns a BigInt": () => ({ big: 10n }),
  "returns 3 MB": () => "x".repeat(3_000_000),
  "returns a function": () => () => {},
  "returns a symbol": () => Symbol("s"),
  "returns a getter that throws": () => ({
    get x() {
      throw new Error("no");
    },
  }),
  "returns a toJSON that throws": () => ({
    toJSON() {
      throw new Error("no");
    },
  }),
  "returns a revoked proxy": () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    return proxy;
  },
  "returns a thenable that throws": () => ({
    // oxlint-disable-next-line unicorn/no-thenable -- that is what this one is
    then() {
      throw new Error("no");
    },
  }),
  async *"yields and then throws"() {
    yield 1;
    throw new Error("boom");
  },
};

test.each(Object.entries(hostileTools))(
  "U62: a tool that %s tells its model so, and the member goes on",
  async (_what, execute) => {
    const { session, team, faults, system } = await start([call("bad"), complete()], {
      tools: tools({ bad: execute }),
    });
    expect(await team.finished()).toMatchObject({ outcome: "completed" });
    expect(member(session, "B")).toMatchObject({ status: "completed" });
    expect(faults).toEqual([]);
    await system.close();
  },
);

const hostileOutputs: Record<string, () => unknown> = {
  throws: () => {
    throw new Error("boom");
  },
  "returns nothing": () => undefined,
  "returns an unknown type": () => ({ type: "image", value: 1 }),
  "returns a circular value": () => {
    const value: Record<string, unknown> = {};
    value["self"] = value;
    return { type: "json", value };
  },
  "returns a BigInt": () => ({ type: "json", value: 1n }),
  "returns a text that is none": () => ({ type: "text", value: 7 }),
};

test.each(Object.entries(hostileOutputs))(
  "U62: a toModelOutput that %s is the tool's failure, and the member goes on",
  async (_what, toModelOutput) => {
    const bad = tool({ inputSchema: any, execute: () => "ok", toModelOutput: toModelOutput as never });
    const { session, team, system } = await start([call("bad"), complete()], { tools: { bad } });
    expect(await team.finished()).toMatchObject({ outcome: "completed" });
    expect(member(session, "A")).toMatchObject({ attempt: 1, modelCalls: 2 });
    await system.close();
  },
);

test("a toModelOutput that never settles holds nothing up once the member is cancelled", async () => {
  const bad = tool({ inputSchema: any, execute: () => "ok", toModelOutput: () => new Promise<never>(() => {}) });
  const { session, system } = await start([call("bad"), complete()], { tools: { bad } });
  await until(() => member(session, "A").activity === "tool");
  await session.replan({ cancel: ["A"] });
  await settle();
  expect(session.alive.runs).toBe(0);
  await system.close();
});

test("a tool that changes its input does not change what the model is shown of its own call", async () => {
  const seen: unknown[] = [];
  const change = (input: Record<string, unknown>) => {
    seen.push({ ...input });
    input["x"] = "changed";
    return "ok";
  };
  const inputs: string[] = [];
  const look = tool({
    inputSchema: any,
    execute: (_input: unknown, { messages }) => {
      inputs.push(JSON.stringify(messages));
      return "ok";
    },
  });
  const { team, system } = await start([call("change", { x: "given" }), call("look"), complete()], {
    tools: { ...tools({ change }), look },
  });
  await team.finished();
  expect(seen).toEqual([{ x: "given" }]);
  expect(inputs.join("")).toContain('"x":"given"');
  expect(inputs.join("")).not.toContain("changed");
  await system.close();
});

test("a step with calls side by side and calls in turn, aborted in all of them, leaves no rejection behind", async () => {
  const started = gate();
  const slow = (_: unknown, { abortSignal }: { abortSignal?: AbortSignal }) =>
    new Promise((_resolve, reject) => {
      abortSignal?.addEventListener("abort", () => reject(new Error("aborted")));
      started.resolve();
    });
  const { session, system, faults } = await start(
    [
      {
        calls: [
          { tool: "slow", input: {} },
          { tool: "write_file", input: {} },
          { tool: "slow", input: {} },
          { tool: "team_send_message", input: { to: "B", content: "x" } },
        ],
      },
    ],
    { tools: tools({ slow, write_file: slow }) },
  );
  await started.promise;
  await settle();
  await session.replan({ cancel: ["A"] });
  await settle(50);
  expect([session.alive.runs, faults]).toEqual([0, []]);
  await system.close();
});

test("tools of one step run side by side, except those that change something together", async () => {
  const log: string[] = [];
  const both = gate();
  const meet = async (input: Record<string, unknown>) => {
    log.push(String(input["n"]));
    if (log.length === 2) both.resolve();
    await both.promise;
    return "met";
  };
  const { team, system } = await start(
    [
      {
        calls: [
          { tool: "meet", input: { n: 1 } },
          { tool: "meet", input: { n: 2 } },
        ],
      },
      complete(),
    ],
    { tools: tools({ meet }) },
  );
  expect(await team.finished()).toMatchObject({ outcome: "completed" });
  expect(log).toEqual(["1", "2"]);
  await system.close();
});

test.each(["waits for its signal", "goes on yielding"])(
  "an async generator tool that %s is returned when its member is cancelled, and cleans up",
  async (how) => {
    const cleaned = gate<string>();
    async function* stream(_: unknown, { abortSignal }: { abortSignal?: AbortSignal }) {
      try {
        yield 1;
        if (how === "goes on yielding") for (;;) yield await new Promise((resolve) => setImmediate(resolve));
        await new Promise<void>((resolve) => abortSignal?.addEventListener("abort", () => resolve()));
        yield 2;
        cleaned.resolve("went on after the abort");
      } finally {
        cleaned.resolve("cleaned");
      }
    }
    const { session, system, faults } = await start([call("stream")], { tools: tools({ stream }) });
    await until(() => member(session, "A").activity === "tool");
    await settle();
    await session.replan({ cancel: ["A"] });
    expect(await cleaned.promise).toBe("cleaned");
    await settle();
    expect([session.alive.runs, faults]).toEqual([0, []]);
    await system.close();
  },
);

test("own tools cannot take the name of a team tool, nor those of a lead that of a workspace tool", async () => {
  const taken = tools({ complete: () => "mine" });
  expect(await rejection(startSystem({ agents: { worker: { tools: taken } } }))).toMatchObject({ code: "bad_input" });
  await using tests = await startSystem({ script: { Lead: [{ text: "hi" }] } });
  for (const name of ["complete", "team_create", "task", "confirm", "read_file", "write_file"]) {
    const lead = { tools: tools({ [name]: () => "mine" }) };
    expect(await rejection(tests.open({ id: "s", lead }))).toMatchObject({ code: "bad_input" });
  }
  await using session = await tests.open({ id: "s", lead: {} });
  expect(await session.send("hello")).toBe("hi");
});
