import { expect, test } from "vitest";
import { codesOf, Driver } from "../driver.ts";

const interrupt = (driver: Driver, member: string, from = "user", reason?: string) =>
  driver.command({ type: "member.interrupt", member, ...(reason === undefined ? {} : { reason }) }, { from });

test("R39, R55: an interrupted member has failed with who did it and why, and only a plan starts it again", () => {
  const driver = new Driver({ lead: "hosted" });
  driver.create(["A", "B<-A"]);
  interrupt(driver, "a", "user", "it reads the wrong folder");
  expect([driver.state("A"), driver.member("A").reason]).toEqual([
    "failed/parked",
    "interrupted: by the user: it reads the wrong folder",
  ]);
  expect(driver.session.lead.unread.map(({ notice, about }) => [notice, about])).toContainEqual(["member_failed", "A"]);
  expect([driver.state("B"), driver.team()]).toEqual(["blocked/parked", "stalled"]);
  driver.claim();
  expect(driver.state("A")).toBe("failed/parked");
  driver.replan({ retry: [{ name: "A" }] });
  expect([driver.state("A"), driver.member("A").reason]).toEqual(["in_progress/running/thinking", null]);
});

test("R39: of a member that has delivered an interrupt ends its turn, and its work stays", () => {
  const driver = new Driver();
  driver.create(["A!"]);
  driver.complete("A");
  driver.send("A");
  interrupt(driver, "A", "lead");
  expect([driver.state("A"), driver.team()]).toEqual(["completed/idle", "finished"]);
});

test("an accepted complete counts, whoever interrupts it", () => {
  const driver = new Driver();
  driver.create(["A"]);
  driver.call("A", { type: "work.complete" });
  interrupt(driver, "A");
  expect(driver.state("A")).toBe("completed/shutdown");
});

test("who has no run, who is nobody and who is on its way out can't be interrupted; nothing is changed by trying", () => {
  const driver = new Driver();
  expect(codesOf(interrupt(driver, "A"))).toEqual(["no_team"]);
  driver.create(["A!", "B<-A"]);
  expect(codesOf(interrupt(driver, "Z"))).toEqual(["unknown_member"]);
  expect(codesOf(interrupt(driver, "B"))).toEqual(["not_running"]);
  driver.complete("A");
  driver.complete("B");
  expect(codesOf(interrupt(driver, "A"))).toEqual(["not_running"]);
  driver.send("A");
  driver.dissolve();
  expect(codesOf(interrupt(driver, "A"))).toEqual(["team_dissolved"]);
});

test("R19, G9: a member can't interrupt another", () => {
  const driver = new Driver();
  driver.create(["A", "B"]);
  expect(codesOf(driver.call("A", { type: "member.interrupt", member: "B" }))).toEqual(["lead_only"]);
  expect(driver.state("B")).toBe("in_progress/running/thinking");
});
