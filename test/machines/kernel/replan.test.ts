import { describe, expect, test } from "vitest";
import type { ReplanSpecInput } from "../../../src/protocol/index.ts";
import { codesOf, Driver } from "../driver.ts";

const diamond = () => {
  const driver = new Driver();
  driver.create(["A", "B<-A", "C<-A", "D<-B,C"]);
  return driver;
};
const resultOf = (driver: Driver, spec: ReplanSpecInput) => {
  const [first] = driver.replan(spec).replies;
  return first !== undefined && "ok" in first.reply ? first.reply.ok : first?.reply;
};

describe("a replan is all or nothing", () => {
  test.each<[string, ReplanSpecInput, string[]]>([
    ["an unknown member", { cancel: ["Z"] }, ["unknown_member"]],
    ["a completed member to cancel", { cancel: ["A"] }, ["not_cancellable"]],
    ["a running member to retry", { retry: [{ name: "B" }] }, ["not_retryable"]],
    ["a oneshot member that completed, to retry", { retry: [{ name: "A" }] }, ["not_retryable"]],
    ["a blocked member to shut down", { shutdown: ["D"] }, ["not_cancellable"]],
    ["a running member to rewire", { rewire: [{ name: "B", dependsOn: [] }] }, ["not_rewirable"]],
    ["an unknown dependency", { rewire: [{ name: "D", dependsOn: ["Z"] }] }, ["unknown_dependency"]],
    ["U05 a name that exists", { add: [{ name: "a", prompt: "p" }] }, ["name_collision"]],
    ["a reserved name", { add: [{ name: "Lead", prompt: "p" }] }, ["reserved_name"]],
    ["an unknown type", { add: [{ name: "X", prompt: "p", agentType: "x" }] }, ["unknown_agent_type"]],
    ["a completed member to replace", { add: [{ name: "X", prompt: "p", replaces: "A" }] }, ["not_cancellable"]],
    ["a member of its own", { rewire: [{ name: "D", dependsOn: ["D"] }] }, ["cycle"]],
    [
      "a cycle through a new member",
      { add: [{ name: "X", prompt: "p", dependsOn: ["D"] }], rewire: [{ name: "D", dependsOn: ["X"] }] },
      ["cycle"],
    ],
    [
      "one that waits for whom it replaces",
      { add: [{ name: "X", prompt: "p", replaces: "D", dependsOn: ["D"] }] },
      ["cycle"],
    ],
    [
      "two for one place",
      {
        add: [
          { name: "X", prompt: "p", replaces: "D" },
          { name: "Y", prompt: "p", replaces: "D" },
        ],
      },
      ["name_collision"],
    ],
    ["two things with one member", { cancel: ["D"], rewire: [{ name: "D", dependsOn: [] }] }, ["bad_input"]],
    [
      "a member twice",
      {
        rewire: [
          { name: "D", dependsOn: [] },
          { name: "D", dependsOn: ["A"] },
        ],
      },
      ["bad_input"],
    ],
    ["a revision to come", { revision: 99, cancel: ["B"] }, ["stale_revision"]],
    [
      "everything at once",
      { cancel: ["A", "Z"], retry: [{ name: "B" }], add: [{ name: "Team", prompt: "p" }] },
      ["not_cancellable", "unknown_member", "not_retryable", "reserved_name"],
    ],
  ])("R14 G6: %s is refused, with nothing changed", (_, spec, codes) => {
    const driver = diamond();
    driver.complete("A");
    const before = driver.fork();
    const applied = driver.replan(spec);
    expect([applied.verdict, (codesOf(applied) as string[]).toSorted()]).toEqual(["refused", codes.toSorted()]);
    expect({ ...driver.session, seq: 0, clients: null }).toEqual({ ...before, seq: 0, clients: null });
  });

  test("R14: a plan on an old revision is stale only for members that a newer plan changed", () => {
    const driver = diamond();
    driver.replan({ rewire: [{ name: "D", dependsOn: ["B"] }] });
    expect(driver.session.revision).toBe(2);
    const stale = driver.replan({ revision: 1, cancel: ["D"] });
    expect(stale.replies[0]?.reply).toMatchObject({
      refused: [{ code: "stale_revision", data: { current: 2, members: ["D"] } }],
    });
    expect(codesOf(driver.replan({ revision: 1, cancel: ["C"] }))).toBe("ok");
  });

  test("there is nothing to replan without a team, nor in a dissolved one", () => {
    const driver = new Driver();
    expect(codesOf(driver.replan({ cancel: ["A"] }))).toEqual(["no_team"]);
    driver.create(["A"]);
    driver.dissolve("abort");
    expect(codesOf(driver.replan({ cancel: ["A"] }))).toEqual(["team_dissolved"]);
  });
});

