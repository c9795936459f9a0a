import { describe, expect, test } from "vitest";
import { shutdownTimer } from "../../../src/machines/index.ts";
import { codesOf, Driver } from "../driver.ts";

const asked = (driver: Driver, name: string) =>
  driver.member(name).unread.filter(({ notice }) => notice === "shutdown_requested");
const timerOf = (driver: Driver, name: string) =>
  shutdownTimer(driver.session, driver.member(name), driver.kernel.steppers.facts);

describe("a member that is asked to shut down", () => {
  test("R42: has the request as mail, with who asks and why; it is counted as no message", () => {
    const driver = new Driver();
    driver.create(["A!"]);
    driver.complete("A");
    driver.replan({ shutdown: ["A"], reason: "the budget is gone" }, "user");
    expect(asked(driver, "A")).toMatchObject([{ from: "user", reason: "the budget is gone", kind: "system" }]);
    expect(driver.session.mail).toEqual({ accepted: 0, delivered: 0, deadLettered: 0, refused: 0 });
    driver.inject("A");
    expect([asked(driver, "A"), driver.state("A")]).toEqual([[], "completed/draining/thinking"]);
  });

  test("may refuse once: the Lead has its reason, the request is withdrawn, and the next one stands", () => {
    const driver = new Driver({ lead: "hosted" });
    driver.create(["A!"]);
    driver.replan({ shutdown: ["A"] });
    driver.run("A", "shutdown.replied", { accept: false, reason: "half a file is written" });
    expect([driver.state("A"), asked(driver, "A")]).toEqual(["in_progress/running/thinking", []]);
    expect(driver.session.lead.unread).toMatchObject([
      { notice: "shutdown_refused", about: "A", reason: "half a file is written", wakes: true },
    ]);
    driver.replan({ shutdown: ["A"] });
    driver.run("A", "shutdown.replied", { accept: false, reason: "still" });
    expect([driver.state("A"), driver.member("A").reason]).toEqual([
      "cancelled/shutdown",
      "interrupted: it was asked to shut down a second time",
    ]);
  });

  test("that was idle and refuses goes back to being idle once its turn ends, its work as it was", () => {
    const driver = new Driver();
    driver.create(["A!"]);
    driver.complete("A");
    driver.replan({ shutdown: ["A"] });
    driver.run("A", "shutdown.replied", { accept: false, reason: "I wait for a call" });
    driver.endTurn("A");
    expect([driver.state("A"), driver.member("A").reason]).toEqual(["completed/idle", null]);
  });

  test("R42, R43: without an answer it is shut down when its time is over, and not before", () => {
    const driver = new Driver({ limits: { graceMs: 5_000 } });
    driver.create(["A!"]);
    driver.at = 7_000;
    driver.replan({ shutdown: ["A"] });
    const timer = timerOf(driver, "A");
    expect(timer).toMatchObject({ key: "shutdown:A-t1", armedAt: 7_000, ms: 5_000 });
    expect(driver.timer("shutdown:A-t1", (timer?.generation ?? 0) + 1).verdict).toBe("stale");
    expect(driver.timer("shutdown:A-t1", timer?.generation ?? 0).verdict).toBe("handled");
    expect([driver.state("A"), timerOf(driver, "A")]).toEqual(["cancelled/shutdown", null]);
    expect(driver.member("A").reason).toMatch(/^interrupted: it was asked to shut down, and had not answered/u);
  });

  test("the time of a first request does not end a second one", () => {
    const driver = new Driver();
    driver.create(["A!"]);
    driver.replan({ shutdown: ["A"] });
    const first = timerOf(driver, "A")?.generation ?? 0;
    driver.run("A", "shutdown.replied", { accept: false, reason: "no" });
    driver.replan({ shutdown: ["A"] });
    expect(driver.timer("shutdown:A-t1", first).verdict).toBe("stale");
    expect(driver.state("A")).toBe("in_progress/draining/thinking");
  });

  test("in a dissolve the team's grace period is that of everybody", () => {
    const driver = new Driver();
    driver.create(["A!"]);
    driver.replan({ shutdown: ["A"] });
    const before = timerOf(driver, "A")?.generation ?? 0;
    driver.dissolve();
    expect([timerOf(driver, "A"), driver.timer("shutdown:A-t1", before).verdict]).toEqual([null, "stale"]);
  });

  test("takes no other mail, and its name stays taken", () => {
    const driver = new Driver();
    driver.create(["A!"]);
    driver.complete("A");
    driver.replan({ shutdown: ["A"] });
    expect(codesOf(driver.send("A"))).toEqual(["recipient_closed"]);
    driver.run("A", "shutdown.replied", { accept: true, reason: "" });
    expect(codesOf(driver.replan({ add: [{ name: "A", prompt: "p" }] }))).toEqual(["name_collision"]);
  });
});

test("R39: every way in which a member is cancelled has a reason of its own", () => {
  const reasonOf = (end: (driver: Driver) => void, lead: "none" | "hosted" = "none"): string | null => {
    const driver = new Driver({ lead });
    driver.create(["A!", "B<-A"], { upstreamFailure: "cancel" });
    end(driver);
    return driver.member("B").reason;
  };
  const reasons = [
    reasonOf((driver) => driver.replan({ cancel: ["B"], reason: "no need" }, "user")),
    reasonOf((driver) => driver.replan({ cancel: ["B"] })),
    reasonOf((driver) => driver.replan({ cancel: ["B"] }), "hosted"),
    reasonOf((driver) => driver.dissolve("abort")),
    reasonOf((driver) => driver.fail("A")),
    reasonOf((driver) => driver.dissolve("abort", { from: "user" })),
    reasonOf((driver) => driver.apply({ actor: "session", from: "system", event: { type: "session.closed" } })),
  ];
  expect(reasons).toEqual([
    "interrupted: cancelled by the user: no need",
    "interrupted: cancelled by the host",
    "interrupted: cancelled by the Lead",
    "interrupted: the team was dissolved by the host",
    "interrupted: A, which it depends on, failed",
    "interrupted: the team was dissolved by the user",
    "interrupted: the session was closed",
  ]);
});
