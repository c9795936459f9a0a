import { describe, expect, test } from "vitest";
import { fromCheckpoint, toCheckpoint } from "../../../src/machines/kernel/checkpoint.ts";
import { memberOf } from "../driver.ts";
import { BoardDriver, boardTeam, replyOf } from "./board-driver.ts";

describe("what becomes of an owner's tasks", () => {
  test("a member that delivers completes what it works on, and what waited for that is free", () => {
    const driver = boardTeam(["A", "B"], [{}, { dependsOn: [1] }]);
    driver.take("A", 1);
    driver.complete("A");
    expect(driver.board).toEqual(["#1 completed A", "#2 pending"]);
  });

  test.each([
    ["release", "#1 pending"],
    ["fail", "#1 failed A"],
  ] as const)(
    "R16: onOwnerGone %s: a failed, cancelled or shut-down owner leaves no task behind",
    (onOwnerGone, first) => {
      const ends: ((driver: BoardDriver) => void)[] = [
        (driver) => void driver.fail("A"),
        (driver) => void driver.replan({ cancel: ["A"] }),
        (driver) => {
          driver.replan({ shutdown: ["A"] });
          driver.run("A", "shutdown.replied", { accept: true, reason: "" });
        },
        (driver) => [1, 2, 3].forEach(() => driver.lose("A")),
      ];
      for (const end of ends) {
        const driver = boardTeam(["A", "B"], [{}, { dependsOn: [1] }], { board: { selfClaim: true, onOwnerGone } });
        driver.take("A", 1);
        end(driver);
        expect(driver.board).toEqual([first, "#2 blocked"]);
      }
    },
  );

  test("a failed task tells the Lead why, and the team is not finished until somebody decides", () => {
    const driver = boardTeam(["A", "B"], [{}], { session: { lead: "hosted" } });
    driver.take("A", 1);
    driver.change({ task: 1, status: "failed", note: "the disk is full" }, "A");
    const [notice] = driver.session.lead.unread;
    expect([notice?.notice, notice?.reason]).toEqual(["task_failed", "#1 task 1: the disk is full"]);
    driver.complete("A");
    driver.complete("B");
    expect(driver.team()).toBe("stalled");
    driver.change({ task: 1, status: "cancelled" });
    expect(driver.team()).toBe("finished");
  });

  test("R43: a team is finished with no open task only; stalled when all rest beside one", () => {
    const driver = boardTeam(["A"], [{}]);
    driver.complete("A");
    expect(driver.team()).toBe("stalled");
    driver.change({ task: 1, status: "completed", note: "did it myself" });
    expect(driver.team()).toBe("finished");
    driver.add();
    expect(driver.team()).toBe("stalled");
  });

  test("a completed persistent member that works on a task keeps the team running", () => {
    const driver = boardTeam(["A!"]);
    driver.complete("A");
    expect(driver.team()).toBe("finished");
    driver.add();
    expect([driver.team(), driver.state("A")]).toEqual(["running", "completed/running/thinking"]);
    driver.inject("A");
    driver.take("A");
    driver.change({ task: 1, status: "completed" }, "A");
    expect(driver.team()).toBe("finished");
  });

  test("a follow-up turn that fails gives its task back, and its member is not woken for it again", () => {
    const driver = boardTeam(["A!"]);
    driver.complete("A");
    driver.add();
    driver.inject("A");
    driver.take("A");
    driver.fail("A");
    expect([driver.board, driver.state("A"), driver.team()]).toEqual([["#1 pending"], "completed/idle", "stalled"]);
  });

  test("a function that returns from a follow-up turn has done its task, whether or not it read why it was woken", () => {
    const driver = boardTeam(["A!"]);
    driver.run("A", "run.completed", {});
    driver.add();
    driver.take("A");
    driver.run("A", "run.completed", {});
    expect([driver.board, driver.state("A"), driver.team()]).toEqual([
      ["#1 completed A"],
      "completed/idle",
      "finished",
    ]);
  });

  test("whoever replaces a member takes over its tasks, and nobody waits for one that was cancelled", () => {
    const driver = boardTeam(["A", "B"], [{}, { assignee: "A" }, { assignee: "B" }], { board: {} });
    driver.take("lead", 1, "A");
    driver.replan({ add: [{ name: "C", prompt: "p", replaces: "A" }], cancel: ["B"] });
    expect(driver.board).toEqual(["#1 pending (C)", "#2 pending (C)", "#3 pending"]);
    expect(driver.notices("C")).toEqual(["task_assigned"]);
  });

  test("seed tasks of an agent type come with each of its members, assigned to it, and make a board", () => {
    const driver = seeded();
    driver.create([memberOf("A", { agentType: "seeder" }), memberOf("B")], { tasks: [{ subject: "first" }] });
    expect(driver.board).toEqual(["#1 pending", "#2 pending (A)", "#3 blocked (A)"]);
    driver.replan({ add: [{ name: "S", prompt: "p", agentType: "seeder" }] });
    expect(driver.board.slice(3)).toEqual(["#4 pending (S)", "#5 blocked (S)"]);
    driver.replan({ add: [{ name: "T", prompt: "p", agentType: "seeder", replaces: "S" }] });
    expect(driver.board.slice(3)).toEqual(["#4 pending (T)", "#5 blocked (T)"]);
  });

  test("seed tasks count against tasksMax: a plan that brings too many is refused whole", () => {
    const driver = seeded(3);
    driver.create([memberOf("A", { agentType: "seeder" })]);
    expect(replyOf(driver.replan({ add: [{ name: "S", prompt: "p", agentType: "seeder" }] }))).toEqual([
      "too_many_tasks",
    ]);
    expect(driver.board).toHaveLength(2);
  });

  test("a dissolve closes what is open, and what was done stays done", () => {
    const driver = boardTeam(["A", "B"], [{}, {}, { dependsOn: [2] }]);
    driver.take("A", 1);
    driver.change({ task: 1, status: "completed" }, "A");
    driver.take("B", 2);
    driver.dissolve("abort");
    expect(driver.board).toEqual(["#1 completed A", "#2 cancelled B", "#3 cancelled"]);
    expect(replyOf(driver.add())).toEqual(["team_dissolved"]);
  });

  test("a board survives a checkpoint", () => {
    const driver = boardTeam(
      ["A!", "B"],
      [
        { assignee: "A", description: "d" },
        { dependsOn: [1], priority: -3 },
      ],
    );
    driver.complete("A");
    const stored: unknown = JSON.parse(JSON.stringify(toCheckpoint(driver.session)));
    expect(fromCheckpoint(stored, driver.kernel)).toEqual(driver.session);
  });
});

/** A session with an agent type that brings two tasks. */
function seeded(tasksMax = 100): BoardDriver {
  const driver = new BoardDriver({ limits: { tasksMax } });
  const { config } = driver.session;
  if (config === null) throw new Error("no session");
  const tasks = [
    { subject: "read", dependsOn: [], priority: 0 },
    { subject: "write", dependsOn: [1], priority: 0 },
  ];
  const agentTypes = [...config.agentTypes, { name: "seeder", kind: "model" as const, tasks }];
  driver.session = { ...driver.session, config: { ...config, agentTypes } };
  return driver;
}
