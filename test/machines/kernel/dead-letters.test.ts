import { describe, expect, test } from "vitest";
import { Driver, type SessionOptions } from "../driver.ts";

const team = (options: SessionOptions = {}, members: readonly string[] = ["A", "B", "C<-A", "P!"]) => {
  const driver = new Driver(options);
  driver.create(members);
  return driver;
};
const say = (to: string, bytes = 10) => ({ type: "message.send", to, kind: "text", bytes }) as const;
const unread = (driver: Driver, name: string) => driver.member(name).unread.map((mail) => `${mail.from}:${mail.kind}`);

describe("dead letters", () => {
  const notices = (driver: Driver) =>
    driver.session.lead.unread.filter((mail) => mail.notice === "dead_letter").map((mail) => mail.reason);

  test("U32: mail kept while blocked survives the start, and is dead-lettered by a cancel", () => {
    const driver = team({ lead: "own" }, ["A", "B<-A", "C<-A"]);
    driver.send("B");
    driver.send("C");
    driver.complete("A");
    expect(unread(driver, "B")).toEqual(["user:text"]);
    driver.replan({ cancel: ["C"] });
    expect(driver.session.mail).toMatchObject({ accepted: 2, deadLettered: 1 });
    expect(notices(driver)).toEqual(["user to C: C is shutdown"]);
  });

  test("U15 G4: a delivery leaves its unread mail dead, and tells the sender and the Lead", () => {
    const driver = team({ lead: "own" }, ["A", "B!"]);
    driver.call("B", say("A"));
    driver.complete("A");
    expect(notices(driver)).toEqual(["B to A: A is shutdown"]);
    expect(driver.member("B").unread).toMatchObject([{ notice: "dead_letter", about: "A", kind: "system" }]);
    expect(driver.session.mail).toEqual({ accepted: 1, delivered: 0, deadLettered: 1, refused: 0 });
  });

  test("the dead copy of a broadcast is counted and tells nobody", () => {
    const driver = team({ lead: "own" }, ["A", "B!"]);
    driver.call("B", say("all"));
    driver.complete("A");
    expect([notices(driver), unread(driver, "B"), driver.session.mail.deadLettered]).toEqual([[], [], 1]);
  });

  test("a notice of a dead letter is never dead-lettered itself", () => {
    const driver = team({ lead: "own" }, ["A", "B"]);
    driver.call("B", say("A"));
    driver.complete("A");
    driver.complete("B");
    expect([notices(driver).length, driver.session.mail.deadLettered]).toEqual([1, 1]);
  });

  test("the failure of a follow-up leaves the work completed, its mail dead and the Lead told", () => {
    const driver = team({ lead: "own" }, ["A", "P!"]);
    driver.complete("P");
    driver.send("P");
    driver.fail("P", "model_error: network");
    expect([driver.state("P"), unread(driver, "P"), driver.session.mail.deadLettered]).toEqual([
      "completed/idle",
      [],
      1,
    ]);
    expect(driver.session.lead.unread.filter((mail) => mail.notice === "follow_up_failed")).toMatchObject([
      { about: "P", reason: "model_error: network" },
    ]);
  });

  test("a Lead that reads nothing has as many unread as its mailbox holds, the latest with the count of the others", () => {
    const driver = team({ lead: "own", limits: { unreadMessagesMax: 3 } }, ["A", "B<-A", "C<-A"]);
    for (const to of ["B", "C", "B", "C", "B"]) driver.send(to);
    driver.replan({ cancel: ["B", "C"] });
    expect(notices(driver)).toEqual([
      "user to B: B is shutdown",
      "user to B: B is shutdown",
      "user to C: C is shutdown (and 2 more that are not listed)",
    ]);
    driver.command({ type: "lead.injected", mail: driver.session.lead.unread.map(({ id }) => id) }, { from: "lead" });
    expect([notices(driver), driver.session.lead.deadLettersLeftOut]).toEqual([[], 0]);
  });

  test("20 full mailboxes are dead-lettered by one input, and a dissolve still ends", () => {
    const names = Array.from({ length: 20 }, (_, index) => `M${index}`);
    const full = () => {
      const driver = team({}, ["A", ...names.map((name) => `${name}<-A`)]);
      for (const name of names) for (let each = 0; each < 256; each++) driver.send(name);
      return driver;
    };
    const [cancelled, dissolved] = [full(), full()];
    expect(cancelled.replan({ cancel: names }).verdict).toBe("handled");
    expect([dissolved.dissolve("abort").verdict, dissolved.team()]).toEqual(["handled", "dissolved"]);
  });
});
