import { expect, test } from "vitest";
import type { TaskStatus } from "../../../src/protocol/index.ts";
import { toolBlocks, toolsOfTeam } from "../../../src/tools/team/index.ts";
import { RecordingPort } from "./recording-port.ts";

const blocks = toolBlocks({ agentTypes: [{ name: "general" }] });
const task = (id: number, more: Partial<TaskStatus> = {}): TaskStatus => ({
  task: id,
  subject: `task ${id}`,
  description: "all of it",
  status: "pending",
  priority: 0,
  dependsOn: [],
  waitingOn: [],
  addedBy: "Lead",
  since: 1,
  ...more,
});

/** What a tool answers to an input as a model gives it. */
async function ask(port: RecordingPort, name: string, input: unknown): Promise<unknown> {
  const tool = toolsOfTeam(port, blocks, true)[name];
  return tool?.execute?.(input as never, { toolCallId: "c1", messages: [], context: undefined as never });
}

test("a block without a board is the same bytes as ever, and team_create knows no tasks", () => {
  const [plain, board] = [
    toolsOfTeam(new RecordingPort(), blocks, false),
    toolsOfTeam(new RecordingPort(), blocks, true),
  ];
  expect(JSON.stringify(plain)).not.toContain("task_");
  expect(JSON.stringify(blocks.plain.create)).not.toContain("tasks");
  expect(Object.keys(board).slice(0, 7)).toEqual(Object.keys(plain));
});

test("a claim gives the whole task, and null when there is none", async () => {
  const port = new RecordingPort("member");
  port.board = [task(1), task(2), task(3, { status: "in_progress", owner: "Ann" })];
  expect(await ask(port, "team_task_claim", {})).toEqual({ task: port.board[2] });
  expect(port.commands).toEqual([{ type: "task.claim", task: null, owner: null }]);
  port.reply = { ok: { type: "task_claimed", task: null } };
  expect(await ask(port, "team_task_claim", { task: "2" })).toEqual({ task: null });
});

test("a change says what is meant; unassign leaves a task to all", async () => {
  const port = new RecordingPort();
  expect(await ask(port, "team_task_update", { task: 3, status: "completed", note: "" })).toEqual({
    task: 3,
    status: "completed",
    unblocked: [4],
  });
  await ask(port, "team_task_update", { task: 3, unassign: true });
  expect(port.commands).toEqual([
    { type: "task.update", change: { task: 3, status: "completed" } },
    { type: "task.update", change: { task: 3, assignee: null } },
  ]);
  expect(await ask(port, "team_task_update", { task: 3, status: "in_progress" })).toMatch(/^BAD_INPUT: status/);
});

test("a list shows open tasks first, without descriptions, and one task whole", async () => {
  const port = new RecordingPort("member");
  port.board = [
    task(1, { status: "completed", owner: "Ann" }),
    task(2, { priority: 1 }),
    task(3, { priority: 2 }),
    task(4, { status: "blocked", dependsOn: [2], waitingOn: [2], assignee: "Ann" }),
  ];
  const list = (await ask(port, "team_task_list", {})) as { counts: object; tasks: TaskStatus[] };
  expect(list.counts).toEqual({ pending: 2, blocked: 1, completed: 1 });
  expect(list.tasks.map((each) => each.task)).toEqual([3, 2, 4, 1]);
  expect(list.tasks[0]).not.toHaveProperty("description");
  const own = (await ask(port, "team_task_list", { owner: "ann" })) as { tasks: TaskStatus[] };
  expect(own.tasks.map((each) => each.task)).toEqual([4, 1]);
  expect(await ask(port, "team_task_list", { task: 4 })).toMatchObject({ tasks: [port.board[3]] });
  expect(await ask(port, "team_task_list", { task: 9 })).toMatch(
    /^UNKNOWN_TASK: there is no task #9; the board has 4\./,
  );
});

test("without a board a list is refused with how to get one", async () => {
  expect(await ask(new RecordingPort(), "team_task_list", {})).toMatch(/^DISABLED: the task board is off\./);
});