describe("what a replan does", () => {
  test("R14 G6: a running member can be cancelled, and its dependents are said to be stranded", () => {
    const driver = diamond();
    const result = resultOf(driver, { cancel: ["A"] });
    expect(result).toMatchObject({ cancelled: ["A"], stillBlocked: ["B", "C", "D"], stranded: ["B", "C", "D"] });
    expect(driver.state("A")).toBe("cancelled/shutdown");
  });

  test("graph-runtime 1: who waits for a cancelled member stays blocked for all to see, and the team isn't finished", () => {
    const driver = new Driver();
    driver.create(["A", "B", "C<-A,B", "D<-C"]);
    driver.replan({ cancel: ["B"] });
    driver.complete("A");
    expect([driver.state("C"), driver.state("D"), driver.team()]).toEqual([
      "blocked/parked",
      "blocked/parked",
      "stalled",
    ]);
  });

  test("graph-runtime 13: replacing a failed upstream unblocks who waited, dependencies inherited", () => {
    const driver = new Driver();
    driver.create(["Root", "A<-Root", "B", "P<-A,B"]);
    for (const name of ["Root", "B"]) driver.complete(name);
    driver.fail("A");
    expect(driver.state("P")).toBe("blocked/parked");
    resultOf(driver, { add: [{ name: "A2", prompt: "p", replaces: "A" }] });
    expect(driver.member("A2").dependsOn).toEqual(["Root-t1"]);
    expect(driver.member("P").dependsOn).toEqual(["A2-t1", "B-t1"]);
    expect([driver.state("A"), driver.member("A").replacedBy]).toEqual(["cancelled/shutdown", "A2"]);
    driver.complete("A2");
    expect(driver.state("P")).toBe("in_progress/running/thinking");
  });

  test("R5: a replaced member keeps its name, its fate and its successor, and cannot be replaced twice", () => {
    const driver = diamond();
    driver.replan({ add: [{ name: "B2", prompt: "p", replaces: "B" }] });
    expect([driver.state("B"), driver.member("B").replacedBy]).toEqual(["cancelled/shutdown", "B2"]);
    expect(codesOf(driver.replan({ add: [{ name: "B", prompt: "p" }] }))).toEqual(["name_collision"]);
    const again = driver.replan({ add: [{ name: "B3", prompt: "p", replaces: "B" }] });
    expect(again.replies[0]?.reply).toMatchObject({
      refused: [{ code: "not_cancellable", data: { status: "replaced by B2" } }],
    });
  });

  test("a dependency on the one that is replaced means the one that takes its place", () => {
    const driver = diamond();
    const add = [
      { name: "B2", prompt: "p", replaces: "B" },
      { name: "E", prompt: "p", dependsOn: ["B"] },
    ];
    driver.replan({ add });
    expect(driver.member("E").dependsOn).toEqual(["B2-t1"]);
  });

  test("G6: a blocked member that is rewired to what has completed starts at once", () => {
    const driver = diamond();
    driver.complete("A");
    expect(resultOf(driver, { rewire: [{ name: "D", dependsOn: ["A"] }] })).toMatchObject({ stillBlocked: [] });
    expect(driver.state("D")).toBe("in_progress/running/thinking");
  });

  test("R12: a retry is a new attempt with a new prompt, and the old reason is gone", () => {
    const driver = diamond();
    driver.fail("A");
    expect(driver.member("A").reason).toBe("model_error: overloaded");
    driver.replan({ retry: [{ name: "A", prompt: "again" }] });
    expect(driver.member("A")).toMatchObject({ prompt: "again", reason: null });
    expect(driver.member("A").snapshot.context).toMatchObject({ attempt: 2, run: 2 });
    expect(driver.state("A")).toBe("in_progress/running/thinking");
  });

  test("a member whose upstream has not completed again goes back to blocked when it is retried", () => {
    const driver = new Driver();
    driver.create(["A!", "B<-A"]);
    driver.complete("A");
    driver.fail("B");
    driver.replan({ retry: [{ name: "A" }] });
    driver.replan({ retry: [{ name: "B" }] });
    expect(driver.state("B")).toBe("blocked/parked");
    driver.complete("A");
    expect([driver.state("B"), driver.member("B").snapshot.context.attempt]).toEqual([
      "in_progress/running/thinking",
      2,
    ]);
  });

  test.each([[["A", "B"]], [["B", "A"]]])(
    "G1: retried in one plan as %j, the downstream waits for its upstream",
    (order) => {
      const driver = new Driver();
      driver.create(["A!", "B!<-A"]);
      for (const name of ["A", "B"]) driver.complete(name);
      driver.replan({ retry: order.map((name) => ({ name })) });
      expect([driver.state("A"), driver.state("B")]).toEqual(["in_progress/running/thinking", "blocked/parked"]);
    },
  );

  test("a completed persistent member can be retried; what it started stays as it is, and the team runs again", () => {
    const driver = new Driver();
    driver.create(["A!", "B<-A"]);
    for (const name of ["A", "B"]) driver.complete(name);
    expect(driver.team()).toBe("finished");
    driver.replan({ retry: [{ name: "A" }] });
    expect([driver.state("B"), driver.team(), driver.unmet("B")]).toEqual(["completed/shutdown", "running", 1]);
    driver.complete("A");
    expect([driver.team(), driver.unmet("B")]).toEqual(["finished", 0]);
  });

  test("R5 G1: a blocked member that is cancelled shuts down whatever its lifetime, and never runs", () => {
    const driver = new Driver();
    driver.create(["A", "B!<-A"]);
    driver.replan({ cancel: ["B"] });
    expect(driver.state("B")).toBe("cancelled/shutdown");
    expect(codesOf(driver.send("B"))).toEqual(["recipient_closed"]);
  });

  test("a cancel keeps the attempt and the earlier failure's reason", () => {
    const driver = diamond();
    driver.fail("A");
    driver.replan({ cancel: ["A"] });
    expect(driver.member("A")).toMatchObject({ reason: "model_error: overloaded" });
    expect([driver.state("A"), driver.member("A").snapshot.context.attempt]).toEqual(["cancelled/shutdown", 1]);
  });

  test("R42: a plan asks idle and running members to shut down; an idle one is woken for the question", () => {
    const driver = new Driver();
    driver.create(["A!", "B!"]);
    driver.complete("A");
    driver.replan({ shutdown: ["A", "B"] });
    expect([driver.state("A"), driver.state("B")]).toEqual([
      "completed/draining/thinking",
      "in_progress/draining/thinking",
    ]);
    driver.run("A", "shutdown.replied", { accept: true, reason: "" });
    expect(driver.state("A")).toBe("completed/shutdown");
    driver.run("B", "shutdown.replied", { accept: false, reason: "one more minute" });
    expect(driver.state("B")).toBe("in_progress/running/thinking");
    driver.replan({ shutdown: ["B"] });
    driver.run("B", "shutdown.replied", { accept: false, reason: "and one more" });
    expect(driver.state("B")).toBe("cancelled/shutdown");
  });
});

