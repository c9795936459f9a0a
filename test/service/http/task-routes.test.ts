import { expect, test } from "vitest";
import { createRecordingService } from "../../../src/service/recording-service.ts";
import { createKernel, type SessionState } from "../../../src/machines/index.ts";
import { gate, one, until } from "../../support/sessions.ts";
import { httpService } from "../../support/http-service.ts";

/** A session of a team with a board, whose members rest until they get a task, and then work until `release` resolves. */
async function withBoard(options: object = { control: true }) {
  const release = gate();
  const slow = { run: async () => (await release.promise, { summary: "done" }) };
  const on = await httpService(options, { agents: { slow } });
  const session = await on.system.openSession({ id: "s", lead: "own" });
  await session.createTeam({
    name: "T",
    tasks: [
      { subject: "parse", description: "all of it", priority: 2 },
      { subject: "print", dependsOn: [1] },
    ],
    members: [one("A", { agentType: "slow" }), one("B", { agentType: "slow" })],
  });
  await until(() => session.status().members.every(({ presence }) => presence === "running"));
  return { ...on, session, release };
}

const refusal = async (response: Response) => [response.status, ((await response.json()) as { code: string }).code];

test("the board is listed, added to, given out and changed, and every change is the user's", async () => {
  const { session, json, post } = await withBoard();
  const senders: string[] = [];
  session.events$.subscribe(({ step, from, event }) => {
    if (step === 0 && event.type.startsWith("task.")) senders.push(`${from} ${event.type}`);
  });
  expect(await json("/api/sessions/s/tasks")).toMatchObject({
    tasks: [
      { task: 1, subject: "parse", description: "all of it", status: "pending", priority: 2, waitingOn: [] },
      { task: 2, subject: "print", status: "blocked", waitingOn: [1] },
    ],
  });
  const added = await post("/api/sessions/s/tasks", { subject: "ship", dependsOn: [2], assignee: "B" });
  expect(await added.json()).toEqual({ task: 3, status: "blocked" });
  // Without a number it is the next one that the member may do.
  const given = await post("/api/sessions/s/tasks/claim", { owner: "A" });
  expect(await given.json()).toMatchObject({ task: { task: 1, owner: "A", status: "in_progress" } });
  expect(await (await post("/api/sessions/s/tasks/claim", { owner: "B" })).json()).toEqual({ task: null });
  const done = await post("/api/sessions/s/tasks/1", { status: "completed", note: "parses" });
  expect(await done.json()).toEqual({ task: 1, status: "completed", unblocked: [2] });
  expect(senders).toEqual(["user task.add", "user task.claim", "user task.claim", "user task.update"]);
  expect(session.board.list().map(({ status, note }) => [status, note])).toEqual([
    ["completed", "parses"],
    ["pending", undefined],
    ["blocked", undefined],
  ]);
});

test("what can't be done with a task is refused with its status and code, and changes nothing", async () => {
  const { session, post } = await withBoard();
  const before = session.board.list();
  const refused = async (path: string, body: object) => refusal(await post(`/api/sessions/s/tasks${path}`, body));
  expect(await refused("/claim", { owner: "A", task: 2 })).toEqual([409, "task_blocked"]);
  expect(await refused("/claim", { owner: "Xi", task: 1 })).toEqual([400, "unknown_member"]);
  expect(await refused("/9", { status: "completed" })).toEqual([404, "unknown_task"]);
  expect(await refused("/one", { status: "completed" })).toEqual([400, "bad_input"]);
  expect(await refused("/1", { stauts: "completed" })).toEqual([400, "bad_input"]);
  expect(await refused("", { subject: "x", dependsOn: [7] })).toEqual([400, "unknown_dependency"]);
  expect(await refused("", { subject: " " })).toEqual([400, "bad_input"]);
  expect(session.board.list()).toEqual(before);
});

test("a board may be looked at read-only, and not be changed; a team without one says so", async () => {
  const { session, ask, post } = await withBoard({});
  expect((await ask("/api/sessions/s/tasks")).status).toBe(200);
  for (const path of ["", "/claim", "/1"])
    expect(await refusal(await post(`/api/sessions/s/tasks${path}`, { subject: "x" }))).toEqual([
      403,
      "permission_denied",
    ]);
  expect(session.board.list()).toHaveLength(2);
  const { system, ask: askOther } = await httpService();
  const other = await system.openSession({ id: "s" });
  expect(await refusal(await askOther("/api/sessions/s/tasks"))).toEqual([404, "no_team"]);
  await other.createTeam({ name: "T", members: [one("A", { agentType: "echo" })] });
  expect(await refusal(await askOther("/api/sessions/s/tasks"))).toEqual([503, "disabled"]);
});

test("secrets in tasks are hidden from whoever looks", async () => {
  const { session, json, post } = await withBoard({ control: true, redact: { secrets: ["hunter2-hunter2"] } });
  await session.board.add({ subject: "log in with hunter2-hunter2" });
  expect(JSON.stringify(await json("/api/sessions/s/tasks"))).not.toContain("hunter2-hunter2");
  const given = await post("/api/sessions/s/tasks/claim", { owner: "A", task: 3 });
  expect(await given.text()).not.toContain("hunter2-hunter2");
});

test("a recording has its board, and takes no commands", async () => {
  const { session } = await withBoard();
  const { steppers } = createKernel();
  const state: SessionState = session.state;
  const service = createRecordingService(
    {
      id: "s",
      lines: [],
      inputs: [],
      checkpoint: null,
      violation: null,
      bodies: new Map(),
      state,
      facts: steppers.facts,
    },
    { auth: "host" },
  );
  const answer = await service.fetch(new Request("http://localhost/api/sessions/s/tasks"));
  expect(await answer.json()).toEqual({ tasks: session.board.list() });
  const headers = { "content-type": "application/json", "x-teamchart": "1" };
  const post = new Request("http://localhost/api/sessions/s/tasks", { method: "POST", headers, body: "{}" });
  expect((await service.fetch(post)).status).toBe(403);
  await service.close();
});
