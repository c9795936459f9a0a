import { describe, expect, test } from "vitest";
import type { InputEvent } from "../../../src/protocol/input.ts";
import { SeedTask } from "../../../src/protocol/task.ts";
import { codesOf, Driver } from "../driver.ts";

const team = (members: readonly string[] = ["A"], options: ConstructorParameters<typeof Driver>[0] = {}): Driver => {
  const driver = new Driver(options);
  driver.create(members);
  return driver;
};

describe("an invited agent", () => {
  test("R45: joins as a persistent member under its own name, and starts at once", () => {
    const driver = team();
    const applied = driver.invite({ agent: "Guest", prompt: "help" });
    expect(applied.replies[0]?.reply).toEqual({
      ok: { type: "invited", name: "Guest", agent: "Guest", revision: 2, started: true },
    });
    expect(driver.state("Guest")).toBe("in_progress/running/thinking");
    expect(driver.member("Guest")).toMatchObject({
      lifetime: "persistent",
      prompt: "help",
      agentType: "Guest",
      description: "Guest helps",
      invited: { agent: "Guest", turnsMax: null },
    });
  });

  test("R45: has nothing of an agent type, also of one that is called like it", () => {
    const tasks = [SeedTask.parse({ subject: "seed" })];
    const driver = team(["A"], { agentTypes: [{ name: "Guest", kind: "model", idleMs: 9, tasks }] });
    driver.invite({ agent: "Guest" });
    expect(driver.member("Guest").idleMs).toBeNull();
    expect(driver.session.team?.board ?? null).toBeNull();
  });

  test("R45: under another name it is written to by that one, whoever writes", () => {
    const driver = team(["A"]);
    driver.invite({ agent: "Guest", as: "Historian" });
    expect(codesOf(driver.send("historian"))).toBe("ok");
    expect(codesOf(driver.call("A", { type: "message.send", to: "Historian", kind: "text", bytes: 1 }))).toBe("ok");
    expect(codesOf(driver.send("Guest"))).toEqual(["unknown_recipient"]);
  });

  test("waits for whom it depends on, and members may depend on it", () => {
    const driver = team(["A"]);
    expect(driver.invite({ agent: "Guest", dependsOn: ["A"] }).replies[0]?.reply).toMatchObject({
      ok: { started: false },
    });
    expect(driver.state("Guest")).toBe("blocked/parked");
    driver.replan({ add: [{ name: "B", prompt: "b", dependsOn: ["Guest"] }] });
    driver.complete("A");
    driver.complete("Guest");
    expect([driver.state("Guest"), driver.state("B")]).toEqual(["completed/idle", "in_progress/running/thinking"]);
  });

  test("waits for the one that took the place of whom it names", () => {
    const driver = team(["A"]);
    driver.replan({ add: [{ name: "A2", prompt: "a", replaces: "A" }] });
    driver.replan({ add: [{ name: "A3", prompt: "a", replaces: "A2" }] });
    driver.invite({ agent: "Guest", dependsOn: ["A"] });
    expect(driver.member("Guest").dependsOn).toEqual([driver.member("A3").token]);
  });

  test("keeps a finished team from being finished until it has delivered too", () => {
    const driver = team(["A"]);
    driver.complete("A");
    expect(driver.team()).toBe("finished");
    driver.invite({ agent: "Guest" });
    expect(driver.team()).toBe("running");
    driver.complete("Guest");
    expect(driver.team()).toBe("finished");
  });

  test("takes the turns that its agent has, not those of the limits", () => {
    const driver = team(["A"], { limits: { turnsMax: 20 } });
    driver.invite({ agent: "Guest" }, { turnsMax: 1 });
    driver.send("Guest");
    driver.endTurn("Guest");
    expect([driver.state("Guest"), driver.member("Guest").reason]).toEqual([
      "failed/parked",
      "budget: it took all its turns without a result (turnsMax)",
    ]);
  });
});

