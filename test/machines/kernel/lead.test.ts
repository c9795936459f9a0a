import { describe, expect, test } from "vitest";
import type { TeamSpec } from "../../../src/protocol/index.ts";
import { codesOf, Driver, memberOf } from "../driver.ts";

describe("a hosted lead", () => {
  const prompted = () => {
    const driver = new Driver({ lead: "hosted" });
    driver.command({ type: "lead.prompt", bytes: 5 });
    driver.inject("Lead");
    return driver;
  };
  const turn = (driver: Driver) => driver.kernel.steppers.facts.lead(driver.session.lead.snapshot).turn;
  const endTurn = (driver: Driver) => driver.endTurn("Lead");

  const entrusted = {
    type: "permission.ask",
    kind: "tool",
    tool: "write_file",
    subject: "digest",
    approver: "lead",
  } as const;

  test("asks for a permission, waits, and goes on with the user's answer; its own is refused", () => {
    const driver = prompted();
    driver.call("Lead", entrusted);
    const [request] = driver.session.requests;
    expect([turn(driver), request?.member, request?.approver]).toEqual(["asking_user", "lead", "user"]);
    const answer = { type: "permission.answer", request: request?.id ?? "", approve: true } as const;
    expect(codesOf(driver.call("Lead", answer))).toEqual(["permission_denied"]);
    const applied = driver.command(answer);
    expect(applied.replies.map(({ to }) => to.from)).toContain("lead");
    expect([turn(driver), driver.session.requests, driver.session.lead.run.asks]).toEqual(["tool", [], []]);
  });

  test.each(["turn.ended", "run.failed", "run.lost"] as const)("its %s answers what it asked for: cancelled", (end) => {
    const driver = prompted();
    driver.call("Lead", entrusted);
    const applied =
      end === "run.lost"
        ? driver.apply({ actor: "lead", from: "system", event: { type: end, run: 1, reason: "node gone" } })
        : driver.run("Lead", end, end === "run.failed" ? { reason: "x" } : { finish: "stop" });
    const verdicts = applied.replies.map(({ reply }) => ("ok" in reply ? reply.ok : null));
    expect(verdicts).toContainEqual({ type: "permission", verdict: "cancelled", note: null });
    expect([driver.session.requests, driver.session.lead.run.asks]).toEqual([[], []]);
  });

  test("answers a member's request that waits for it, and gets a notice that says so; not one for the user", () => {
    const driver = prompted();
    driver.create(["A", "B"]);
    driver.call("A", entrusted);
    driver.call("B", { ...entrusted, approver: "user" });
    expect(driver.session.lead.unread.flatMap(({ notice }) => notice ?? [])).toEqual([
      "permission_to_answer",
      "permission_requested",
    ]);
    const [own, other] = driver.session.requests;
    const answerOf = (id = "") => ({ type: "permission.answer", request: id, approve: true }) as const;
    expect(codesOf(driver.call("Lead", answerOf(other?.id)))).toEqual(["permission_denied"]);
    expect(codesOf(driver.call("Lead", answerOf(own?.id)))).toBe("ok");
    expect(driver.session.requests).toEqual([other]);
  });

  test("asks the user and waits for the answer", () => {
    const driver = prompted();
    driver.call("Lead", { type: "question.ask" });
    expect(turn(driver)).toBe("asking_user");
    const { call } = driver.session.lead.questions[0]!;
    const applied = driver.command({ type: "question.answer", call });
    expect([applied.replies[0]?.reply, turn(driver)]).toEqual([{ ok: { type: "question" } }, "tool"]);
    expect(codesOf(driver.command({ type: "question.answer", call }))).toEqual(["unknown_permission"]);
  });

  test("is the only one who can ask the user", () => {
    const driver = new Driver({ lead: "own" });
    expect(codesOf(driver.command({ type: "question.ask" }, { from: "lead" }))).toEqual(["no_lead"]);
    expect(codesOf(driver.command({ type: "lead.prompt", bytes: 1 }))).toEqual(["no_lead"]);
  });

  test("U54: whose turn ends leaves no poll and no question behind", () => {
    const driver = prompted();
    driver.call("Lead", { type: "question.ask" });
    const applied = driver.run("Lead", "run.failed", { reason: "model_error: network" });
    expect([codesOf(applied), driver.session.lead.questions, turn(driver)]).toEqual([["fenced"], [], "waiting_user"]);
  });

  test("R33: is woken once for a batch of news, and not by idleness", () => {
    const driver = prompted();
    driver.create(["A", "B", "P!"]);
    endTurn(driver);
    expect(turn(driver)).toBe("ended");
    driver.endTurn("P");
    expect(turn(driver)).toBe("ended");
    driver.fail("A");
    expect([turn(driver), driver.session.lead.snapshot.context.run]).toEqual(["thinking", 2]);
    driver.fail("B");
    expect(driver.session.lead.snapshot.context.run).toBe(2);
  });

  test("G5: a failure that arrives while it ends its turn gets a turn of its own", () => {
    const driver = prompted();
    driver.create(["A", "B"]);
    driver.fail("A");
    endTurn(driver);
    expect([turn(driver), driver.session.lead.snapshot.context.run]).toEqual(["thinking", 2]);
  });

  test("that fails on news is not woken by the same news for ever, but by the next", () => {
    const driver = prompted();
    driver.create(["A", "B"]);
    endTurn(driver);
    driver.fail("A");
    driver.run("Lead", "run.failed", { reason: "model_error: network" });
    expect([turn(driver), driver.session.lead.failure]).toEqual(["ended", "model_error: network"]);
    expect(driver.session.lead.unread.map((mail) => mail.notice)).toContain("member_failed");
    driver.fail("B");
    expect(turn(driver)).toBe("thinking");
  });

  test("whose run is lost three times in a row ends its turn", () => {
    const driver = prompted();
    for (let each = 0; each < 2; each++) driver.lose("Lead");
    expect(turn(driver)).toBe("thinking");
    driver.lose("Lead");
    expect([turn(driver), driver.session.lead.failure]).toEqual(["waiting_user", "node gone"]);
  });

  test("is told of what the user plans, and of the user's dissolve without being woken by it", () => {
    const driver = prompted();
    endTurn(driver);
    const plan: TeamSpec = { name: "T", members: [memberOf("A!")], comms: "all", upstreamFailure: "block" };
    driver.command({ type: "team.create", plan: "d", byModel: false }, { plan });
    expect(driver.session.lead.unread.map((mail) => mail.notice)).toEqual(["user_planned"]);
    driver.inject("Lead");
    endTurn(driver);
    driver.dissolve("graceful", { from: "user" });
    expect([turn(driver), driver.session.lead.unread.map((mail) => mail.notice)]).toEqual([
      "ended",
      ["team_dissolved"],
    ]);
  });

  test("that reads nothing keeps the latest news of each member, and every failure", () => {
    const driver = new Driver({ lead: "own" });
    driver.create([memberOf("A"), memberOf("P", { requirePlan: true })]);
    const ask = { type: "permission.ask", kind: "tool", tool: "t", subject: "s", approver: "user" } as const;
    for (let each = 0; each < 3; each++) {
      driver.call("A", ask);
      driver.command({ type: "permission.answer", request: driver.session.requests[0]!.id, approve: true });
      driver.call("P", { type: "plan.submit" });
      driver.command({ type: "plan.answer", member: "P", approve: false });
    }
    for (let each = 0; each < 3; each++) {
      driver.fail("A", `model_error: ${each}`);
      driver.replan({ retry: [{ name: "A" }] });
    }
    const told = driver.session.lead.unread.map(({ notice, about, reason }) => [notice, about, reason]);
    expect(told).toEqual([
      ["permission_requested", "A", "tool: t"],
      ["plan_requested", "P", null],
      ...[0, 1, 2].map((each) => ["member_failed", "A", `model_error: ${each}`]),
    ]);
  });

  test("R67: whose members are all cancelled is told that the team is stalled", () => {
    const driver = prompted();
    driver.create(["A", "B<-A"]);
    driver.inject("Lead");
    endTurn(driver);
    driver.replan({ cancel: ["A", "B"] }, "user");
    expect([driver.team(), turn(driver)]).toEqual(["stalled", "thinking"]);
    expect(driver.session.lead.unread.map(({ notice, wakes }) => [notice, wakes])).toContainEqual([
      "team_stalled",
      true,
    ]);
  });

  test("takes as many prompts as its mailbox holds", () => {
    const driver = new Driver({ lead: "hosted", limits: { unreadMessagesMax: 2 } });
    const prompts = [1, 2, 3].map(() => codesOf(driver.command({ type: "lead.prompt", bytes: 1 })));
    expect(prompts).toEqual(["ok", "ok", ["mailbox_full"]]);
  });
});

