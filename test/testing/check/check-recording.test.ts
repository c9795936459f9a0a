import { expect, test } from "vitest";
import { createRecorder } from "../../../src/actors/recorder.ts";
import { memoryBus } from "../../../src/bus/memory.ts";
import type { Stored } from "../../../src/bus/bus.ts";
import { createKernel } from "../../../src/machines/index.ts";
import { ReplanSpec, TeamSpec } from "../../../src/protocol/spec.ts";
import { checkModel, checkRecording, teamModel } from "../../../src/testing/index.ts";
import type { OpenSessionOptions, Session } from "../../../src/index.ts";
import type { ScriptInput } from "../../../src/protocol/script.ts";
import { call, complete, member, one, startSystem, until } from "../../support/sessions.ts";
import { keepLines } from "../../support/record-session.ts";

/** The lines of a recording of what a session has stored. */
function linesOf(log: readonly Stored[]): readonly string[] {
  const sink = keepLines();
  const fail = (fault: unknown): never => {
    throw fault;
  };
  const recorder = createRecorder({ session: "s", sink, onFault: fail });
  const kernel = createKernel();
  const session = kernel.create();
  for (const { seq, input, body } of log) {
    const { type } = input.event;
    const plan =
      type === "team.create" ? TeamSpec.parse(body) : type === "team.replan" ? ReplanSpec.parse(body) : undefined;
    const record = plan === undefined ? { seq, input } : { seq, input, plan };
    // The sink is never full.
    void recorder.record(session, kernel.apply(session, record), record, body);
  }
  return sink.lines;
}

type Run = (session: Session) => Promise<unknown>;
type SystemOptions = NonNullable<Parameters<typeof startSystem>[0]>;

/** Runs a team for real and holds what was stored against the model. */
async function conformanceOf(options: SystemOptions, run: Run, open: OpenSessionOptions = {}) {
  const bus = memoryBus();
  const log: Stored[] = [];
  await using tests = await startSystem({ ...options, bus });
  const session = await tests.open({ id: "s", ...open });
  const [first] = await bus.read({ namespace: "default", session: "s" }, { fromSeq: 1 });
  if (first === undefined) throw new Error("nothing is stored");
  bus.follow({ namespace: "default", session: "s" }, first.seq).subscribe((stored) => log.push(stored));
  await run(session);
  await session.close();
  return checkRecording(linesOf(log));
}

const done = async () => ({ summary: "done" });
const functions: SystemOptions = {
  agents: {
    done: { run: done },
    fails: {
      run: async () => {
        throw new Error("no disk");
      },
    },
    writes: { run: async ({ send }) => (await send("C", "hello"), { summary: "told" }) },
  },
};

test("a diamond of functions is a path of the model", async () => {
  const { path, problems } = await conformanceOf(functions, async (session) => {
    const node = (name: string, dependsOn: string[]) => one(name, { agentType: "done", dependsOn });
    const members = [node("A", []), node("B", ["A"]), node("C", ["A"]), node("D", ["B", "C"])];
    await (await session.createTeam({ name: "T", members })).finished();
  });
  expect(problems).toEqual([]);
  expect(path.filter((name) => name.endsWith("delivers"))).toEqual([
    "A delivers",
    "B delivers",
    "C delivers",
    "D delivers",
  ]);
});

test("a failure, a retry, a message and a dissolve are moves of the model", async () => {
  const { path, problems } = await conformanceOf(functions, async (session) => {
    const members = [
      one("A", { agentType: "writes" }),
      one("B", { agentType: "fails" }),
      one("C", { agentType: "done", dependsOn: ["B"] }),
    ];
    const team = await session.createTeam({ name: "T", members });
    await team.finished();
    await session.replan({ retry: [{ name: "B" }] });
    await until(() => member(session, "B").attempt === 2 && member(session, "B").status === "failed");
    await session.dissolve({ mode: "abort" });
  });
  expect(problems).toEqual([]);
  expect(path).toEqual(
    expect.arrayContaining(["A writes to C by itself", "B fails", "a replan retries B", "the team is aborted"]),
  );
});

test("agent loops with tools, mail and a permission are a path of the model", async () => {
  const script = {
    A: [call("team_send_message", { to: "B", content: "hi" }), complete("a")],
    B: [call("team_send_message", { to: "broadcast", content: "all" }), complete("b")],
  };
  const { path, problems } = await conformanceOf({ script }, async (session) => {
    const team = await session.createTeam({
      name: "T",
      members: [one("A"), one("B", { dependsOn: ["A"], lifetime: "persistent" })],
    });
    await team.finished();
    await session.dissolve();
  });
  expect(problems).toEqual([]);
  expect(path).toEqual(
    expect.arrayContaining(["A calls a tool", "A writes to B", "A completes", "B reads", "B completes"]),
  );
});

test("a hosted lead that waits for its team is a path of the model", async () => {
  const create = call("team_create", { name: "T", members: [one("A"), one("B", { dependsOn: ["A"] })] });
  const script: ScriptInput = {
    Lead: [create, { waitFor: { B: "completed" } }, { text: "done" }],
    A: [complete("a")],
    B: [call("team_send_message", { to: "Lead", content: "soon" }), complete("b")],
  };
  const { path, problems } = await conformanceOf({ script }, (session) => session.send("Go."), { lead: {} });
  expect(problems).toEqual([]);
  expect(path).toEqual(expect.arrayContaining(["Lead waits for news", "B writes to Lead", "Lead ends its turn"]));
});

test("a counterexample is a path of the model", () => {
  const model = teamModel({ members: [{ name: "A" }, { name: "B", dependsOn: ["A"] }] });
  const { violation } = checkModel(model, {
    budgets: { outcomes: 1 },
    always: { "no stall": ({ team }) => !team.is("stalled") },
  });
  const { path, problems } = checkRecording(violation?.toRecording() ?? []);
  expect(problems).toEqual([]);
  expect(path).toEqual(violation?.moves);
});

test("an input that the model does not have is named with its sequence", () => {
  const { violation } = checkModel(teamModel({ members: [{ name: "A" }] }), {
    always: { "nobody ends": ({ team }) => team.is("running") },
  });
  const lines = violation?.toRecording() ?? [];
  const changed = lines.map((line) => line.replace('"k":1', '"k":9'));
  expect(checkRecording(changed).problems).toEqual([
    { seq: 4, problem: "no move is run.completed, A-t1, A-t1, run 0, report 9" },
  ]);
});