describe("an invitation is refused, and changes nothing,", () => {
  const refused = (driver: Driver, ...given: Parameters<Driver["invite"]>) => {
    const before = driver.session.team;
    const applied = driver.invite(...given);
    expect(driver.session.team).toBe(before);
    return applied.replies[0]?.reply;
  };

  test("when nobody offers the agent: it lists who is offered, and the nearest", () => {
    expect(refused(team(), { agent: "Guesst" }, { offered: false })).toEqual({
      refused: [
        {
          code: "not_invitable",
          data: {
            name: "Guesst",
            reason: "nobody offers it",
            known: ["Guest", "Translator"],
            nearest: "Guest",
          },
        },
      ],
    });
  });

  test("when the agent is in the team already, under whatever name", () => {
    const driver = team();
    driver.invite({ agent: "Guest", as: "Historian" });
    expect(refused(driver, { agent: "Guest" })).toMatchObject({
      refused: [{ code: "not_invitable", data: { reason: "it is in this team already, as Historian" } }],
    });
  });

  test.each([
    ["a name of the roster, however it is written", { as: "a" }, "name_collision"],
    ["a reserved name", { as: "team-lead" }, "reserved_name"],
    ["a name that is none", { as: "---" }, "bad_name"],
    ["a dependency that is nobody", { dependsOn: ["B"] }, "unknown_dependency"],
    ["a prompt above the limit", { prompt: "x".repeat(40_000) }, "prompt_too_large"],
  ])("for %s", (_what, more, code) => {
    expect(refused(team(), { agent: "Guest", ...more })).toMatchObject({ refused: [{ code }] });
  });

  test("all its faults together", () => {
    const reply = refused(team(), { agent: "Guest", as: "A", dependsOn: ["X", "Y"] });
    expect(reply).toMatchObject({
      refused: [{ code: "unknown_dependency" }, { code: "unknown_dependency" }, { code: "name_collision" }],
    });
  });

  test("above the number of members that its inviter may have", () => {
    const driver = team(["A"], { limits: { modelMembersMax: 1 } });
    expect(refused(driver, { agent: "Guest" }, { byModel: true })).toMatchObject({
      refused: [{ code: "too_many_members", data: { count: 2, membersMax: 1 } }],
    });
    expect(codesOf(driver.invite({ agent: "Guest" }))).toBe("ok");
  });

  test("without a team, or in one that is dissolved", () => {
    expect(codesOf(new Driver().invite({ agent: "Guest" }))).toEqual(["no_team"]);
    const driver = team();
    driver.dissolve("abort");
    expect(codesOf(driver.invite({ agent: "Guest" }))).toEqual(["team_dissolved"]);
  });

  test("G9: by a member, even an invited one", () => {
    const driver = team();
    driver.invite({ agent: "Guest" });
    for (const name of ["A", "Guest"]) {
      const event: InputEvent = { type: "team.invite", plan: "d", byModel: true, agent: null, known: [] };
      expect(codesOf(driver.call(name, event, { plan: { agent: "Translator", dependsOn: [] } }))).toEqual([
        "lead_only",
      ]);
    }
  });
});

describe("letting go of an invited agent", () => {
  test("R45: a graceful dissolve asks whom the team created and lets go of whom it invited", () => {
    const driver = team(["A"]);
    driver.invite({ agent: "Guest" });
    const { steps } = driver.dissolve("graceful");
    expect([driver.state("A"), driver.state("Guest")]).toEqual(["in_progress/draining/thinking", "cancelled/shutdown"]);
    const told = steps.filter(({ actor }) => actor === driver.member("Guest").token).map(({ event }) => event.type);
    expect(told).toEqual(["member.shutdown"]);
  });

  test("a team in which only invited agents work is dissolved at once", () => {
    const driver = team(["A"]);
    driver.invite({ agent: "Guest" });
    driver.complete("A");
    driver.dissolve("graceful");
    expect([driver.team(), driver.session.team?.grace]).toEqual(["dissolved", null]);
  });

  test("a replan that shuts it down lets go of it in the middle of its work, without a word", () => {
    const driver = team(["A"]);
    driver.invite({ agent: "Guest" });
    expect(codesOf(driver.replan({ shutdown: ["Guest"] }))).toBe("ok");
    expect(driver.state("Guest")).toBe("cancelled/shutdown");
    expect(codesOf(driver.send("Guest"))).toEqual(["recipient_closed"]);
  });

  test("it may join the same team again, by another name: names are never used twice", () => {
    const driver = team(["A"]);
    driver.invite({ agent: "Guest" });
    driver.replan({ shutdown: ["Guest"] });
    expect(codesOf(driver.invite({ agent: "Guest" }))).toEqual(["name_collision"]);
    expect(codesOf(driver.invite({ agent: "Guest", as: "Guest again" }))).toBe("ok");
  });

  test("an idle one is let go of by its timer, like every other", () => {
    const driver = team(["A"], { limits: { idleMs: 1_000 } });
    driver.invite({ agent: "Guest" });
    driver.complete("Guest");
    const { token, snapshot } = driver.member("Guest");
    driver.timer(`idle:${token}`, snapshot.context.run);
    expect(driver.state("Guest")).toBe("completed/shutdown");
  });

  test("cancelled, it stays idle like any persistent member, and what it wrote before is kept", () => {
    const driver = team(["A"]);
    driver.invite({ agent: "Guest" });
    driver.replan({ cancel: ["Guest"] });
    expect(driver.state("Guest")).toBe("cancelled/idle");
  });
});
