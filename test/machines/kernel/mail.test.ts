import { describe, expect, test } from "vitest";
import { codesOf, Driver, memberOf, type SessionOptions } from "../driver.ts";

const team = (options: SessionOptions = {}, members: readonly string[] = ["A", "B", "C<-A", "P!"]) => {
  const driver = new Driver(options);
  driver.create(members);
  return driver;
};
const say = (to: string, bytes = 10) => ({ type: "message.send", to, kind: "text", bytes }) as const;
const unread = (driver: Driver, name: string) => driver.member(name).unread.map((mail) => `${mail.from}:${mail.kind}`);

describe("the gate", () => {
  test("R22 R28: an accepted message names its recipient's state and lies unread until a run takes it in", () => {
    const driver = team();
    const receipts = ["A", "C", "Lead"].map((to) => driver.call("B", say(to)).replies[0]?.reply);
    expect(receipts).toEqual(
      [
        ["A", "running"],
        ["C", "blocked"],
        ["Lead", "waiting_user"],
      ].map(([name, status]) => ({
        ok: { type: "sent", accepted: true, to: [{ name, status }] },
      })),
    );
    expect(unread(driver, "A")).toEqual(["B:text"]);
    driver.inject("A");
    expect([unread(driver, "A"), driver.session.mail]).toEqual([
      [],
      { accepted: 3, delivered: 2, deadLettered: 0, refused: 0 },
    ]);
  });

  test("U13 R28: a name that is nobody is told the roster and the nearest name, and nothing is stored", () => {
    const driver = team({}, ["Ann", "Bob"]);
    const { replies } = driver.call("Ann", say("Bbo"));
    expect(replies[0]?.reply).toMatchObject({
      refused: [{ code: "unknown_recipient", data: { known: ["Lead", "Ann", "Bob", "broadcast"], nearest: "Bob" } }],
    });
    expect([driver.session.mail.accepted, driver.session.mail.refused]).toEqual([0, 1]);
  });

  test("U15: a broadcast with nobody left to read it is refused, not sent to nobody", () => {
    const driver = team({ lead: "own" }, ["A", "B"]);
    driver.complete("A");
    driver.fail("B");
    const applied = driver.send("all", { from: "lead" });
    expect(applied.replies[0]?.reply).toEqual({
      refused: [{ code: "recipient_closed", data: { to: "broadcast", status: "nobody" } }],
    });
    expect(driver.session.mail).toMatchObject({ accepted: 0, refused: 1 });
    const alone = team({ lead: "own" }, ["A", "B"]);
    alone.complete("B");
    expect(alone.call("A", say("all")).replies[0]?.reply).toMatchObject({ ok: { to: [{ name: "Lead" }] } });
  });

  test("U14: an agent type is no recipient; its members are named", () => {
    const driver = new Driver();
    driver.create([memberOf("A"), memberOf("R", { agentType: "reviewer" })]);
    const { replies } = driver.send("reviewer");
    expect(replies[0]?.reply).toMatchObject({ refused: [{ code: "unknown_recipient", data: { ofType: ["R"] } }] });
  });

  test.each(["", "\0", "---", "__proto__", "constructor", "A-t1", "user", "x".repeat(400)])(
    "R28: %j is nobody",
    (to) => {
      expect(codesOf(team().send(to))).toEqual(["unknown_recipient"]);
    },
  );

  test.each([
    ["Lead", "Lead"],
    ["team-lead", "Lead"],
    ["LEAD", "Lead"],
    ["a", "A"],
    [" A ", "A"],
  ])("R6: %s means %s", (to, name) => {
    expect(team().call("B", say(to)).replies[0]?.reply).toMatchObject({ ok: { to: [{ name }] } });
  });

  test.each(["broadcast", "*", "all", "Broadcast"])(
    "R7: %s goes to the Lead and everybody else, one copy each",
    (to) => {
      const driver = team();
      const reply = driver.call("B", say(to)).replies[0]?.reply;
      expect(reply).toMatchObject({ ok: { to: ["Lead", "A", "C", "P"].map((name) => ({ name })) } });
      expect(driver.session.mail.accepted).toBe(4);
      const ids = ["A", "C", "P"].flatMap((name) => driver.member(name).unread.map((mail) => mail.id));
      expect(new Set(ids).size).toBe(3);
    },
  );

  test("R28: nobody writes to itself", () => {
    const driver = team();
    expect([codesOf(driver.call("A", say("a"))), codesOf(driver.send("Lead", { from: "lead" }))]).toEqual([
      ["self_recipient"],
      ["self_recipient"],
    ]);
  });

  test("R27: a message as large as allowed passes, one byte more is refused", () => {
    const driver = team({ limits: { messageBytesMax: 100 } });
    expect(codesOf(driver.send("A", { bytes: 100 }))).toBe("ok");
    expect(codesOf(driver.send("A", { bytes: 101 }))).toEqual(["message_too_large"]);
  });

  test("R27: a mailbox takes as many messages and bytes as allowed, counts what is unread only, and says when it is full", () => {
    const driver = team({ limits: { unreadMessagesMax: 2, unreadBytesMax: 50 } });
    expect([1, 2, 3].map(() => codesOf(driver.send("A")))).toEqual(["ok", "ok", ["mailbox_full"]]);
    driver.inject("A");
    expect(codesOf(driver.send("A", { bytes: 50 }))).toBe("ok");
    expect(codesOf(driver.send("A", { bytes: 1 }))).toEqual(["mailbox_full"]);
  });

  test("R7: a broadcast that one mailbox cannot take reaches nobody", () => {
    const driver = team({ limits: { unreadMessagesMax: 1 } });
    driver.send("C");
    expect(codesOf(driver.call("A", say("all")))).toEqual(["mailbox_full"]);
    expect([unread(driver, "B"), driver.session.mail]).toEqual([
      [],
      { accepted: 1, delivered: 0, deadLettered: 0, refused: 1 },
    ]);
  });

  test("U15 R29: who failed, drains or is gone reads no more; a broadcast passes over them", () => {
    const driver = team({}, ["A", "B", "F", "D!", "P!"]);
    driver.complete("A");
    driver.fail("F");
    driver.replan({ shutdown: ["D"] });
    expect(["A", "F", "D"].map((to) => codesOf(driver.call("B", say(to))))).toEqual([
      ["recipient_closed"],
      ["recipient_closed"],
      ["recipient_closed"],
    ]);
    expect(driver.call("B", say("all")).replies[0]?.reply).toMatchObject({
      ok: { to: [{ name: "Lead" }, { name: "P" }] },
    });
  });

  test.each([
    ["dag", ["C", "Lead"], ["B"]],
    ["lead", ["Lead"], ["B", "C"]],
  ] as const)("S10: with comms %s a member writes to %j and not to %j", (comms, may, mayNot) => {
    const driver = new Driver();
    driver.create(["A", "B", "C<-A"], { comms });
    expect(may.map((to) => codesOf(driver.call("A", say(to))))).toEqual(may.map(() => "ok"));
    expect([...mayNot, "all"].map((to) => codesOf(driver.call("A", say(to))))).toEqual(
      [...mayNot, "all"].map(() => ["permission_denied"]),
    );
  });

  test("S10: a member can mint text only; the user may instruct", () => {
    const driver = team();
    driver.call("B", { ...say("A"), kind: "instruction" });
    driver.send("A", { kind: "instruction" });
    expect(unread(driver, "A")).toEqual(["B:text", "user:instruction"]);
  });

  test("R27: a chain of answers ends at the limit of hops", () => {
    const driver = team({ limits: { hopsMax: 2 } });
    const answers = [
      ["A", "B"],
      ["B", "A"],
      ["A", "B"],
    ].map(([from = "", to = ""]) => {
      driver.inject(from);
      return codesOf(driver.call(from, say(to)));
    });
    expect(answers).toEqual(["ok", "ok", ["hop_limit"]]);
  });

  test("a lead with its own loop starts a new chain with each of its messages, like a person", () => {
    const driver = team({ lead: "own", limits: { hopsMax: 2 } });
    for (let round = 0; round < 3; round++) {
      const mail = driver.session.lead.unread.map((each) => each.id);
      driver.command({ type: "lead.injected", mail }, { from: "lead" });
      expect(codesOf(driver.send("P", { from: "lead" }))).toBe("ok");
      driver.inject("P");
      expect(codesOf(driver.call("P", say("Lead")))).toBe("ok");
      driver.endTurn("P");
    }
  });

  test("a broadcast that nobody could get is refused in words", () => {
    const driver = new Driver();
    expect(codesOf(driver.send("all", { from: "lead" }))).toEqual(["no_team"]);
    driver.create(["A"]);
    driver.dissolve("abort");
    expect(codesOf(driver.send("all", { from: "lead" }))).toEqual(["team_dissolved"]);
  });

  test("from the dissolve on every message to or from a member is refused; user and Lead go on", () => {
    const driver = team({ lead: "own" });
    driver.dissolve();
    expect(codesOf(driver.call("A", say("B")))).toEqual(["team_dissolved"]);
    expect(codesOf(driver.send("A"))).toEqual(["team_dissolved"]);
    expect(codesOf(driver.send("Lead"))).toBe("ok");
  });
});

