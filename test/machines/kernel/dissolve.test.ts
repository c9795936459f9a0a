import { describe, expect, test } from "vitest";
import { desiredRuns, desiredTimers } from "../../../src/machines/index.ts";
import { Driver } from "../driver.ts";

const everyKind = () => {
  const driver = new Driver();
  driver.create(["Done", "Failed", "Running", "Blocked<-Running", "Idle!"]);
  driver.complete("Done");
  driver.fail("Failed");
  driver.complete("Idle");
  return driver;
};
const resultOf = (applied: { replies: readonly { reply: unknown }[] }) => applied.replies.map(({ reply }) => reply);
const grace = (driver: Driver) => driver.timer("grace", driver.session.team!.grace!.generation);

describe("a dissolve", () => {
  test("graceful: shuts down who rests, asks who runs, and replies when the team is dissolved", () => {
    const driver = everyKind();
    const applied = driver.dissolve();
    expect([resultOf(applied), driver.team()]).toEqual([[], "dissolving"]);
    expect(["Done", "Failed", "Running", "Blocked", "Idle"].map((name) => driver.state(name))).toEqual([
      "completed/shutdown",
      "failed/shutdown",
      "in_progress/draining/thinking",
      "cancelled/shutdown",
      "completed/shutdown",
    ]);
    const end = driver.run("Running", "shutdown.replied", { accept: true, reason: "" });
    const ok = { type: "dissolved", outcome: "dissolved", cancelled: ["Running", "Blocked"] };
    expect([resultOf(end), driver.team()]).toEqual([[{ ok }], "dissolved"]);
  });

  test("U38 G7: ends with its grace period, whatever its members do", () => {
    const driver = everyKind();
    driver.dissolve();
    driver.run("Running", "shutdown.replied", { accept: false, reason: "busy" });
    expect(driver.team()).toBe("dissolving");
    expect([resultOf(grace(driver)).length, driver.team(), driver.state("Running")]).toEqual([
      1,
      "dissolved",
      "cancelled/shutdown",
    ]);
  });

  test("U41 G7: after its end nothing is due and nothing changes any more", () => {
    const driver = everyKind();
    driver.dissolve("abort");
    expect([desiredRuns(driver.session, driver.kernel.steppers.facts), desiredTimers(driver.session)]).toEqual([
      [],
      [],
    ]);
    const before = driver.fork();
    driver.run("Running", "tool.ended", { call: "c", verdict: "ok" });
    driver.run("Running", "run.completed", {});
    driver.lose("Running");
    driver.send("Idle");
    driver.replan({ retry: [{ name: "Failed" }] });
    driver.timer("grace", 5);
    driver.claim();
    expect([driver.session.team, [...driver.session.members]]).toEqual([before.team, [...before.members]]);
  });

  test("is idempotent: who asks again gets the same answer, while it goes on and after", () => {
    const driver = everyKind();
    driver.dissolve();
    driver.dissolve();
    const end = grace(driver);
    expect(resultOf(end)).toHaveLength(2);
    expect(new Set(resultOf(end).map((reply) => JSON.stringify(reply))).size).toBe(1);
    expect(resultOf(driver.dissolve())).toEqual([resultOf(end)[0]]);
  });

  test("an abort cuts a graceful one short", () => {
    const driver = everyKind();
    driver.dissolve();
    expect([resultOf(driver.dissolve("abort")).length, driver.team()]).toEqual([2, "dissolved"]);
  });

  test("R67: has the outcome that the team had when it was accepted", () => {
    const outcomes = [
      (driver: Driver) => driver.complete("A"),
      (driver: Driver) => driver.fail("A"),
      (driver: Driver) => driver.replan({ cancel: ["A"] }),
      () => {},
    ].map((act) => {
      const driver = new Driver();
      driver.create(["A"]);
      act(driver);
      driver.dissolve();
      if (driver.team() === "dissolving") grace(driver);
      return driver.team();
    });
    expect(outcomes).toEqual(["completed", "failed", "failed", "dissolved"]);
  });

  test("a member cancelled before it is not among those whom it cancelled", () => {
    const driver = new Driver();
    driver.create(["A", "B"]);
    driver.replan({ cancel: ["A"] });
    expect(resultOf(driver.dissolve("abort"))).toMatchObject([{ ok: { cancelled: ["B"] } }]);
  });

  test("a member that delivers while it drains has completed", () => {
    const driver = everyKind();
    driver.dissolve();
    driver.complete("Running");
    expect([driver.state("Running"), driver.team()]).toEqual(["completed/shutdown", "dissolved"]);
  });

  test("there is nothing to dissolve without a team", () => {
    expect(resultOf(new Driver().dissolve())).toEqual([{ refused: [{ code: "no_team", data: {} }] }]);
  });
});
