import { describe, expect, test } from "vitest";
import { defineAgent, type FunctionRun } from "../../../src/index.ts";
import { checkRecording, replay } from "../../../src/testing/index.ts";
import { fail, gate, one, rejection, settle, startSystem, until } from "../../support/sessions.ts";

const persistent = { lifetime: "persistent", agentType: "worker" } as const;
const boardOf = ({ board }: FunctionRun) => board ?? fail("no board");

describe("the board of a session", () => {
  test("R15 R17: members take tasks as they come, an idle one is woken, and a recording of it is a path of the model", async () => {
    const taken: string[] = [];
    const worker = defineAgent({
      async run(run) {
        const task = await boardOf(run).claim();
        if (task !== null) taken.push(`${run.name} #${task.task}`);
        return { summary: "done" };
      },
    });
    await using tests = await startSystem({ agents: { worker }, board: { selfClaim: true } });
    const session = await tests.open();
    const lines: string[] = [];
    const recording = await session.record({ write: (line) => (lines.push(line), null) });
    const team = await session.createTeam({ name: "T", members: [one("A", persistent), one("B", persistent)] });
    await team.finished();
    expect(await session.board.add({ subject: "first" })).toEqual({ task: 1, status: "pending" });
    await session.board.add({ subject: "second", dependsOn: [1] });
    const { tasks, outcome } = await team.finished();
    expect([outcome, tasks?.map(({ status, owner }) => `${status} ${owner}`)]).toEqual([
      "completed",
      ["completed A", "completed A"],
    ]);
    expect(taken).toEqual(["A #1", "A #2"]);
    await recording.close();
    expect((await replay(lines)).result?.tasks).toHaveLength(2);
    const { problems, path } = await checkRecording(lines);
    expect(problems).toEqual([]);
    expect(path).toContain("A takes a task");
    expect(tests.faults).toEqual([]);
  });

  test("R24: 24 idle hours beside tasks that nobody may take fire no timer and start no run", async () => {
    const worker = defineAgent({ run: () => ({ summary: "done" }) });
    await using tests = await startSystem({ agents: { worker } });
    const session = await tests.open();
    const team = await session.createTeam({
      name: "T",
      board: {},
      tasks: [{ subject: "nobody's" }],
      members: [one("A", persistent)],
    });
    expect((await team.finished()).state).toBe("stalled");
    const before = session.state.seq;
    expect(session.alive).toEqual({ runs: 0, timers: 0 });
    await tests.clock.advance(24 * 3_600_000);
    expect(session.state.seq).toBe(before);
  });

  test.each(["claim", "assignee"] as const)(
    "a task that the host gives a member (%s) is mail of a kind of its own",
    async (how) => {
      const held = gate();
      const worker = defineAgent({
        run: async ({ mail }) => {
          await held.promise;
          return { summary: (await mail.take()).map(({ kind, content }) => `${kind}: ${content}`).join() };
        },
      });
      await using tests = await startSystem({ agents: { worker }, board: {} });
      const session = await tests.open();
      const team = await session.createTeam({ name: "T", members: [one("A", { agentType: "worker" })] });
      await session.board.add({ subject: "fix it", ...(how === "assignee" && { assignee: "A" }) });
      if (how === "claim") await session.board.claim({ task: 1, owner: "A" });
      held.resolve();
      const { members } = await team.finished();
      expect(members[0]?.summary).toMatch(/^task_assignment: .*#1 fix it/u);
      expect(session.mail({ member: "A" }).mail).toMatchObject([
        { kind: "task_assignment", notice: "task_assigned", from: "system" },
      ]);
    },
  );

  test("R55: what the user does to tasks is recorded as the user's, and a hosted lead is told what fails", async () => {
    await using tests = await startSystem({
      board: {},
      script: { Lead: [{ text: "hello" }, { text: "seen" }], A: [{ hang: true }] },
    });
    const session = await tests.open({ lead: {} });
    await session.send("hi");
    await session.createTeam({ name: "T", tasks: [{ subject: "t" }], members: [one("A")] });
    const from: string[] = [];
    session.events$.subscribe(
      (line) => line.event.type.startsWith("task.") && from.push(`${line.event.type} ${line.from}`),
    );
    const task = await session.board.claim({ owner: "A" });
    expect(task).toMatchObject({ task: 1, subject: "t", status: "in_progress", owner: "A" });
    await session.board.update({ task: 1, status: "failed", note: "no" });
    expect(from.filter((each) => each.endsWith("user"))).toHaveLength(4);
    await until(() => session.answer === "seen");
    expect(session.status().tasks).toMatchObject([{ status: "failed", note: "no" }]);
  });

  test("bad input is refused with what is known, and without a team or a board it is said how to get one", async () => {
    const held = gate();
    const worker = defineAgent({ run: () => held.promise });
    await using tests = await startSystem({ agents: { worker } });
    const session = await tests.open();
    expect(() => session.board.list()).toThrow(/no team/);
    await session.createTeam({ name: "T", members: [one("A", { agentType: "worker" })] });
    expect(await rejection(session.board.add({ subject: "x" }))).toMatchObject({ code: "disabled" });
    expect(() => session.board.list()).toThrow(/Declare board or tasks/);
    expect(session.status().tasks).toBeUndefined();
    await session.dissolve({ mode: "abort" });
    await session.createTeam({ name: "T", board: {}, members: [one("A", { agentType: "worker" })] });
    // @ts-expect-error -- a subject is needed
    expect(await rejection(session.board.add({}))).toMatchObject({ code: "bad_input" });
    expect(await rejection(session.board.claim({ owner: "Ab" }))).toMatchObject({
      code: "unknown_member",
      data: { known: ["A"], nearest: "A" },
    });
    expect(await rejection(session.board.update({ task: 7, status: "completed" }))).toMatchObject({
      code: "unknown_task",
      data: { task: "#7", count: 0 },
    });
    held.resolve();
    await settle();
  });

  test("the board's tools stand behind the team's others, and only where there is a board", async () => {
    const names = async (board: object): Promise<readonly string[]> => {
      await using tests = await startSystem({ script: {} });
      const session = await tests.open({ lead: "own", ...board });
      return Object.keys(session.tools);
    };
    const six = [
      "team_create",
      "team_replan",
      "team_dissolve",
      "team_status",
      "team_send_message",
      "complete",
      "team_mail",
    ];
    expect(await names({})).toEqual(six);
    const four = ["team_task_add", "team_task_claim", "team_task_update", "team_task_list"];
    expect(await names({ board: {} })).toEqual([...six, ...four]);
  });

  test("seed tasks of an agent type are checked when the system is made", async () => {
    const worker = { run: () => {}, tasks: [{ subject: "a", assignee: "B" }] };
    const made = startSystem({ agents: { worker } });
    expect(await rejection(made)).toMatchObject({ code: "bad_input" });
  });
});

test("R16: where there is nothing to take a claim is null, whatever else is on the board", async () => {
  await using tests = await startSystem({ agents: { waits: { run: () => new Promise<never>(() => {}) } } });
  const session = await tests.open();
  const tasks = [{ subject: "first" }, { subject: "second", dependsOn: [1] }];
  await session.createTeam({ name: "T", tasks, members: [one("A", { agentType: "waits" })] });
  expect(await session.board.claim({ owner: "A" })).toMatchObject({ task: 1, owner: "A" });
  expect(await session.board.claim({ owner: "A" })).toBeNull();
});