describe("who is woken", () => {
  test("R24 R29 R30: an idle member is woken, a blocked one keeps its mail and stays blocked", () => {
    const driver = team();
    driver.complete("P");
    expect(driver.state("P")).toBe("completed/idle");
    driver.send("P");
    driver.send("C");
    expect([driver.state("P"), driver.state("C"), unread(driver, "C")]).toEqual([
      "completed/running/thinking",
      "blocked/parked",
      ["user:text"],
    ]);
  });

  test("R24: mail that arrives before the last turn ends gets another turn", () => {
    const driver = team();
    driver.call("P", { type: "work.complete" });
    driver.send("P");
    for (const call of driver.member("P").run.calls) driver.run("P", "tool.ended", { call, verdict: "ok" });
    driver.run("P", "step.ended", {});
    expect([driver.state("P"), unread(driver, "P")]).toEqual(["completed/running/thinking", ["user:text"]]);
    driver.inject("P");
    driver.endTurn("P");
    expect(driver.state("P")).toBe("completed/idle");
  });

  test("U25: of 20 members that answer a broadcast by broadcast, none is woken more than twice", () => {
    const names = Array.from({ length: 20 }, (_, index) => `M${index}`);
    const driver = team(
      {},
      names.map((name) => `${name}!`),
    );
    for (const name of names) driver.complete(name);
    let wakes = 0;
    const countWakes = (applied: { steps: readonly { event: { type: string }; transitions: readonly string[] }[] }) => {
      wakes += applied.steps.filter((step) =>
        step.transitions.some((each) => each.includes("presence.idle|mail.arrived")),
      ).length;
    };
    countWakes(driver.send("all", { from: "lead" }));
    // One after the other: the order that wakes the most.
    for (let round = 0; round < 3; round++) {
      for (const name of names) {
        if (!driver.state(name).includes("running")) continue;
        driver.inject(name);
        countWakes(driver.call(name, say("all")));
        driver.endTurn(name);
      }
    }
    expect(wakes).toBeLessThanOrEqual(2 * names.length);
    expect(names.map((name) => driver.state(name))).toEqual(names.map(() => "completed/idle"));
  });

  test("S21: a member broadcasts as often as allowed between two wakes; direct mail gives a woken one its right back", () => {
    const driver = team({ limits: { broadcastsMax: 2 } }, ["P!", "Q!"]);
    expect([1, 2, 3].map(() => codesOf(driver.call("P", say("all"))))).toEqual(["ok", "ok", ["budget_exceeded"]]);
    driver.complete("Q");
    driver.inject("Q");
    driver.endTurn("Q");
    driver.send("all", { from: "lead" });
    driver.inject("Q");
    expect(codesOf(driver.call("Q", say("all")))).toEqual(["budget_exceeded"]);
    driver.send("Q");
    driver.inject("Q");
    expect(codesOf(driver.call("Q", say("all")))).toBe("ok");
  });
});
