import { describe, expect, test } from "vitest";
import { ReplanSpec, type ReplanSpecInput } from "../../../src/protocol/index.ts";
import { codesOf, Driver, memberOf } from "../driver.ts";

describe("a replan is bounded", () => {
  test("S21: a replan cannot grow the team beyond its limit", () => {
    const driver = new Driver({ limits: { membersMax: 2 } });
    driver.create(["A"]);
    expect(codesOf(driver.replan({ add: [{ name: "B", prompt: "p" }] }))).toBe("ok");
    expect(codesOf(driver.replan({ add: [{ name: "C", prompt: "p" }] }))).toEqual(["too_many_members"]);
  });

  test("S21: a model's replan is held to modelMembersMax in all; it may still change a team that the host made larger", () => {
    const driver = new Driver({ lead: "own", limits: { modelMembersMax: 2 } });
    driver.create(["A"]);
    const byModel = (spec: ReplanSpecInput) =>
      codesOf(
        driver.command(
          { type: "team.replan", plan: "d", byModel: true },
          { from: "lead", plan: ReplanSpec.parse(spec) },
        ),
      );
    const added = (...names: string[]) => ({ add: names.map((name) => ({ name, prompt: "p" })) });
    expect([byModel(added("B", "C")), byModel(added("B")), byModel(added("C"))]).toEqual([
      ["too_many_members"],
      "ok",
      ["too_many_members"],
    ]);
    expect([codesOf(driver.replan(added("C"))), byModel({ cancel: ["C"] })]).toEqual(["ok", "ok"]);
  });

  test("S21: the new prompt of a retry is held to promptBytesMax, as the first one was", () => {
    const driver = new Driver({ limits: { promptBytesMax: 8 } });
    driver.create(["A"]);
    driver.run("A", "run.failed", { reason: "script: x" });
    expect(codesOf(driver.replan({ retry: [{ name: "A", prompt: "nine byte" }] }))).toEqual(["prompt_too_large"]);
    expect(driver.state("A")).toBe("failed/parked");
    expect(codesOf(driver.replan({ retry: [{ name: "A", prompt: "8 bytes!" }] }))).toBe("ok");
  });

  test("S21: descriptions are held to promptBytesMax: every member reads that of its team and of the others", () => {
    const driver = new Driver({ limits: { promptBytesMax: 8 } });
    const long = "a description";
    const described = memberOf("A", { description: long });
    expect(codesOf(driver.create([described], { description: long }))).toEqual([
      "payload_too_large",
      "payload_too_large",
    ]);
    driver.create(["A"], { description: "short" });
    const added = { name: "B", prompt: "p", description: long };
    expect(codesOf(driver.replan({ add: [added] }))).toEqual(["payload_too_large"]);
  });

  const names = (count: number) => Array.from({ length: count }, (_, index) => `Nobody ${index}`);
  test.each<[string, ReplanSpecInput]>([
    ["members to cancel", { cancel: names(500) }],
    [
      "members to replace",
      { add: names(500).map((replaces, index) => ({ name: `X${index}`, prompt: "p", replaces })) },
    ],
    ["dependencies of one member", { add: [{ name: "X", prompt: "p", dependsOn: names(500) }] }],
    ["dependencies of one that is rewired", { rewire: [{ name: "D", dependsOn: names(500) }] }],
  ])("S21: of 500 unknown %s a hundred are told, and a nearest name is looked for a few times", (_, spec) => {
    const driver = new Driver();
    driver.create(["A", "D<-A"]);
    driver.replan({ add: [{ name: "Nobody", prompt: "p" }] });
    const reply = driver.replan(spec).replies[0]?.reply;
    const refused = reply !== undefined && "refused" in reply ? reply.refused : [];
    const nearest = refused.map(({ data }) => ("nearest" in data ? data.nearest : "none"));
    expect([refused.length, nearest.filter((name) => name === "Nobody").length]).toEqual([100, 5]);
  });

  test("a hub of 10,000 is replaced in one go", () => {
    const driver = new Driver();
    driver.create(["Hub", ...Array.from({ length: 10_000 }, (_, index) => `M${index}<-Hub`)]);
    driver.replan({ add: [{ name: "Hub2", prompt: "p", replaces: "Hub" }] });
    expect([driver.member("Hub").downstream.length, driver.member("Hub2").downstream.length]).toEqual([0, 10_000]);
  });

  test("10,000 that one member waits for are cancelled and replaced in one go", () => {
    const driver = new Driver();
    const all = Array.from({ length: 10_000 }, (_, index) => `M${index}`);
    driver.create([...all, `Z<-${all.join(",")}`]);
    const add = all.map((name) => ({ name: `New ${name}`, prompt: "p", replaces: name }));
    expect(codesOf(driver.replan({ cancel: all, add }))).toBe("ok");
    expect(driver.member("Z").dependsOn).toHaveLength(10_000);
    expect(
      codesOf(driver.replan({ retry: add.map(({ name }) => ({ name })), cancel: add.map(({ name }) => name) })),
    ).toHaveLength(100);
  });
});
