import { describe, expect, test } from "vitest";
import { memberOf } from "../driver.ts";
import { BoardDriver, boardTeam, replyOf } from "./board-driver.ts";

describe("taking tasks", () => {
  test("R15: the highest priority is taken first, then the lowest number, and null when there is none", () => {
    const driver = boardTeam(["A", "B"], [{}, { priority: 5 }, { priority: 5 }, { dependsOn: [1], priority: 9 }]);
    const taken = ["A", "A", "B", "B"].map((name) => replyOf(driver.take(name)));
    expect(taken).toEqual([2, 3, 1, null].map((task) => ({ type: "task_claimed", task })));
    expect(driver.board).toEqual(["#1 in_progress B", "#2 in_progress A", "#3 in_progress A", "#4 blocked"]);
  });

  test("R15: a blocked task is taken by no way, and named with what it waits for", () => {
    const driver = boardTeam(["A"], [{}, { dependsOn: [1] }]);
    expect(replyOf(driver.take("A", 2))).toEqual(["task_blocked"]);
    expect(replyOf(driver.take("user", 2, "A"))).toEqual(["task_blocked"]);
    expect(replyOf(driver.change({ task: 2, status: "completed" }))).toEqual(["task_blocked"]);
    expect(driver.board).toEqual(["#1 pending", "#2 blocked"]);
  });

  test("R15: a task has one owner: the second one is told whose it is, the same one may ask again", () => {
    const driver = boardTeam(["A", "B"], [{}]);
    driver.take("A", 1);
    expect(driver.take("B", 1).replies[0]?.reply).toMatchObject({
      refused: [{ code: "task_taken", data: { task: "#1", owner: "A" } }],
    });
    expect(replyOf(driver.take("user", 1, "B"))).toEqual(["task_taken"]);
    expect(replyOf(driver.change({ task: 1, status: "completed" }, "B"))).toEqual(["task_taken"]);
    expect(replyOf(driver.take("A", 1))).toEqual({ type: "task_claimed", task: 1 });
  });

  test("R17: without selfClaim a member takes what is assigned to it and nothing else", () => {
    const driver = boardTeam(["A", "B"], [{}, { assignee: "A" }], { board: {} });
    expect(replyOf(driver.take("A", 1))).toEqual(["permission_denied"]);
    expect(replyOf(driver.take("B", 2))).toEqual(["task_taken"]);
    expect(replyOf(driver.take("B"))).toEqual({ type: "task_claimed", task: null });
    expect(replyOf(driver.take("A"))).toEqual({ type: "task_claimed", task: 2 });
    expect(replyOf(driver.take("lead", 1, "B"))).toEqual({ type: "task_claimed", task: 1 });
  });

  test("R60: the owner is the caller; only the Lead and the user name another, and they must", () => {
    const driver = boardTeam(["A", "B"], [{}]);
    expect(replyOf(driver.take("A", 1, "B"))).toEqual(["permission_denied"]);
    expect(replyOf(driver.take("user", 1))).toEqual(["bad_input"]);
    expect(driver.take("user", 1, "Bb").replies[0]?.reply).toMatchObject({
      refused: [{ code: "unknown_member", data: { known: ["A", "B"], nearest: "B" } }],
    });
    expect(replyOf(driver.take("A", 1, "A"))).toEqual({ type: "task_claimed", task: 1 });
  });

  test("a task for one agent type goes to nobody else", () => {
    const driver = new BoardDriver();
    driver.create([memberOf("A"), memberOf("R", { agentType: "reviewer" })], {
      board: { selfClaim: true },
      tasks: [{ subject: "review", agentType: "reviewer" }],
    });
    expect(replyOf(driver.take("A"))).toEqual({ type: "task_claimed", task: null });
    expect(replyOf(driver.take("A", 1))).toEqual(["not_assignable"]);
    expect(replyOf(driver.take("R"))).toEqual({ type: "task_claimed", task: 1 });
  });

  test("nobody takes a task who can't work on it: blocked, delivering, failed, or with a plan to be approved", () => {
    const driver = boardTeam(["A", "B<-A", "C"], [{}]);
    expect(replyOf(driver.take("user", 1, "B"))).toEqual(["not_assignable"]);
    driver.fail("C");
    expect(replyOf(driver.take("user", 1, "C"))).toEqual(["not_assignable"]);
    driver.call("A", { type: "work.complete" });
    expect(replyOf(driver.take("user", 1, "A"))).toEqual(["not_assignable"]);
    const planning = new BoardDriver();
    planning.create([memberOf("P", { requirePlan: true })], { board: { selfClaim: true }, tasks: [{ subject: "t" }] });
    expect(replyOf(planning.take("P"))).toEqual(["not_assignable"]);
  });

  test("R20: a team without a board has none, and says how it gets one", () => {
    const driver = new BoardDriver();
    expect(replyOf(driver.add())).toEqual(["no_team"]);
    driver.create(["A"]);
    expect([replyOf(driver.add()), replyOf(driver.take("A")), replyOf(driver.change({ task: 1 }))]).toEqual([
      ["disabled"],
      ["disabled"],
      ["disabled"],
    ]);
    expect(driver.session.team?.board).toBeNull();
  });
});

