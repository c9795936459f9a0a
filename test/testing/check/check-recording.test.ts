import { expect, test } from "vitest";
import { createRecorder } from "../../../src/actors/recording/recorder.ts";
import { createHashChain } from "../../../src/actors/recording/hash-chain.ts";
import type { InputEvent } from "../../../src/protocol/input.ts";
import { checkModel, checkRecording, teamModel } from "../../../src/testing/index.ts";
import type { OpenSessionOptions, Session } from "../../../src/index.ts";
import type { ScriptInput } from "../../../src/protocol/script.ts";
import { call, complete, member, one, startSystem, until } from "../../support/sessions.ts";
import { keepLines } from "../../support/record-session.ts";

type Run = (session: Session) => Promise<unknown>;
type SystemOptions = NonNullable<Parameters<typeof startSystem>[0]>;

/** Runs a team for real, recorded from its opening to its end, and holds the recording against the model. */
async function conformanceOf(options: SystemOptions, run: Run, open: OpenSessionOptions = {}) {
  await using tests = await startSystem(options);
  const sink = keepLines();
  const session = await tests.open({ ...open, onOpen: async (opened) => void (await opened.record(sink)) });
  await run(session);
  await session.close();
  return await checkRecording(sink.lines);
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

test("a counterexample is a path of the model", async () => {
  const model = teamModel({ members: [{ name: "A" }, { name: "B", dependsOn: ["A"] }] });
  const { violation } = checkModel(model, {
    budgets: { outcomes: 1 },
    always: { "no stall": ({ team }) => !team.is("stalled") },
  });
  const { path, problems, beyond, truncated } = await checkRecording(violation?.toRecording() ?? []);
  expect(problems).toEqual([]);
  const prologue = ["the session is opened", "the owner changes", "Lead creates a team of A, B"];
  expect(path).toEqual([...prologue, ...(violation?.moves ?? ["a violation"])]);
  expect(beyond).toEqual(["the session is opened", "Lead creates a team of A, B"]);
  expect(truncated?.problem).toBe("there is no result line");
});

/** A recording of a team of one, with one more input that somebody made up. */
function recordingWith(event: InputEvent, given: { actor: string; from: string; epoch?: number }): readonly string[] {
  const model = teamModel({ members: [{ name: "A" }] });
  const sink = keepLines();
  const fail = (fault: unknown): never => {
    throw fault;
  };
  const recorder = createRecorder({ session: "s", sink, onFault: fail });
  const session = model.kernel.create();
  const last = { seq: 4, input: { id: "made up", at: 4, epoch: 1, ...given, event } };
  // The sink is never full.
  for (const record of [...model.prologue, last])
    void recorder.record(session, model.kernel.apply(session, record), record);
  return sink.lines;
}

const ofA = { actor: "A-t1", from: "A-t1" };

test.each<[string, InputEvent, { actor: string; from: string; epoch?: number }, string]>([
  [
    "a report that skips a number",
    { type: "run.completed", run: 1, k: 9 },
    ofA,
    'run 0, report 9; the nearest one, "A delivers", is run.completed, A-t1, A-t1, run 0, report 1',
  ],
  ["a report of a run to come", { type: "run.completed", run: 2, k: 1 }, ofA, "run 1, report 1"],
  [
    "the end of a call that was never opened",
    { type: "tool.ended", run: 1, k: 1, call: "c", verdict: "ok" },
    ofA,
    "call -1",
  ],
  ["a command of nobody", { type: "team.dissolve", mode: "abort" }, { actor: "team-1", from: "B-t1" }, "B-t1, abort"],
  ["a member's command outside of a run", { type: "work.complete" }, ofA, "no move is work.complete"],
  ["a lead where nobody leads", { type: "run.completed", run: 1, k: 1 }, { actor: "lead", from: "lead" }, "no move is"],
])(
  "an input that the model does not have is named with its sequence, and the nearest move: %s",
  async (_, event, given, what) => {
    const { problems, path } = await checkRecording(recordingWith(event, given));
    expect(path).toHaveLength(3);
    expect(problems).toEqual([{ seq: 4, problem: expect.stringContaining(what) }]);
  },
);

test("a changed line, a file that is not there and other machines are the errors of replay", async () => {
  const lines = recordingWith({ type: "run.completed", run: 1, k: 1 }, ofA);
  const changed = lines.map((line) => line.replace('"k":1', '"k":2'));
  await expect(checkRecording(changed)).rejects.toMatchObject({ code: "replay_mismatch" });
  await expect(checkRecording("/nowhere/at-all.ndjson")).rejects.toMatchObject({ code: "bad_file" });
  const header = JSON.parse(lines[0] ?? "") as { machines: object };
  const { hash: _hash, ...other } = { ...header, machines: { ...header.machines, member: "another" }, hash: "" };
  const hash = createHashChain().next({ ...other, hash: "" });
  await expect(checkRecording([JSON.stringify({ ...other, hash })])).rejects.toMatchObject({ code: "machine_version" });
});
