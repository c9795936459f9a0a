import { describe, expect, test } from "vitest";
import type { Applied } from "../../../src/machines/index.ts";
import { Driver } from "../driver.ts";

const ask = (driver: Driver, name = "A", call = "c1", timeoutMs?: number): Applied =>
  driver.run(name, "external.asked", { call, tool: "job", ...(timeoutMs === undefined ? {} : { timeoutMs }) });
const finish = (driver: Driver, call = "c1", more: { member?: string; from?: string } = {}): Applied => {
  const { from = "user", ...named } = more;
  return driver.command({ type: "external.answer", call, verdict: "ok", ...named }, { from });
};
const start = (driver: Driver, name = "A", call = "c1"): Applied =>
  driver.run(name, "tool.started", { call, tool: "job" });
const refusedWith = ({ replies }: Applied): unknown =>
  replies.flatMap(({ reply }) => ("refused" in reply ? reply.refused : []))[0];

/** A team whose member A has a call c1 that waits for somebody outside. */
function waiting(members: readonly string[] = ["A", "B"], timeoutMs?: number): Driver {
  const driver = new Driver();
  driver.create(members);
  start(driver);
  ask(driver, "A", "c1", timeoutMs);
  return driver;
}
const activityOf = (driver: Driver, name = "A"): unknown => driver.member(name).snapshot.value.run;

describe("a call that waits for somebody outside", () => {
  test("is seen to wait, goes on when it is answered, and is over with its end", () => {
    const driver = waiting();
    expect(activityOf(driver)).toEqual({ live: "waiting_external" });
    finish(driver);
    expect(activityOf(driver)).toEqual({ live: "tool" });
    expect(driver.session.outside).toMatchObject([{ call: "c1", answer: { verdict: "ok" } }]);
    driver.run("A", "tool.ended", { call: "c1", verdict: "ok" });
    expect([driver.session.outside, driver.session.outsideEnds]).toEqual([
      [],
      [{ actor: "A-t1", call: "c1", how: "answered" }],
    ]);
  });

  test.each([
    ["only an open call waits", "external.asked", "nowhere"],
    ["a call begins once", "tool.started", "c1"],
  ] as const)("%s: a report of another one has its place in the run, and changes nothing", (_, type, call) => {
    const driver = new Driver();
    driver.create(["A", "B"]);
    start(driver);
    const { k } = driver.member("A").run;
    const applied = driver.run("A", type, { call, tool: "job" });
    expect([applied.verdict, applied.why]).toEqual(["ignored", expect.stringContaining(call)]);
    expect(driver.member("A").run).toMatchObject({ k: k + 1, calls: ["c1"], externals: [] });
    expect([driver.session.outside, activityOf(driver)]).toEqual([[], { live: "tool" }]);
    expect(driver.run("A", "tool.ended", { call: "c1", verdict: "ok" }).verdict).toBe("handled");
    expect(activityOf(driver)).toEqual({ live: "thinking" });
  });

  test("a lead's call that is not open does not wait", () => {
    const driver = new Driver({ lead: "hosted" });
    driver.command({ type: "lead.prompt", bytes: 1 }, { from: "user" });
    const report = { type: "external.asked", run: 1, k: 1, call: "nowhere", tool: "job" } as const;
    expect(driver.apply({ actor: "lead", from: "lead", event: report }).verdict).toBe("ignored");
    expect([driver.session.outside, driver.session.lead.run.k]).toEqual([[], 1]);
  });

  test("is answered once, whoever answers: the second time is told so and changes nothing", () => {
    const driver = waiting();
    finish(driver);
    const before = driver.session.outside;
    expect(refusedWith(finish(driver))).toMatchObject({ code: "already_answered", data: { id: "c1" } });
    expect(driver.session.outside).toBe(before);
  });

  test("may be answered while no run waits for it, and by no member", () => {
    const driver = waiting();
    driver.lose("A");
    expect(activityOf(driver)).toEqual({ live: "thinking" });
    driver.run("B", "tool.started", { call: "b", tool: "tool" });
    const byMember = driver.byCall("B", "b", { type: "external.answer", call: "c1", verdict: "ok" });
    expect(refusedWith(byMember)).toMatchObject({ code: "lead_only" });
    finish(driver);
    // The next run asks again, and need not wait.
    ask(driver);
    expect(activityOf(driver)).toEqual({ live: "tool" });
  });

  test("keeps its deadline over runs and owners, and times out once", () => {
    const driver = waiting(["A"], 1_000);
    const [{ deadline } = {}] = driver.session.outside;
    driver.lose("A");
    driver.claim();
    ask(driver, "A", "c1", 9_000);
    expect(driver.session.outside[0]?.deadline).toEqual(deadline);
    const generation = deadline?.generation ?? 0;
    expect(driver.timer("external:A-t1:c1", generation + 1).verdict).toBe("stale");
    driver.timer("external:A-t1:c1", generation);
    expect(activityOf(driver)).toEqual({ live: "tool" });
    expect(driver.timer("external:A-t1:c1", generation).verdict).toBe("stale");
    expect(refusedWith(finish(driver))).toMatchObject({ code: "already_answered" });
  });

  test("is over with its run: a cancel, a failure and a dissolve end it", () => {
    for (const end of [
      (driver: Driver) => driver.replan({ cancel: ["A"] }),
      (driver: Driver) => driver.fail("A"),
      (driver: Driver) => driver.dissolve("abort"),
    ]) {
      const driver = waiting();
      end(driver);
      expect(driver.session.outside).toEqual([]);
      expect(refusedWith(finish(driver))).toMatchObject({ code: "already_answered", data: { how: "cancelled" } });
    }
  });
});

test("two members may have calls of one id: who is meant must be said", () => {
  const driver = waiting();
  start(driver, "B");
  ask(driver, "B");
  expect(refusedWith(finish(driver))).toMatchObject({
    code: "bad_input",
    data: { problem: expect.stringContaining("A, B each have") as string },
  });
  finish(driver, "c1", { member: "B" });
  expect([activityOf(driver), activityOf(driver, "B")]).toEqual([{ live: "waiting_external" }, { live: "tool" }]);
  expect(refusedWith(finish(driver, "c1", { member: "Bb" }))).toMatchObject({ code: "unknown_member" });
  finish(driver);
  expect(activityOf(driver)).toEqual({ live: "tool" });
});

test("an unknown call is refused with those that wait", () => {
  const driver = waiting();
  expect(refusedWith(finish(driver, "c2"))).toEqual({
    code: "unknown_call",
    data: { call: "c2", known: ["c1 (job of A)"] },
  });
});

test("who waits for nobody outside costs nothing: no entry is looked for and none is kept", () => {
  const driver = new Driver();
  driver.create(["A"]);
  start(driver);
  const { outside, outsideEnds } = driver.session;
  driver.run("A", "tool.ended", { call: "c1", verdict: "ok" });
  driver.fail("A");
  expect([driver.session.outside, driver.session.outsideEnds]).toEqual([outside, outsideEnds]);
  expect(driver.session.outside).toBe(outside);
});
