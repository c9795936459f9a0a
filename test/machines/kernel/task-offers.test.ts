import { expect, test } from "vitest";
import type { Applied } from "../../../src/machines/index.ts";
import { memberOf } from "../driver.ts";
import { BoardDriver, boardTeam, replyOf } from "./board-driver.ts";

/** A board with idle members that have delivered. */
const idle = (members: readonly string[], more: Parameters<typeof boardTeam>[2] = {}): BoardDriver => {
  const driver = boardTeam(
    members.map((name) => `${name}!`),
    [],
    more,
  );
  for (const name of members) driver.complete(name);
  return driver;
};
const running = (driver: BoardDriver, members: readonly string[]) =>
  members.filter((name) => driver.state(name).includes("running"));
const all = ["A", "B", "C"];

test("R24: one idle member is woken for a new task, not all of them", () => {
  const driver = idle(all);
  driver.add();
  expect(running(driver, all)).toEqual(["A"]);
  driver.add();
  expect(running(driver, all)).toEqual(["A", "B"]);
});

test("R24: a member that rests without the task is not woken for it again; the next one is asked, and then nobody", () => {
  const driver = idle(all);
  driver.add();
  for (const [name, next] of [
    ["A", ["B"]],
    ["B", ["C"]],
    ["C", []],
  ] as const) {
    driver.inject(name);
    driver.endTurn(name);
    expect(running(driver, all)).toEqual(next);
  }
  expect(driver.team()).toBe("stalled");
});

test("a task that comes free again, or becomes another one, is a new need", () => {
  const driver = idle(["A"]);
  driver.add();
  driver.inject("A");
  driver.endTurn("A");
  driver.change({ task: 1, priority: 3 });
  expect(running(driver, all.slice(0, 1))).toEqual([]);
  driver.change({ task: 1, description: "easier than it looked" });
  expect(driver.state("A")).toContain("running");
});

test("an unblocked task wakes somebody within the input that unblocks it", () => {
  const driver = boardTeam(["W", "A!"], [{}, { dependsOn: [1] }]);
  driver.take("W", 1);
  driver.complete("A");
  expect(driver.state("A")).toBe("completed/idle");
  driver.complete("W");
  expect([driver.board[1], driver.state("A")]).toEqual(["#2 pending", "completed/running/thinking"]);
});

test("nobody is woken for a task that it may not take", () => {
  const driver = new BoardDriver();
  driver.create([memberOf("A!"), memberOf("R!", { agentType: "reviewer" })], { board: { selfClaim: true } });
  driver.complete("A");
  driver.complete("R");
  driver.add({ agentType: "reviewer" });
  expect([driver.state("A"), driver.state("R")]).toEqual(["completed/idle", "completed/running/thinking"]);
  const assigned = idle(["A", "B"], { board: {} });
  assigned.add();
  expect(running(assigned, all.slice(0, 2))).toEqual([]);
  assigned.add({ assignee: "B" });
  expect(running(assigned, all.slice(0, 2))).toEqual(["B"]);
  const cancelled = boardTeam(["A!", "B"], []);
  cancelled.replan({ cancel: ["A"] });
  cancelled.add();
  expect(cancelled.state("A")).toBe("cancelled/idle");
});

test("a member that is given a task is woken for it, and told when it is taken away", () => {
  const driver = idle(["A"]);
  driver.add({ assignee: "A" });
  driver.inject("A");
  driver.endTurn("A");
  driver.take("lead", 1, "A");
  expect([driver.board, driver.notices("A")]).toEqual([["#1 in_progress A (A)"], ["task_assigned"]]);
  driver.inject("A");
  driver.change({ task: 1, status: "cancelled" });
  expect(driver.notices("A")).toEqual(["task_withdrawn"]);
});

test("whoever gives a task back is not woken for it, others are", () => {
  const driver = idle(["A", "B"]);
  driver.add();
  driver.inject("A");
  driver.take("A", 1);
  driver.change({ task: 1, status: "pending" }, "A");
  driver.endTurn("A");
  expect(running(driver, all.slice(0, 2))).toEqual(["B"]);
});

test("updates: the owner says how it went, the Lead changes everything, and a closed task is opened again by it alone", () => {
  const driver = boardTeam(["A"], [{}, { dependsOn: [1] }]);
  expect(replyOf(driver.change({ task: 1, status: "completed" }, "A"))).toEqual(["permission_denied"]);
  driver.take("A", 1);
  expect(replyOf(driver.change({ task: 1, priority: 4 }, "A"))).toEqual(["permission_denied"]);
  expect(replyOf(driver.change({ task: 1, status: "cancelled" }, "A"))).toEqual(["permission_denied"]);
  expect(replyOf(driver.change({ task: 1, status: "completed", note: "done" }, "A"))).toEqual({
    type: "task_updated",
    task: 1,
    status: "completed",
    unblocked: [2],
  });
  expect(replyOf(driver.change({ task: 1, status: "pending" }, "A"))).toEqual(["task_closed"]);
  expect(replyOf(driver.change({ task: 1, subject: "other" }))).toEqual(["task_closed"]);
  expect(replyOf(driver.change({ task: 1, status: "pending" }))).toMatchObject({ status: "pending" });
  expect(driver.board).toEqual(["#1 pending", "#2 blocked"]);
  expect(replyOf(driver.change({ task: 9 }))).toEqual(["unknown_task"]);
  expect(replyOf(driver.change({ task: 2, dependsOn: [] }))).toMatchObject({ status: "pending" });
});

test("R25: what told of a task and is told anew, or had its turn, is accounted for: no mail is gone without a word", () => {
  const driver = boardTeam(["A!", "B!"]);
  const facts: string[] = [];
  const note = (applied: Applied) =>
    facts.push(...applied.mail.map((fact) => `${fact.type} ${"ids" in fact ? fact.ids.length : 1}`));
  for (const assignee of ["A", "A"]) note(driver.add({ assignee }));
  expect(facts).toEqual(["accepted 1", "replaced 1", "accepted 1"]);
  facts.length = 0;
  note(driver.run("A", "run.completed", {}));
  expect(facts).toContain("delivered 1");
});
