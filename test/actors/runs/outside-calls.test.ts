import { tool } from "ai";
import { expect, test } from "vitest";
import { takeWhile } from "rxjs";
import { scriptedModel } from "../../../src/actors/models/scripted-model.ts";
import type { Bus } from "../../../src/bus/bus.ts";
import { checkRecording, replay } from "../../../src/testing/index.ts";
import { keepLines } from "../../support/record-session.ts";
import { memoryBus } from "../../../src/bus/memory.ts";
import { pending, type PendingOptions, type Session } from "../../../src/index.ts";
import { loseRun } from "../../support/lose-run.ts";
import {
  anyInput,
  call,
  complete,
  lookTool,
  member,
  one,
  rejection,
  settle,
  startSystem,
  until,
} from "../../support/sessions.ts";

/** A tool whose result comes later, and the ids of its calls. */
function jobTool(options: PendingOptions = {}) {
  const calls: string[] = [];
  const start = tool({
    inputSchema: anyInput,
    execute: (_input: unknown, { toolCallId }) => {
      calls.push(toolCallId);
      return pending(options);
    },
  });
  return { calls, start };
}

const askAndDeliver = [call("start"), call("look"), complete()];

/** A member A that starts a job, looks at what it was shown, and delivers. */
async function startJob(options: PendingOptions = {}, script: readonly object[] = askAndDeliver) {
  const bus = memoryBus();
  const shown: string[] = [];
  const { calls, start } = jobTool(options);
  const quick = tool({ inputSchema: anyInput, execute: () => "quick" });
  const tests = await startSystem({
    bus,
    script: { A: [...script] as never },
    agents: { it: { tools: { start, quick, look: lookTool(shown) } } },
  });
  const session = await tests.open();
  const team = await session.createTeam({ name: "T", members: [one("A", { agentType: "it" })] });
  return { ...tests, bus, session, team, calls, shown };
}

const waits = (session: Session): Promise<void> => until(() => session.pendingCalls().length > 0);

test("a call whose tool returned pending waits for its result from outside, and its member shows it", async () => {
  await using tests = await startJob({ note: "job 7 of the build" });
  const { session, team, calls, shown } = tests;
  await waits(session);
  expect(member(session, "A")).toMatchObject({ status: "in_progress", activity: "waiting_external" });
  expect(session.pendingCalls()).toEqual([
    { call: calls[0], member: "A", tool: "start", note: "job 7 of the build", since: 1_000_000, until: null },
  ]);
  expect(session.status().pendingCalls).toEqual(session.pendingCalls());
  await session.finishCall(calls[0] ?? "", { result: { built: 3 } });
  expect(await team.finished()).toMatchObject({ outcome: "completed" });
  expect(shown[0]).toContain('"value":{"built":3}');
  expect(session.pendingCalls()).toEqual([]);
});

test("other calls of the step go on while one waits", async () => {
  const script = [
    {
      calls: [
        { tool: "start", input: {} },
        { tool: "quick", input: {} },
      ],
    },
    complete(),
  ];
  await using tests = await startJob({}, script);
  const { session, team, calls } = tests;
  await waits(session);
  await until(() => session.state.members.get("A-t1")?.run.calls.length === 1);
  expect(member(session, "A").activity).toBe("waiting_external");
  await session.finishCall(calls[0] ?? "", { result: null });
  expect(await team.finished()).toMatchObject({ outcome: "completed" });
});

test("an error from outside is read as that of the tool", async () => {
  await using tests = await startJob();
  const { session, team, calls, shown } = tests;
  await waits(session);
  await session.finishCall(calls[0] ?? "", { error: "the build broke" });
  await team.finished();
  expect(shown[0]).toContain("tool_error: the build broke");
});

test("a second result is refused with already_answered, one for an unknown call lists those that wait", async () => {
  await using tests = await startJob();
  const { session, team, calls } = tests;
  await waits(session);
  const [id = ""] = calls;
  expect(await rejection(session.finishCall("nope", { result: 1 }))).toMatchObject({
    code: "unknown_call",
    data: { call: "nope", known: [`${id} (start of A)`] },
  });
  await session.finishCall(id, { result: 1 });
  expect(await rejection(session.finishCall(id, { result: 2 }))).toMatchObject({ code: "already_answered" });
  await team.finished();
  expect(await rejection(session.finishCall(id, { result: 3 }))).toMatchObject({ code: "already_answered" });
});