describe("a long poll", () => {
  const leading = () => {
    const driver = new Driver({ lead: "hosted" });
    driver.command({ type: "lead.prompt", bytes: 5 });
    driver.inject("Lead");
    driver.create(["A", "B<-A"]);
    return driver;
  };
  const poll = (driver: Driver, since: number = driver.session.notableVersion) =>
    driver.call("Lead", { type: "team.status", since });
  const status = (applied: { replies: readonly { reply: object }[] }) => applied.replies.map(({ reply }) => reply);

  test("is answered at once when something notable has happened since", () => {
    const driver = leading();
    driver.fail("A");
    const expected = { ok: { type: "status", changed: true, waitedMs: 0, timedOut: false } };
    expect(status(poll(driver, 0))).toEqual([expected]);
  });

  test("R38: waits, and is answered by the input that makes the news; what it shows counts as seen", () => {
    const driver = leading();
    expect(status(poll(driver))).toEqual([]);
    driver.at += 1_500;
    const expected = { ok: { type: "status", changed: true, waitedMs: 1_500, timedOut: false } };
    expect(status(driver.fail("A"))).toEqual([expected]);
    expect(driver.session.lead.unread.filter((mail) => mail.wakes)).toEqual([]);
  });

  test("R38: since a version that is yet to come, waits for the next news all the same", () => {
    for (const since of [9_999, Number.MAX_SAFE_INTEGER]) {
      const driver = leading();
      expect(status(poll(driver, since))).toEqual([]);
      const prompted = driver.command({ type: "lead.prompt", bytes: 1 });
      expect(status(prompted)).toContainEqual({ ok: { type: "status", changed: true, waitedMs: 0, timedOut: false } });
      expect(driver.session.polls).toEqual([]);
    }
  });

  test("that is closed is closed by the team, whose name people know", () => {
    const driver = leading();
    poll(driver);
    const closed = driver.fail("A").steps.find((step) => step.event.type === "poll.closed");
    expect(closed?.from).toBe("team-1");
  });

  test("ends with its window, and says that nothing changed", () => {
    const driver = leading();
    poll(driver);
    const [open] = driver.session.polls;
    driver.at += 99_000;
    const applied = driver.timer(`poll:${open!.call}`, open!.deadline.generation);
    expect(status(applied)).toEqual([{ ok: { type: "status", changed: false, waitedMs: 30_000, timedOut: true } }]);
  });

  test("ends by its call's abort, with the run's end, and with a new owner", () => {
    const ends = [
      (driver: Driver) => driver.command({ type: "poll.ended", call: driver.session.polls[0]!.call }, { from: "lead" }),
      (driver: Driver) => driver.endTurn("Lead"),
      (driver: Driver) => driver.claim(),
    ];
    for (const end of ends) {
      const driver = leading();
      poll(driver);
      const waiting = driver.session.polls[0]!.command;
      expect(end(driver).replies.filter(({ to }) => to.id === waiting.id)).toHaveLength(1);
      expect(driver.session.polls).toEqual([]);
    }
  });

  test("is the lead's alone: the user's status never waits and marks nothing as seen", () => {
    const driver = leading();
    driver.fail("A");
    const applied = driver.command({ type: "team.status", since: 99 });
    expect([applied.replies.length, driver.session.polls]).toEqual([1, []]);
    expect(driver.session.lead.unread.map((mail) => mail.notice)).toContain("member_failed");
  });

  test("of a hosted lead without a live run is answered at once: nothing would end it", () => {
    const driver = leading();
    driver.endTurn("Lead");
    const since = driver.session.notableVersion;
    const applied = driver.command({ type: "team.status", since }, { from: "lead" });
    expect([applied.replies.length, driver.session.polls]).toEqual([1, []]);
  });

  test("ends when its call ends, and so does a question", () => {
    const driver = leading();
    poll(driver);
    driver.call("Lead", { type: "question.ask" });
    const calls = driver.session.lead.run.calls;
    const ends = calls.map((call) => driver.run("Lead", "tool.ended", { call, verdict: "interrupted" }).replies.length);
    expect([ends, driver.session.polls, driver.session.lead.questions]).toEqual([[1, 1], [], []]);
  });

  test("U46: versions only ever grow", () => {
    const driver = leading();
    const seen = [driver.session.version];
    for (const step of [
      () => driver.fail("A"),
      () => driver.replan({ retry: [{ name: "A" }] }),
      () => driver.complete("A"),
    ]) {
      step();
      seen.push(driver.session.version);
    }
    expect(seen).toEqual([...new Set(seen)].toSorted((a, b) => a - b));
  });
});
