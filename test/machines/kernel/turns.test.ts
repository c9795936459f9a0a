import { describe, expect, test } from "vitest";
import { desiredRuns, desiredTimers, idleTimer } from "../../../src/machines/index.ts";
import { codesOf, Driver } from "../driver.ts";

const one = (member: string, limits = {}) => {
  const driver = new Driver({ limits, lead: "own" });
  driver.create([member, "Z"]);
  return driver;
};
const runOf = (driver: Driver, name: string) =>
  desiredRuns(driver.session, driver.kernel.steppers.facts).find((run) => run.actor === driver.member(name).token);

describe("a turn that ends without a result", () => {
  test("R37: a silent oneshot member is nudged three times and then fails with no_report", () => {
    const driver = one("A");
    for (let turn = 0; turn < 3; turn++) driver.endTurn("A");
    expect(driver.state("A")).toBe("in_progress/running/thinking");
    driver.endTurn("A");
    expect([driver.state("A"), driver.member("A").reason]).toEqual([
      "failed/parked",
      "no_report: it ended 4 turns without calling complete",
    ]);
  });

  test("turns with mail are no nudges", () => {
    const driver = one("A");
    for (let turn = 0; turn < 6; turn++) {
      driver.send("A");
      driver.endTurn("A");
      driver.inject("A");
    }
    expect(driver.member("A").snapshot.context.nudges).toBe(0);
    for (let turn = 0; turn < 4; turn++) driver.endTurn("A");
    expect(driver.member("A").reason).toMatch(/^no_report/);
  });

  test("a persistent member goes idle and the Lead has a notice that wakes nobody", () => {
    const driver = one("A!");
    driver.endTurn("A");
    expect(driver.state("A")).toBe("in_progress/idle");
    expect(driver.session.lead.unread).toMatchObject([{ notice: "member_idle", about: "A", wakes: false }]);
    driver.send("A");
    driver.inject("A");
    driver.endTurn("A");
    expect(driver.session.lead.unread.filter((mail) => mail.notice === "member_idle")).toHaveLength(1);
  });

  test("S21: the budget of turns ends a member that never reads its mail, in words", () => {
    const driver = one("A", { turnsMax: 3 });
    driver.send("A");
    for (let turn = 0; turn < 3; turn++) driver.endTurn("A");
    expect([driver.state("A"), driver.member("A").reason]).toEqual([
      "failed/parked",
      "budget: it took all its turns without a result (turnsMax)",
    ]);
  });

  test("S21: the budget also ends follow-ups of a function agent that leaves its mail unread", () => {
    const driver = one("A!", { turnsMax: 3 });
    driver.send("A");
    for (let turn = 0; turn < 3; turn++) driver.run("A", "run.completed", {});
    expect([driver.state("A"), driver.session.mail.deadLettered]).toEqual(["completed/idle", 1]);
  });

  test("a wake counts its turns anew", () => {
    const driver = one("A!", { turnsMax: 3 });
    driver.endTurn("A");
    expect(driver.member("A").turn.turns).toBe(1);
    driver.send("A");
    expect(driver.member("A").turn).toEqual({ turns: 1, hops: 0, broadcasts: 0, broadcastWoken: false, idleBlocks: 0 });
  });
});

describe("a delivery", () => {
  const body = { digest: "abc", bytes: 3 };

  test("R36: is two-phase: accepted by the tool, effective when the step ends, with its result", () => {
    const driver = one("A");
    driver.run("A", "tool.started", { call: "other", tool: "read_file" });
    expect(codesOf(driver.call("A", { type: "work.complete" }, { body }))).toBe("ok");
    expect(driver.state("A")).toBe("in_progress/running/completing");
    for (const call of driver.member("A").run.calls) driver.run("A", "tool.ended", { call, verdict: "ok" });
    expect(driver.state("A")).toBe("in_progress/running/completing");
    driver.run("A", "step.ended", {});
    expect([driver.state("A"), driver.member("A").result]).toEqual(["completed/shutdown", body]);
  });

  test.each([
    ["turn.ended", (driver: Driver) => driver.endTurn("A")],
    ["run.failed", (driver: Driver) => driver.fail("A")],
    ["run.completed", (driver: Driver) => driver.run("A", "run.completed", {})],
  ])("stands although the run then reports %s", (_, end) => {
    const driver = one("A");
    driver.call("A", { type: "work.complete" }, { body });
    end(driver);
    expect([driver.state("A"), driver.member("A").result]).toEqual(["completed/shutdown", body]);
  });

  test("by a function agent takes the report of the run itself", () => {
    const driver = one("A");
    const { token, run } = driver.member("A");
    driver.apply({ actor: token, from: token, event: { type: "run.completed", run: 1, k: run.k + 1 }, body });
    expect(driver.member("A").result).toEqual(body);
  });

  test("of a new attempt does not show the old one's result", () => {
    const driver = one("A!");
    driver.call("A", { type: "work.complete" }, { body });
    driver.run("A", "step.ended", {});
    driver.replan({ retry: [{ name: "A" }] });
    driver.complete("A");
    expect(driver.member("A").result).toBeNull();
  });

  test("a cancel in between wins", () => {
    const driver = one("A");
    driver.call("A", { type: "work.complete" });
    driver.replan({ cancel: ["A"] });
    expect(driver.state("A")).toBe("cancelled/shutdown");
  });
});