describe("policies of a failed upstream", () => {
  test("R13 U34: by default downstream is blocked and other branches go on", () => {
    const driver = new Driver();
    driver.create(["A", "B<-A", "C", "D<-C"]);
    driver.fail("A");
    driver.complete("C");
    driver.complete("D");
    expect(["A", "B", "C", "D"].map((name) => driver.state(name).split("/")[0])).toEqual([
      "failed",
      "blocked",
      "completed",
      "completed",
    ]);
    expect(driver.team()).toBe("stalled");
  });

  test("R13: cancel takes everybody downstream with it", () => {
    const driver = new Driver();
    driver.create(["A", "B<-A", "C<-B", "D"], { upstreamFailure: "cancel" });
    driver.fail("A");
    expect(["B", "C", "D"].map((name) => driver.state(name))).toEqual([
      "cancelled/shutdown",
      "cancelled/shutdown",
      "in_progress/running/thinking",
    ]);
  });

  test("R13: skip lets a member that is added later start without the failed one, too", () => {
    const driver = new Driver();
    driver.create(["A", "B"], { upstreamFailure: "skip" });
    driver.fail("A");
    driver.replan({ add: [{ name: "C", prompt: "p", dependsOn: ["A"] }] });
    expect(driver.state("C")).toBe("in_progress/running/thinking");
  });

  test("R13: skip lets downstream start without it, once", () => {
    const driver = new Driver();
    driver.create(["A", "B<-A", "C<-A,B"], { upstreamFailure: "skip" });
    driver.fail("A");
    expect(driver.state("B")).toBe("in_progress/running/thinking");
    driver.replan({ retry: [{ name: "A" }] });
    expect(driver.unmet("C")).toBe(2);
    driver.complete("A");
    driver.complete("B");
    expect([driver.state("C"), driver.unmet("B")]).toEqual(["in_progress/running/thinking", 0]);
  });
});