test("a result that comes before the tool has returned is kept for its call", async () => {
  const shown: string[] = [];
  let session: Session | null = null;
  const start = tool({
    inputSchema: anyInput,
    execute: async (_input: unknown, { toolCallId }) => {
      await session?.finishCall(toolCallId, { result: "at once" });
      return pending();
    },
  });
  await using tests = await startSystem({
    script: { A: askAndDeliver },
    agents: { it: { tools: { start, look: lookTool(shown) } } },
  });
  session = await tests.open();
  const team = await session.createTeam({ name: "T", members: [one("A", { agentType: "it" })] });
  expect(await team.finished()).toMatchObject({ outcome: "completed" });
  expect(shown[0]).toContain("at once");
});

test("after timeoutMs the call ends as an error, and its result comes too late", async () => {
  await using tests = await startJob({ timeoutMs: 5_000 });
  const { session, team, calls, shown, clock } = tests;
  await waits(session);
  expect(session.pendingCalls()[0]?.until).toBe(1_005_000);
  await clock.advance(5_000);
  await team.finished();
  expect(shown[0]).toContain("timeout: nobody finished this call from outside within 5000 ms");
  expect(await rejection(session.finishCall(calls[0] ?? "", { result: 1 }))).toMatchObject({
    code: "already_answered",
    data: { how: "timed_out" },
  });
  expect(session.alive).toEqual({ runs: 0, timers: 0 });
});

test("a lost run leaves the call waiting: the next one waits on, and the job is not started again", async () => {
  await using tests = await startJob({ timeoutMs: 60_000, note: "slow" });
  const { session, team, calls, shown, bus } = tests;
  await waits(session);
  await loseRun(bus, session, "A-t1");
  await until(
    () =>
      member(session, "A").activity === "waiting_external" &&
      session.state.members.get("A-t1")?.snapshot.context.run === 2,
  );
  expect(session.pendingCalls()).toMatchObject([{ call: calls[0], note: "slow", until: 1_060_000 }]);
  await session.finishCall(calls[0] ?? "", { result: "after all" });
  expect(await team.finished()).toMatchObject({ outcome: "completed" });
  expect(calls).toHaveLength(1);
  expect(shown[0]).toContain("after all");
  expect(shown[0]).not.toContain("interrupted");
});

test.each(["cancel", "dissolve"] as const)("a %s ends the call, and its result is told so", async (how) => {
  await using tests = await startJob();
  const { session, calls } = tests;
  await waits(session);
  if (how === "cancel") await session.replan({ cancel: ["A"] });
  else await session.dissolve({ mode: "abort" });
  expect(session.pendingCalls()).toEqual([]);
  expect(await rejection(session.finishCall(calls[0] ?? "", { result: 1 }))).toMatchObject({
    code: "already_answered",
    data: { how: "cancelled" },
  });
  await settle();
  expect(session.alive).toEqual({ runs: 0, timers: 0 });
});

test("a hosted lead waits for a call from outside as well", async () => {
  const { calls, start } = jobTool({ note: "approval of the budget" });
  await using tests = await startSystem({ script: { Lead: [call("start"), { text: "approved" }] } });
  const session = await tests.open({ lead: { tools: { start } } });
  const answer = session.send("Go.");
  await waits(session);
  expect(session.status().lead).toBe("waiting_external");
  expect(session.pendingCalls()).toMatchObject([{ member: "Lead", tool: "start", note: "approval of the budget" }]);
  await session.finishCall(calls[0] ?? "", { result: "yes" });
  expect(await answer).toBe("approved");
});

test("a function agent's call waits too, and gets the result itself", async () => {
  const { start } = jobTool();
  const run = async ({ tools }: { tools: Record<string, unknown> }) => {
    const { execute } = tools["start"] as typeof start;
    const got: unknown = await execute?.({}, { toolCallId: "mine", messages: [], context: undefined } as never);
    return { summary: String(got) };
  };
  await using tests = await startSystem({ agents: { it: { run, tools: { start } } } });
  const session = await tests.open();
  const team = await session.createTeam({ name: "T", members: [one("A", { agentType: "it" })] });
  await waits(session);
  expect(member(session, "A").activity).toBe("waiting_external");
  await session.finishCall("mine", { result: "from outside" });
  expect(await team.finished()).toMatchObject({ members: [{ summary: "from outside" }] });
});