describe("a run without an outcome", () => {
  test("is started anew; the third in a row fails the attempt with owner_lost", () => {
    const driver = one("A");
    driver.lose("A");
    driver.lose("A");
    expect([driver.state("A"), driver.member("A").snapshot.context.run]).toEqual(["in_progress/running/thinking", 3]);
    driver.lose("A");
    expect([driver.state("A"), driver.member("A").reason]).toEqual(["failed/parked", "owner_lost: node gone"]);
  });

  test("a journalled step resets the count", () => {
    const driver = one("A");
    for (let each = 0; each < 5; each++) {
      driver.lose("A");
      driver.run("A", "step.ended", {});
    }
    expect(driver.state("A")).toBe("in_progress/running/thinking");
  });

  test("leaves its open calls to the next run, with the replies of their commands", () => {
    const driver = one("A");
    const send = { type: "message.send", to: "Lead", kind: "text", bytes: 1 } as const;
    const first = driver.call("A", send);
    const [call] = driver.member("A").run.calls;
    driver.lose("A");
    expect(driver.member("A").run.calls).toEqual([call]);
    expect(driver.byCall("A", call!, send).replies).toEqual(first.replies);
    driver.run("A", "tool.ended", { call: call!, verdict: "interrupted" });
    expect(driver.member("A").run).toMatchObject({ calls: [], remembered: [] });
  });
});

describe("a new owner", () => {
  test("finds every live member thinking again, in the same attempt and under the same run number", () => {
    const driver = one("A");
    driver.run("A", "run.erred", { reason: "overloaded", retryInMs: 5 });
    expect(driver.state("A")).toBe("in_progress/running/backing_off");
    driver.claim();
    expect(driver.state("A")).toBe("in_progress/running/thinking");
    expect(runOf(driver, "A")).toEqual({ actor: "A-t1", epoch: 2, n: 1, kind: "work" });
  });

  test("closes an accepted complete by a run that ends its other calls only", () => {
    const driver = one("A");
    driver.run("A", "tool.started", { call: "other", tool: "t" });
    driver.call("A", { type: "work.complete" });
    expect(runOf(driver, "A")?.kind).toBe("work");
    driver.claim();
    expect([driver.state("A"), runOf(driver, "A")?.kind]).toEqual(["in_progress/running/completing", "close"]);
    driver.run("A", "tool.ended", { call: "other", verdict: "interrupted" });
    expect(runOf(driver, "A")?.kind).toBe("close");
    driver.run("A", "step.ended", {});
    expect(driver.state("A")).toBe("completed/shutdown");
  });

  test("completes at once when no other call is open, and so does a loss", () => {
    const [claimed, lost] = [one("A"), one("A")];
    for (const driver of [claimed, lost])
      driver.call("A", { type: "work.complete" }, { body: { digest: "d", bytes: 1 } });
    claimed.claim();
    lost.lose("A");
    for (const driver of [claimed, lost])
      expect([driver.state("A"), driver.member("A").result?.digest]).toEqual(["completed/shutdown", "d"]);
  });
});

test.each([
  ["a loss", (driver: Driver) => driver.lose("A")],
  ["a new owner", (driver: Driver) => driver.claim()],
])("a persistent member that %s completes with mail unread takes a follow-up turn that is no delivery", (_, end) => {
  const driver = one("A!");
  driver.call("A", { type: "work.complete" }, { body: { digest: "d", bytes: 1 } });
  driver.send("A");
  end(driver);
  expect(driver.state("A")).toBe("completed/running/thinking");
  expect(driver.member("A").run).toMatchObject({ closing: false, completeCall: null, pendingResult: null });
  expect(runOf(driver, "A")?.kind).toBe("work");
});

describe("timers", () => {
  test("an idle member's timer shuts it down, unless it was woken since", () => {
    const driver = one("A!", { idleMs: 50 });
    driver.complete("A");
    const timer = () => idleTimer(driver.session, driver.member("A"), driver.kernel.steppers.facts);
    const { key, generation, ms } = timer()!;
    expect([key, ms]).toEqual(["idle:A-t1", 50]);
    driver.send("A");
    expect([timer(), driver.timer(key, generation).verdict]).toEqual([null, "stale"]);
    driver.inject("A");
    driver.endTurn("A");
    expect([driver.timer(timer()!.key, timer()!.generation).verdict, driver.state("A")]).toEqual([
      "handled",
      "completed/shutdown",
    ]);
  });

  test.each(["", "nonsense", "poll:x", "permission:x", "idle:Z-t9", "grace", "grace:x"])(
    "%j is no timer that is armed",
    (key) => {
      const driver = one("A");
      expect([driver.timer(key, 1).verdict, desiredTimers(driver.session)]).toEqual(["stale", []]);
    },
  );
});
