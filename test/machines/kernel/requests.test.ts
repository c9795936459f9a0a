import { describe, expect, test } from "vitest";
import type { PermissionRequest } from "../../../src/machines/index.ts";
import type { BodyRef } from "../../../src/protocol/input.ts";
import { projectStatus } from "../../../src/machines/index.ts";
import { codesOf, Driver, memberOf, type SessionOptions } from "../driver.ts";

const ask = { type: "permission.ask", kind: "tool", tool: "write_file", subject: "digest", approver: "user" } as const;
const answer = (driver: Driver, request: string, approve = true, from = "user") =>
  driver.command({ type: "permission.answer", request, approve }, { from });
const asking = (options: SessionOptions = {}, approver: "user" | "lead" = "user") => {
  const driver = new Driver(options);
  driver.create(["A", "B"]);
  driver.call("A", { ...ask, approver });
  return { driver, request: driver.session.requests[0]!.id };
};
const verdictsOf = (applied: { replies: readonly { reply: object }[] }) =>
  applied.replies.flatMap(({ reply }) =>
    "ok" in reply && "verdict" in (reply.ok as object) ? [(reply.ok as { verdict: string }).verdict] : [],
  );

/** The status with every body at hand, or with none. */
const statusOf = (driver: Driver, hasBodies: boolean) =>
  projectStatus(driver.session, driver.kernel.steppers.facts, () => undefined, {
    changed: true,
    caller: "lead",
    ...(hasBodies
      ? {
          planOf: ({ digest, bytes }: BodyRef) => (bytes > 2_000 ? digest.repeat(bytes) : { digest }),
          textsOf: ({ input }: PermissionRequest) => ({ input: `${input?.bytes} bytes` }),
        }
      : {}),
  });

describe("what people are asked to judge", () => {
  test.each([
    [10, /^\{"digest":"d"\}$/u],
    [5_000, /^d{2000}\.\.\. \(3000 characters more\)$/u],
  ])("a body of %i bytes is shown, a long one cut and said to be, where bodies are at hand", (bytes, shown) => {
    const driver = new Driver();
    driver.create(["A", memberOf("P", { requirePlan: true })]);
    driver.call("A", ask, { body: { digest: "d", bytes } });
    driver.call("P", { type: "plan.submit" }, { body: { digest: "d", bytes } });
    const { permissionRequests, members } = statusOf(driver, true);
    expect(permissionRequests[0]?.input).toBe(`${bytes} bytes`);
    expect(members.map(({ plan }) => plan)).toEqual([undefined, expect.stringMatching(shown)]);
    const without = statusOf(driver, false);
    expect(JSON.stringify(without)).not.toMatch(/"(?:input|plan)":/u);
    driver.command({ type: "plan.answer", member: "P", approve: false });
    expect(driver.member("P").run.plan).toBeNull();
  });
});