test("a sub-agent can't wait for somebody outside, and is told so", async () => {
  const { start } = jobTool();
  const shown: string[] = [];
  const model = scriptedModel([call("start"), call("look"), { text: "done" }]);
  await using tests = await startSystem({
    script: { Lead: [call("task", { description: "d", prompt: "p", agentType: "it" }), { text: "done" }] },
    agents: { it: { tools: { start, look: lookTool(shown) }, model } },
  });
  const session = await tests.open({ lead: {} });
  expect(await session.send("Go.")).toBe("done");
  expect(shown[0]).toContain("a sub-agent can't wait for that");
  expect(session.pendingCalls()).toEqual([]);
});

test("a restart leaves the call waiting: the next owner's run waits on, and its result is journalled", async () => {
  const bus: Bus = { ...memoryBus(), kind: "sqlite" };
  let isDead = false;
  // The first process dies without a word, and its lease with it.
  const first: Bus = {
    ...bus,
    append: (append) => (isDead ? new Promise(() => {}) : bus.append(append)),
    follow: (filter, fromSeq) => bus.follow(filter, fromSeq).pipe(takeWhile(() => !isDead)),
    claims: { ...bus.claims, claim: async (key) => ({ key, owner: "first", epoch: 1 }) },
  };
  const claims: Bus["claims"] = { ...bus.claims, claim: async (key) => ({ key, owner: "second", epoch: 2 }) };
  const { calls: ids, start } = jobTool({ note: "the build", timeoutMs: 60_000 });
  const shown: string[] = [];
  const options = { script: { A: askAndDeliver }, agents: { it: { tools: { start, look: lookTool(shown) } } } };
  await using before = await startSystem({ ...options, bus: first });
  const session = await before.open({ id: "x" });
  await session.createTeam({ name: "T", members: [one("A", { agentType: "it" })] });
  await waits(session);
  isDead = true;
  await using after = await startSystem({ ...options, bus: { ...bus, claims } });
  const resumed = await after.open({ id: "x" });
  await until(() => member(resumed, "A").activity === "waiting_external");
  expect(resumed.pendingCalls()).toMatchObject([{ call: ids[0], note: "the build", until: 1_060_000 }]);
  await resumed.finishCall(ids[0] ?? "", { result: "built" });
  await until(() => resumed.status().state === "finished");
  expect([ids.length, shown.length]).toEqual([1, 1]);
  expect(shown[0]).toContain("built");
});

test("a recording replays the wait and the result, and is a path of the model; secrets in both are masked", async () => {
  const secret = `sk-proj-${"Qw3rTy9zXc".repeat(4)}`;
  const sink = keepLines();
  const { calls: ids, start } = jobTool({ note: `deploys with ${secret}`, timeoutMs: 60_000 });
  await using tests = await startSystem({
    script: { A: [call("start"), complete()] },
    agents: { it: { tools: { start } } },
  });
  const session = await tests.open({ onOpen: async (opened) => void (await opened.record(sink)) });
  const team = await session.createTeam({ name: "T", members: [one("A", { agentType: "it" })] });
  await waits(session);
  await session.finishCall(ids[0] ?? "", { result: { key: secret } });
  expect(await rejection(session.finishCall(ids[0] ?? "", { result: 2 }))).toMatchObject({ code: "already_answered" });
  await team.finished();
  await session.wake("Lead", { kind: "schedule", content: "now" });
  await session.close();
  expect(sink.lines.join("\n")).toContain("external.answer");
  expect(sink.lines.join("\n")).not.toContain(secret);
  expect((await replay(sink.lines)).truncated).toBeNull();
  expect((await checkRecording(sink.lines)).problems).toEqual([]);
});

test.each([
  [{ timeoutMs: -1 }, "timeoutMs"],
  [{ note: 7 }, "note"],
  [{ unknown: 1 }, "unknown"],
])("pending(%j) is refused with bad_input", (options, problem) => {
  expect(() => pending(options as never)).toThrow(
    expect.objectContaining({ code: "bad_input", message: expect.stringContaining(problem) as string }),
  );
});
