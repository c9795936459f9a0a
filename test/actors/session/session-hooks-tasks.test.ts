import { expect, test } from "vitest";
import { defineAgent, type FunctionRun, type TaskCreatedEvent, type TeamHooks } from "../../../src/index.ts";
import { checkRecording, replay } from "../../../src/testing/index.ts";
import {
  call,
  complete,
  fail,
  gate,
  lookTool,
  member,
  one,
  rejection,
  startSystem,
  until,
} from "../../support/sessions.ts";

const waits = defineAgent({ run: () => new Promise<never>(() => {}) });
const boardOf = ({ board }: FunctionRun) => board ?? fail("no board");

/** Says no to subjects that say so; keeps what it was told. */
function strict(): { readonly told: Omit<TaskCreatedEvent, "signal">[]; readonly hooks: TeamHooks } {
  const told: Omit<TaskCreatedEvent, "signal">[] = [];
  const onTaskCreated = ({ signal: _signal, ...event }: TaskCreatedEvent) => {
    told.push(event);
    const { subject } = event.task;
    if (subject.startsWith("stop")) return { stop: `not ${subject}` };
    return subject.startsWith("no") ? { block: `Say more than "${subject}".` } : null;
  };
  return { told, hooks: { onTaskCreated } };
}

test("R53 onTaskCreated: a task of the host that is blocked never comes to be, and the next one is told whole", async () => {
  const { told, hooks } = strict();
  await using tests = await startSystem({ hooks, board: {}, agents: { waits } });
  const session = await tests.open({ id: "s" });
  await session.createTeam({ name: "T", members: [one("A", { agentType: "waits" })] });
  expect(await rejection(session.board.add({ subject: "no" }))).toMatchObject({
    code: "hook_refused",
    data: { tool: "team_task_add", feedback: 'Say more than "no".' },
  });
  expect(await rejection(session.board.add({ subject: "stop" }))).toMatchObject({ data: { feedback: "not stop" } });
  const task = { subject: "fix", description: "all of it", priority: 2, assignee: "A", agentType: "waits" };
  expect(await session.board.add({ ...task, dependsOn: [] })).toMatchObject({ task: 1 });
  expect(session.board.list().map(({ subject }) => subject)).toEqual(["fix"]);
  expect(told.at(-1)).toEqual({
    session: "s",
    team: "T",
    from: "Lead",
    task: { ...task, dependsOn: [], origin: "added" },
  });
});

test("R53 onTaskCreated: a member's model reads the feedback and adds a better one", async () => {
  const { told, hooks } = strict();
  const shown: string[] = [];
  await using tests = await startSystem({
    board: {},
    agents: { general: { hooks, tools: { look: lookTool(shown) } } },
    script: {
      A: [
        call("team_task_add", { subject: "no" }),
        call("look"),
        call("team_task_add", { subject: "fix" }),
        complete(),
      ],
    },
  });
  const session = await tests.open();
  await session.createTeam({ name: "T", members: [one("A")] });
  await until(() => member(session, "A").status === "completed");
  expect(shown[0]).toContain("HOOK_REFUSED: team_task_add was not let through");
  expect(session.board.list()).toMatchObject([{ subject: "fix", addedBy: "A" }]);
  expect(told.map(({ from, task }) => `${from} ${task.subject}`)).toEqual(["A no", "A fix"]);
});

test("R53 onTaskCreated: a stop ends the member that adds, with nothing on the board", async () => {
  const { hooks } = strict();
  const worker = defineAgent({
    run: async (run) => {
      await boardOf(run).add({ subject: "stop here" });
      return { summary: "never" };
    },
  });
  await using tests = await startSystem({ hooks, board: {}, agents: { worker } });
  const session = await tests.open();
  const team = await session.createTeam({ name: "T", members: [one("A", { agentType: "worker" })] });
  expect(await team.finished()).toMatchObject({ state: "stalled", tasks: [] });
  expect(member(session, "A").reason).toBe("interrupted: stopped by onTaskCreated: not stop here");
});