describe("G10: a permission request", () => {
  test("keeps its member waiting, with a timer, and goes on when it is answered", () => {
    const { driver, request } = asking();
    expect(driver.state("A")).toBe("in_progress/running/waiting_permission");
    expect([verdictsOf(answer(driver, request)), driver.state("A")]).toEqual([
      ["approved"],
      "in_progress/running/tool",
    ]);
  });

  test("is answered once: the second answer is told so, an unknown one too", () => {
    const { driver, request } = asking();
    answer(driver, request, false);
    expect([codesOf(answer(driver, request)), codesOf(answer(driver, "nobody's"))]).toEqual([
      ["already_answered"],
      ["unknown_permission"],
    ]);
  });

  test("times out when nobody answers, by its own timer only", () => {
    const { driver, request } = asking();
    const { generation } = driver.session.requests[0]!.deadline;
    expect(driver.timer(`permission:${request}`, generation + 1).verdict).toBe("stale");
    expect(verdictsOf(driver.timer(`permission:${request}`, generation))).toEqual(["timed_out"]);
    expect(driver.timer(`permission:${request}`, generation).verdict).toBe("stale");
  });

  test.each([
    ["a cancel", (driver: Driver) => driver.replan({ cancel: ["A"] })],
    ["a failure", (driver: Driver) => driver.fail("A")],
    ["a new owner", (driver: Driver) => driver.claim()],
    ["a lost run", (driver: Driver) => driver.lose("A")],
    ["an abort", (driver: Driver) => driver.dissolve("abort")],
    [
      "the end of the session",
      (driver: Driver) => driver.apply({ actor: "session", from: "user", event: { type: "session.closed" } }),
    ],
  ])("is cancelled by %s", (_, end) => {
    const { driver } = asking();
    expect([verdictsOf(end(driver)), driver.session.requests]).toEqual([["cancelled"], []]);
  });

  test("waits for the user, not for the Lead, unless it says so or nobody leads", () => {
    const hosted = asking({ lead: "hosted" });
    expect(codesOf(answer(hosted.driver, hosted.request, true, "lead"))).toEqual(["permission_denied"]);
    const lead = asking({ lead: "hosted" }, "lead");
    expect(verdictsOf(answer(lead.driver, lead.request, true, "lead"))).toEqual(["approved"]);
    const none = asking({ lead: "none" });
    expect(verdictsOf(answer(none.driver, none.request, true, "lead"))).toEqual(["approved"]);
  });

  test("of two members with one call id: each gets its own answer", () => {
    const driver = new Driver();
    driver.create(["A", "B"]);
    for (const name of ["A", "B"]) {
      driver.run(name, "tool.started", { call: "call_0", tool: "t" });
      driver.byCall(name, "call_0", ask);
    }
    expect(driver.session.requests.map((each) => each.id)).toEqual(["call_0", "call_0:B-t1"]);
    const applied = answer(driver, "call_0:B-t1");
    expect(applied.replies[0]?.to).toEqual({ from: "B-t1", id: "call_0" });
    expect([driver.state("A"), driver.state("B")]).toEqual([
      "in_progress/running/waiting_permission",
      "in_progress/running/tool",
    ]);
  });

  test("ends with its call: a tool that was aborted waits no more, and its call id can ask anew", () => {
    const driver = new Driver();
    driver.create(["A"]);
    driver.run("A", "tool.started", { call: "c", tool: "t" });
    driver.byCall("A", "c", ask);
    const ended = driver.run("A", "tool.ended", { call: "c", verdict: "interrupted" });
    expect([verdictsOf(ended), driver.session.requests, driver.state("A")]).toEqual([
      ["cancelled"],
      [],
      "in_progress/running/thinking",
    ]);
    driver.run("A", "tool.started", { call: "c", tool: "t" });
    driver.byCall("A", "c", ask);
    expect(driver.session.requests.map((each) => each.id)).toEqual(["c"]);
  });

  test("under an id of its own ends with the call in whose name it asks, and with no other", () => {
    const driver = new Driver();
    driver.create(["A"]);
    for (const call of ["c", "d"]) {
      driver.run("A", "tool.started", { call, tool: "t" });
      driver.byCall("A", `ask of ${call}`, { ...ask, kind: "network", call });
    }
    const ended = driver.run("A", "tool.ended", { call: "c", verdict: "ok" });
    expect([verdictsOf(ended), driver.session.requests.map(({ id }) => id)]).toEqual([["cancelled"], ["ask of d"]]);
    driver.run("A", "tool.ended", { call: "d", verdict: "ok" });
    expect([driver.session.requests, driver.state("A")]).toEqual([[], "in_progress/running/thinking"]);
  });

  test("is never answered by the refusal of another input that bears its call id", () => {
    const driver = new Driver();
    driver.create(["A"]);
    driver.run("A", "tool.started", { call: "c", tool: "t" });
    driver.byCall("A", "c", ask);
    const forged = driver.byCall("A", "c", { type: "run.lost", run: 1, reason: "x" }, { id: "forged" });
    expect(forged.replies.map(({ to }) => to)).toEqual([{ from: "A-t1", id: "forged" }]);
    expect(driver.session.requests).toHaveLength(1);
  });

  test("of parallel calls: the member waits until the last is answered", () => {
    const { driver, request } = asking();
    driver.call("A", ask);
    const second = driver.session.requests[1]!.id;
    answer(driver, request);
    expect(driver.state("A")).toBe("in_progress/running/waiting_permission");
    answer(driver, second);
    expect(driver.state("A")).toBe("in_progress/running/tool");
  });
});

describe("a plan that needs approval", () => {
  const planning = () => {
    const driver = new Driver({ lead: "own" });
    driver.create([memberOf("A", { requirePlan: true }), "B"]);
    return driver;
  };
  const decide = (driver: Driver, approve: boolean) => driver.command({ type: "plan.answer", member: "A", approve });

  test("holds the member in planning until it is approved, and complete is refused meanwhile", () => {
    const driver = planning();
    expect(driver.state("A")).toBe("in_progress/running/planning");
    expect(codesOf(driver.call("A", { type: "work.complete" }))).toEqual(["permission_denied"]);
    driver.call("A", { type: "plan.submit" });
    expect(driver.state("A")).toBe("in_progress/running/waiting_plan_approval");
    expect(decide(driver, false).replies[0]?.reply).toEqual({ ok: { type: "plan", approved: false } });
    driver.call("A", { type: "plan.submit" });
    decide(driver, true);
    expect(driver.state("A")).toBe("in_progress/running/tool");
    expect(codesOf(driver.call("A", { type: "plan.submit" }))).toEqual(["disabled"]);
  });

  test("is told to the Lead; an answer without a plan, or to nobody, is refused", () => {
    const driver = planning();
    expect(codesOf(decide(driver, true))).toEqual(["unknown_permission"]);
    expect(codesOf(driver.command({ type: "plan.answer", member: "Z", approve: true }))).toEqual(["unknown_member"]);
    driver.call("A", { type: "plan.submit" });
    expect(driver.session.lead.unread).toMatchObject([{ notice: "plan_requested", about: "A", wakes: true }]);
  });

  test("that is approved while another call waits for a permission goes on waiting for that", () => {
    const driver = planning();
    driver.call("A", { type: "plan.submit" });
    driver.call("A", ask);
    decide(driver, true);
    expect(driver.state("A")).toBe("in_progress/running/waiting_permission");
  });

  test("ends with its run: the call is answered, and a late approval refused", () => {
    const driver = planning();
    driver.call("A", { type: "plan.submit" });
    expect(codesOf(driver.replan({ cancel: ["A"] }))).toEqual(["fenced"]);
    expect(codesOf(decide(driver, true))).toEqual(["unknown_permission"]);
  });
});
