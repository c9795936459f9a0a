import { describe, expect, test } from "vitest";
import type { Plan } from "../../../src/protocol/plan.ts";
import { ReplanSpec, TeamSpec } from "../../../src/protocol/spec.ts";
import { TaskSpec } from "../../../src/protocol/task.ts";
import { codesOf, Driver } from "../driver.ts";

const open = (member: string, options: ConstructorParameters<typeof Driver>[0] = {}): Driver => {
  const driver = new Driver(options);
  driver.create([member, "B"]);
  return driver;
};
const feedback = "name a file";
const onIdle = { hook: { on: "idle", feedback } } as const;
const onComplete = { hook: { on: "complete", feedback } } as const;
const stop = { reason: "interrupted: stopped by onComplete: enough", stop: true } as const;
const unread = (driver: Driver, name: string) =>
  driver.member(name).unread.map(({ kind, notice, reason }) => [kind, notice, reason]);

describe("a hook that does not let a command pass", () => {
  test("R53: a complete is refused with the feedback, and its member goes on", () => {
    const driver = open("A");
    const applied = driver.call("A", { type: "work.complete", hook: { feedback } });
    expect(applied.verdict).toBe("refused");
    expect(applied.replies[0]?.reply).toEqual({
      refused: [{ code: "hook_refused", data: { tool: "complete", feedback } }],
    });
    expect(driver.state("A")).toBe("in_progress/running/tool");
    expect(codesOf(driver.call("A", { type: "work.complete" }))).toBe("ok");
  });

  test("what is wrong anyway is told before what a hook says", () => {
    const driver = open("A!");
    driver.complete("A");
    driver.send("A");
    expect(codesOf(driver.call("A", { type: "work.complete", hook: { feedback } }))).toEqual(["already_completed"]);
  });

  test("R53: a message is refused, reaches nobody, and counts as refused", () => {
    const driver = open("A");
    const event = { type: "message.send", to: "B", kind: "text", bytes: 1, hook: { feedback } } as const;
    expect(codesOf(driver.call("A", event))).toEqual(["hook_refused"]);
    expect(driver.member("B").unread).toEqual([]);
    expect(driver.session.mail).toMatchObject({ accepted: 0, refused: 1 });
  });

  test("R53: a task, a team and a replan are refused whole", () => {
    const driver = open("A");
    const { revision } = driver.session;
    const refused = (event: Parameters<Driver["command"]>[0], plan: Plan) => {
      const [reply] = driver.command(event, { from: "user", plan }).replies;
      return reply?.reply;
    };
    const hook = { feedback };
    const answer = (tool: string) => ({ refused: [{ code: "hook_refused", data: { tool, feedback } }] });
    const task = TaskSpec.parse({ subject: "s" });
    expect(refused({ type: "task.add", plan: "p", hook }, task)).toEqual(answer("team_task_add"));
    const team = TeamSpec.parse({ name: "T2", members: [{ name: "X", prompt: "x" }] });
    expect(refused({ type: "team.create", plan: "p", byModel: false, hook }, team)).toEqual(answer("team_create"));
    const plan = ReplanSpec.parse({ cancel: ["A"] });
    expect(refused({ type: "team.replan", plan: "p", byModel: false, hook }, plan)).toEqual(answer("team_replan"));
    expect([driver.session.revision, driver.session.teamsMade, driver.state("A")]).toEqual([
      revision,
      1,
      "in_progress/running/thinking",
    ]);
  });

  test("repeated, the command has the answer that the log has: a later verdict changes nothing", () => {
    const driver = open("A");
    driver.call("A", { type: "work.complete", hook: { feedback } });
    const [call = ""] = driver.member("A").run.calls;
    const again = driver.byCall("A", call, { type: "work.complete" });
    expect([again.verdict, codesOf(again)]).toEqual(["stale", ["hook_refused"]]);
    expect(driver.state("A")).toBe("in_progress/running/tool");
  });
});