test("R53 onTaskCreated: tasks of a team and seed tasks are asked about together, and one no refuses the team whole", async () => {
  const { told, hooks } = strict();
  const agents = {
    general: waits,
    builder: { ...waits, tasks: [{ subject: "seed" }, { subject: "no seed", dependsOn: [1] }] },
  };
  await using tests = await startSystem({ hooks, agents });
  const session = await tests.open();
  const members = [one("A", { agentType: "builder" })];
  const tasks = [{ subject: "no one" }, { subject: "fine", dependsOn: [1] }];
  expect(await rejection(session.createTeam({ name: "T", tasks, members }))).toMatchObject({
    code: "hook_refused",
    data: { tool: "team_create", feedback: '"no one": Say more than "no one"; "no seed": Say more than "no seed"' },
  });
  expect([session.team, session.alive.runs]).toEqual([null, 0]);
  expect(told.map(({ team, task }) => [team, task.subject, task.origin, task.dependsOn, task.assignee])).toEqual([
    ["T", "no one", "declared", [], null],
    ["T", "fine", "declared", [1], null],
    ["T", "seed", "seed", [], "A"],
    ["T", "no seed", "seed", [3], "A"],
  ]);
  await session.createTeam({ name: "T", members: [one("B", { agentType: "general" })] });
  const { revision } = session.status();
  expect(await rejection(session.replan({ add: members }))).toMatchObject({
    code: "hook_refused",
    data: { tool: "team_replan" },
  });
  expect(session.status()).toMatchObject({ revision, members: [{ name: "B" }] });
});

test("R53 onTaskCreated: a hosted lead's team is refused to its model; a lead of one's own is asked about too", async () => {
  const { told, hooks } = strict();
  const declared = { name: "T", members: [{ name: "A", agentType: "builder", prompt: "p" }] };
  await using tests = await startSystem({
    hooks,
    agents: { general: waits, builder: { ...waits, tasks: [{ subject: "no" }] } },
    script: { Lead: [call("team_create", declared), { text: "refused" }] },
  });
  const hosted = await tests.open({ lead: {} });
  expect(await hosted.send("go")).toBe("refused");
  expect(hosted.team).toBeNull();
  const own = await tests.open({ lead: "own" });
  const answer = await own.tools["team_create"]?.execute?.(declared, { toolCallId: "c", messages: [], context: {} });
  expect(JSON.stringify(answer)).toContain("HOOK_REFUSED: team_create was not let through");
  expect(told.map(({ from }) => from)).toEqual(["Lead", "Lead"]);
});

test("R53 onTaskCreated: is bounded, fails as its host says, and what it said is in the log", async () => {
  const asked = gate();
  const hooks: TeamHooks = {
    onFailure: "block",
    onTaskCreated: ({ task }) => {
      if (task.subject === "fix") return null;
      asked.resolve();
      return new Promise<never>(() => {});
    },
  };
  await using tests = await startSystem({ hooks, board: {}, agents: { waits }, limits: { hookMs: 500 } });
  const session = await tests.open();
  const lines: string[] = [];
  const recording = await session.record({ write: (line) => (lines.push(line), null) });
  await session.createTeam({ name: "T", members: [one("A", { agentType: "waits" })] });
  const late = rejection(session.board.add({ subject: "slow" }));
  await asked.promise;
  await tests.clock.advance(500);
  expect(await late).toMatchObject({ code: "hook_refused" });
  await session.board.add({ subject: "fix" });
  expect(tests.faults).toMatchObject([{ code: "bad_input", message: expect.stringContaining("hooks.onTaskCreated") }]);
  await recording.close();
  expect((await replay(lines)).result?.tasks).toHaveLength(1);
  const { problems, path } = await checkRecording(lines);
  expect([problems, path.filter((name) => name.includes("hook"))]).toEqual([
    [],
    ["user adds a task, and a hook says no"],
  ]);
});

test("R53 onMessage: a live actor and the user's page are asked about as sendMessage is", async () => {
  const told: string[] = [];
  const hooks: TeamHooks = {
    onMessage: ({ from, content }) => {
      told.push(`${from} ${content}`);
      return { block: "quiet" };
    },
  };
  await using tests = await startSystem({ hooks, agents: { waits } });
  const session = await tests.open();
  await session.createTeam({ name: "T", members: [one("A", { agentType: "waits" })] });
  session.actor("A")?.send({ type: "message.send", content: "live" } as never);
  await until(() => tests.faults.length > 0);
  expect(tests.faults).toMatchObject([{ code: "hook_refused" }]);
  const page = session.inspection.commands.sendMessage({ to: "A", content: "page" });
  expect(await rejection(page)).toMatchObject({ code: "hook_refused", data: { feedback: "quiet" } });
  expect(told).toEqual(["Lead live", "user page"]);
  expect(session.status().messages).toMatchObject({ accepted: 0, refused: 2 });
});
