import { describe, expect, test } from "vitest";
import { codesOf, Driver, memberOf } from "../driver.ts";

const refused = (driver: Driver, ...given: Parameters<Driver["create"]>) => {
  const applied = driver.create(...given);
  const [first] = applied.replies;
  expect([driver.session.team, driver.session.members.size, driver.session.revision]).toEqual([null, 0, 0]);
  return first !== undefined && "refused" in first.reply ? first.reply.refused : [];
};

describe("team.create", () => {
  test("R1 R11 U45: starts who waits for nobody and blocks the rest, in one input", () => {
    const driver = new Driver();
    const { replies } = driver.create(["A", "B", "C<-A,B"]);
    const created = { type: "created", team: "Team one", revision: 1, started: ["A", "B"], blocked: ["C"] };
    expect(replies[0]?.reply).toEqual({ ok: created });
    expect(["A", "B", "C"].map((name) => driver.state(name))).toEqual([
      "in_progress/running/thinking",
      "in_progress/running/thinking",
      "blocked/parked",
    ]);
  });

  test("R2: names may be used before they are declared", () => {
    const driver = new Driver();
    expect(codesOf(driver.create(["C<-B", "B<-A", "A"]))).toBe("ok");
  });

  test("S21: of 500 unknown names in one dependsOn a hundred are told, and a nearest name is looked for a few times", () => {
    const names = Array.from({ length: 500 }, (_, index) => `Nobody ${index}`);
    const problems = refused(new Driver(), ["Nobody", `X<-${names.join(",")}`]);
    const nearest = problems.map(({ data }) => ("nearest" in data ? data.nearest : "none"));
    expect([problems.length, nearest.filter((name) => name === "Nobody").length]).toEqual([100, 5]);
  });

  test.each([
    ["U01 itself", ["A<-A"], ["A", "A"]],
    ["U01 each other", ["A<-B", "B<-A"], ["A", "B", "A"]],
    ["U01 three, upstream to downstream", ["X", "A<-C", "B<-A", "C<-B"], ["A", "B", "C", "A"]],
  ])("%s: a cycle is refused with its path", (_, members, path) => {
    expect(refused(new Driver(), members)).toEqual([{ code: "cycle", data: { path } }]);
  });

  test("U03: an unknown dependency is refused with the nearest name, and nothing starts", () => {
    const [problem] = refused(new Driver(), ["Alpha", "B<-Alhpa"]);
    expect(problem).toMatchObject({ code: "unknown_dependency", data: { dependency: "Alhpa", nearest: "Alpha" } });
  });

  test("U04 R67: an empty team is refused", () => {
    expect(refused(new Driver(), []).map((each) => each.code)).toEqual(["empty_team"]);
  });

  test.each([
    ["A", "A"],
    ["Code Review", "code-review"],
    ["\u00e9t\u00e9", "e\u0301te\u0301"],
    ["a.b", "A/B"],
    ["\uff21", "a"],
  ])("U05 R4: %s and %s cannot be told apart", (one, two) => {
    const members = [one, two].map((name) => memberOf("X", { name }));
    expect(refused(new Driver(), members).map((each) => each.code)).toEqual(["name_collision"]);
  });

  test.each(["Lead", "TEAM", "Broadcast", "all", "user", "system", "session", "team-lead", "*", "team lead"])(
    "R2 R6: %s is reserved",
    (name) => {
      expect(refused(new Driver(), [memberOf("X", { name })]).map((each) => each.code)).toEqual(["reserved_name"]);
    },
  );

  test.each(["", "---", "..", "\t", "a\r\nb", "x".repeat(65), "x".repeat(300), "\u2028"])(
    "U10: %j is no name",
    (name) => {
      expect(refused(new Driver(), [memberOf("X", { name })]).map((each) => each.code)).toEqual(["bad_name"]);
    },
  );

  test.each([
    "a.b",
    "a*",
    ">",
    "a>b",
    "A B",
    "a/b",
    "a\\b",
    "$SYS",
    "_INBOX",
    "\u9879\u76ee\u7ba1\u7406",
    "\u00e9",
    "\ud83d\ude00",
    "x".repeat(64),
  ])("U10 S17: %s is a name, and its token is one token", (name) => {
    const driver = new Driver();
    expect(codesOf(driver.create([memberOf("X", { name })]))).toBe("ok");
    expect(driver.member(name).token).toMatch(/^[A-Za-z0-9_-]+-t1$/);
  });

  test("U12: no dependencies, an empty list and repeated names mean what they say; an empty name is unknown", () => {
    const driver = new Driver();
    driver.create(["A", memberOf("B", { dependsOn: ["A", "A", "a"] })]);
    expect(driver.member("B")).toMatchObject({ dependsOn: ["A-t1"] });
    expect(driver.unmet("B")).toBe(1);
    const [problem] = refused(new Driver(), [memberOf("A", { dependsOn: [""] })]);
    expect(problem?.code).toBe("unknown_dependency");
  });

  test("R2: every fault is told at once, also a cycle beside others", () => {
    const members = [
      memberOf("A<-B"),
      memberOf("B<-A,Nobody"),
      memberOf("Lead"),
      memberOf("C", { agentType: "reviwer", prompt: "x".repeat(40_000) }),
    ];
    expect(refused(new Driver(), members).map((each) => each.code)).toEqual([
      "reserved_name",
      "unknown_agent_type",
      "prompt_too_large",
      "unknown_dependency",
      "cycle",
    ]);
  });

  test("S20: an unknown agent type is refused with the known ones and the nearest", () => {
    const [problem] = refused(new Driver(), [memberOf("A", { agentType: "reviwer" })]);
    expect(problem?.data).toMatchObject({ known: ["general", "reviewer"], nearest: "reviewer" });
  });

  test("R27: a prompt is measured in bytes: the limit passes, one more does not", () => {
    const limits = { promptBytesMax: 6 };
    expect(codesOf(new Driver({ limits }).create([memberOf("A", { prompt: "\u00e9\u00e9\u00e9" })]))).toBe("ok");
    const [problem] = refused(new Driver({ limits }), [memberOf("A", { prompt: "\u00e9\u00e9\u00e9x" })]);
    expect(problem).toMatchObject({ code: "prompt_too_large", data: { bytes: 7, promptBytesMax: 6 } });
  });

  test("S21: as many members as allowed, and not one more; fewer by a model's call", () => {
    const limits = { membersMax: 3, modelMembersMax: 2 };
    const names = ["A", "B", "C", "D"];
    expect(codesOf(new Driver({ limits }).create(names.slice(0, 3)))).toBe("ok");
    expect(refused(new Driver({ limits }), names).map((each) => each.code)).toEqual(["too_many_members"]);
    const driver = new Driver({ limits });
    const plan = {
      name: "T",
      members: names.slice(0, 3).map((name) => memberOf(name)),
      comms: "all",
      upstreamFailure: "block",
    } as const;
    const applied = driver.command({ type: "team.create", plan: "d", byModel: true }, { from: "lead", plan });
    expect(codesOf(applied)).toEqual(["too_many_members"]);
  });

  test("10,000 faults are judged in bounded time and told in part", () => {
    const members = Array.from({ length: 10_000 }, (_, index) => memberOf(`member ${index}<-nobody ${index}`));
    expect(refused(new Driver(), members)).toHaveLength(100);
  });

  test("R21: one team at a time; after its end the next one may even have its name", () => {
    const driver = new Driver();
    driver.create(["A"]);
    expect(codesOf(driver.create(["B"]))).toEqual(["team_exists"]);
    driver.dissolve("graceful");
    expect(codesOf(driver.create(["B"]))).toEqual(["team_exists"]);
    driver.dissolve("abort");
    expect(driver.create(["A", "B"]).replies[0]?.reply).toMatchObject({
      ok: { team: "Team one-2", started: ["A", "B"] },
    });
    expect([...driver.session.members.keys()]).toEqual(["A-t2", "B-t2"]);
  });

  test("the name of a later team is no longer than a name may be", () => {
    const driver = new Driver();
    const name = "😀".repeat(64);
    for (const expected of [name, `${"😀".repeat(62)}-2`, `${"😀".repeat(62)}-3`]) {
      driver.create(["A"], { name });
      expect(driver.session.team?.name).toBe(expected);
      driver.dissolve("abort");
    }
  });

  test("R52: a function, which submits no plan, is refused where one is required", () => {
    const driver = new Driver({ agentTypes: [{ name: "counter", kind: "function" }] });
    const planned = { agentType: "counter", requirePlan: true };
    expect(codesOf(driver.create([memberOf("A", planned)]))).toEqual(["bad_input"]);
    driver.create(["A"]);
    expect(codesOf(driver.replan({ add: [{ name: "B", prompt: "b", ...planned }] }))).toEqual(["bad_input"]);
    expect(codesOf(driver.replan({ add: [{ name: "B", prompt: "b", agentType: "counter" }] }))).toBe("ok");
  });

  test("a plan that isn't there, or of the other kind, is refused in words", () => {
    const driver = new Driver();
    const event = { type: "team.create", plan: "d", byModel: false } as const;
    expect(codesOf(driver.command(event, { from: "lead" }))).toEqual(["bad_input"]);
  });

  test("graph-runtime 12: 15 members that finish in any order always start the one behind them", () => {
    for (let round = 0; round < 40; round++) {
      const driver = new Driver();
      const names = Array.from({ length: 15 }, (_, index) => `M${index}`);
      driver.create([...names, `End<-${names.join(",")}`]);
      // A different order every round, from a fixed linear sequence.
      const order = names
        .map((name, index) => [(index * 7 + round * 11) % 31, name] as const)
        .toSorted(([a], [b]) => a - b);
      for (const [, name] of order) driver.run(name, "run.completed", {});
      expect(driver.state("End")).toBe("in_progress/running/thinking");
    }
  });

  test("graph-runtime 7: completing a member costs no more in a team four times the size", () => {
    const stepsOf = (count: number) => {
      const driver = new Driver();
      const names = Array.from({ length: count }, (_, index) => `M${index}`);
      driver.create(["Start", ...names.map((name) => `${name}<-Start`), `End<-${names.join(",")}`]);
      driver.run("Start", "run.completed", {});
      return names
        .map((name) => driver.run(name, "run.completed", {}))
        .reduce((sum, { steps, touched }) => sum + steps.length + touched.size, 0);
    };
    expect(stepsOf(1_200) / stepsOf(300)).toBeLessThan(4.1);
  });
});