describe("a hook that keeps a member from idling", () => {
  test("R53: gives it another turn with the feedback as mail of the system", () => {
    const driver = open("A!");
    driver.run("A", "turn.ended", { finish: "stop", ...onIdle });
    expect(driver.state("A")).toBe("in_progress/running/thinking");
    expect(unread(driver, "A")).toEqual([["system", "hook_feedback", feedback]]);
    expect(driver.session.mail).toMatchObject({ accepted: 0, delivered: 0 });
  });

  test("a member that has delivered takes a follow-up turn; its work stays completed", () => {
    const driver = open("A!");
    driver.call("A", { type: "work.complete" });
    for (const call of driver.member("A").run.calls) driver.run("A", "tool.ended", { call, verdict: "ok" });
    driver.run("A", "step.ended", onIdle);
    expect([driver.state("A"), driver.member("A").unread.length]).toEqual(["completed/running/thinking", 1]);
  });

  test("three times in a row at most, counted anew from each wake", () => {
    const driver = open("A!");
    const end = (): void => {
      driver.inject("A");
      driver.run("A", "turn.ended", { finish: "stop", ...onIdle });
    };
    for (let turn = 0; turn < 3; turn++) {
      end();
      expect(driver.state("A")).toBe("in_progress/running/thinking");
    }
    end();
    expect([driver.state("A"), driver.member("A").unread]).toEqual(["in_progress/idle", []]);
    driver.send("A");
    end();
    expect(driver.state("A")).toBe("in_progress/running/thinking");
  });

  test("never beyond its turns: it idles and does not fail for that", () => {
    const driver = open("A!", { limits: { turnsMax: 1 } });
    driver.run("A", "turn.ended", { finish: "stop", ...onIdle });
    expect([driver.state("A"), driver.member("A").unread]).toEqual(["in_progress/idle", []]);
  });

  test.each([
    ["that has mail to read anyway", (driver: Driver) => void driver.send("A"), "in_progress/running/thinking"],
    ["that is asked to shut down", (driver: Driver) => void driver.dissolve(), "cancelled/shutdown"],
  ])("says nothing to a member %s", (_what, before, after) => {
    const driver = open("A!");
    before(driver);
    driver.run("A", "turn.ended", { finish: "stop", ...onIdle });
    expect(driver.state("A")).toBe(after);
    expect(driver.member("A").unread.every(({ notice }) => notice === null)).toBe(true);
  });

  test("says nothing to a oneshot member, which never idles", () => {
    const driver = open("A");
    driver.run("A", "turn.ended", { finish: "stop", ...onIdle });
    expect([driver.member("A").snapshot.context.nudges, driver.member("A").unread]).toEqual([1, []]);
  });
});

describe("a hook that does not accept a function's result", () => {
  test.each(["A", "A!"])("R53: the run of %s was a turn, and the next one reads the feedback", (member) => {
    const driver = open(member);
    driver.run("A", "run.completed", { ...onComplete });
    expect(driver.state("A")).toBe("in_progress/running/thinking");
    expect([driver.member("A").snapshot.context, driver.member("A").result]).toMatchObject([
      { attempt: 1, run: 2, nudges: 0 },
      null,
    ]);
    expect(unread(driver, "A")).toEqual([["system", "hook_feedback", feedback]]);
    driver.inject("A");
    driver.run("A", "run.completed", {});
    expect(driver.state("A").startsWith("completed/")).toBe(true);
  });

  test("it fails once its turns are used up", () => {
    const driver = open("A", { limits: { turnsMax: 2 } });
    for (let turn = 0; turn < 2; turn++) driver.run("A", "run.completed", { ...onComplete });
    expect([driver.state("A"), driver.member("A").reason]).toEqual([
      "failed/parked",
      "budget: it took all its turns without a result (turnsMax)",
    ]);
  });

  test("a follow-up has no result that could be refused", () => {
    const driver = open("A!");
    driver.complete("A");
    driver.send("A");
    driver.inject("A");
    driver.run("A", "run.completed", { ...onComplete });
    expect(driver.state("A")).toBe("completed/idle");
  });
});

describe("a hook that stops a member", () => {
  const notices = (applied: ReturnType<Driver["run"]>) =>
    applied.steps.map(({ event }) => event.type).filter((type) => type.startsWith("notice."));

  test("R53: one at work fails with the reason, the Lead is told, and may retry it", () => {
    const driver = open("A");
    const applied = driver.run("A", "run.failed", stop);
    expect([driver.state("A"), driver.member("A").reason, notices(applied)]).toEqual([
      "failed/parked",
      stop.reason,
      ["notice.member_failed"],
    ]);
    expect(codesOf(driver.replan({ retry: [{ name: "A" }] }))).toBe("ok");
  });

  test("one that has delivered shuts down, and the Lead is told once", () => {
    const driver = open("A!");
    driver.complete("A");
    driver.send("A");
    const applied = driver.run("A", "run.failed", stop);
    expect([driver.state("A"), driver.member("A").reason]).toEqual(["completed/shutdown", stop.reason]);
    expect(notices(applied)).toEqual(["notice.dead_letter", "notice.member_stopped"]);
  });

  test("one whose complete was accepted has delivered, and shuts down with its mail dead-lettered", () => {
    const driver = open("A!");
    driver.call("A", { type: "work.complete" });
    driver.send("A");
    const applied = driver.run("A", "run.failed", stop);
    expect([driver.state("A"), driver.session.mail.deadLettered]).toEqual(["completed/shutdown", 1]);
    expect(notices(applied)).toContain("notice.member_stopped");
  });
});