describe("adding tasks", () => {
  test("R15 U03: dependencies, sizes, types and assignees are judged together and nothing is added", () => {
    const driver = boardTeam(["A"], [{}]);
    const applied = driver.add({
      subject: "x".repeat(300),
      description: "y".repeat(9_000),
      dependsOn: [1, 7],
      assignee: "Zed",
      agentType: "reviewr",
    });
    expect(replyOf(applied)).toEqual([
      "payload_too_large",
      "payload_too_large",
      "unknown_agent_type",
      "unknown_dependency",
      "unknown_member",
    ]);
    expect(driver.board).toEqual(["#1 pending"]);
  });

  test("U01: a task that waits for itself, or for one that waits for it, is a cycle with its path", () => {
    const driver = boardTeam(["A"], [{}, { dependsOn: [1] }]);
    expect(driver.add({ dependsOn: [3] }).replies[0]?.reply).toMatchObject({
      refused: [{ code: "cycle", data: { path: ["#3", "#3"] } }],
    });
    expect(driver.change({ task: 1, dependsOn: [2] }).replies[0]?.reply).toMatchObject({
      refused: [{ code: "cycle", data: { path: ["#1", "#2", "#1"] } }],
    });
    const cyclic = new BoardDriver();
    const tasks = [
      { subject: "a", dependsOn: [2] },
      { subject: "b", dependsOn: [1] },
    ];
    expect(replyOf(cyclic.create(["A"], { tasks }))).toEqual(["cycle"]);
    expect(cyclic.session.team).toBeNull();
  });

  test("R27: a board has room for tasksMax tasks, closed ones counted", () => {
    const driver = boardTeam(["A"], [{}], { session: { limits: { tasksMax: 2 } } });
    driver.change({ task: 1, status: "cancelled" });
    expect(replyOf(driver.add())).toMatchObject({ type: "task_added", task: 2 });
    expect(driver.add().replies[0]?.reply).toMatchObject({
      refused: [{ code: "too_many_tasks", data: { count: 3, tasksMax: 2 } }],
    });
  });

  test("a member adds tasks for all or for itself, and gives nobody else work", () => {
    const driver = boardTeam(["A", "B"]);
    expect(replyOf(driver.add({}, "A"))).toMatchObject({ task: 1, status: "pending" });
    expect(replyOf(driver.add({ assignee: "A" }, "A"))).toMatchObject({ task: 2 });
    expect(replyOf(driver.add({ assignee: "B" }, "A"))).toEqual(["permission_denied"]);
    expect(driver.notices("A")).toEqual([]);
  });

  test("a running member that is given a task is told of it, once for all", () => {
    const driver = boardTeam(["A", "B<-A"]);
    driver.add({ assignee: "A" });
    driver.add({ assignee: "A" });
    driver.add({ assignee: "B" });
    expect([driver.notices("A"), driver.notices("B")]).toEqual([["task_assigned"], ["task_assigned"]]);
  });
});
