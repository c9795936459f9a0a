import { describe, expect, test } from "vitest";
import type { InputEvent } from "../../../src/protocol/input.ts";
import { codesOf, Driver, type SessionOptions } from "../driver.ts";

const started = (options: SessionOptions = {}) => {
  const driver = new Driver(options);
  driver.create(["A", "B<-A"]);
  return driver;
};
const completed = (run: number, k: number) => ({ type: "run.completed", run, k }) as const;

describe("epochs", () => {
  test("R12 G2: a run of an older owner changes nothing, its commands neither", () => {
    const driver = started();
    driver.claim();
    const late = driver.apply({ actor: "A-t1", from: "A-t1", epoch: 1, event: completed(1, 1) });
    expect([late.verdict, driver.state("A")]).toEqual(["stale", "in_progress/running/thinking"]);
    const command = driver.byCall("A", "c1", { type: "work.complete" }, { epoch: 1 });
    expect([command.verdict, codesOf(command)]).toEqual(["stale", ["fenced"]]);
  });

  test("a claim with an epoch that is not newer changes nothing", () => {
    const driver = started();
    expect(driver.claim(1).verdict).toBe("stale");
    expect(driver.claim(7).verdict).toBe("handled");
    expect(driver.session.epoch).toBe(7);
  });

  test("a release, a loss, an adoption or a timer of an older owner changes nothing", () => {
    const driver = started({ limits: { idleMs: 5 } });
    driver.claim();
    const { snapshot } = driver.session;
    const run = { run: 1, k: 3, epoch: 1, reason: "gone" };
    const inputs = [
      ["session", { type: "owner.released", epoch: 1 }],
      ["A-t1", { type: "run.lost", run: run.run, reason: run.reason }],
      ["A-t1", { type: "run.adopted", run: run.run, k: run.k, epoch: run.epoch }],
      ["session", { type: "timer.due", key: "grace", generation: 1, epoch: 1 }],
    ] as const;
    const verdicts = inputs.map(([actor, event]) => driver.apply({ actor, from: "system", epoch: 1, event }).verdict);
    expect(verdicts).toEqual(["stale", "stale", "stale", "stale"]);
    expect(driver.session.snapshot).toBe(snapshot);
    expect(driver.member("A").run.adopted).toBeNull();
  });

  test("a timer that is armed fires for the current owner only", () => {
    const driver = started();
    driver.dissolve();
    const { generation } = driver.session.team!.grace!;
    driver.claim();
    const due = (epoch: number) => ({ type: "timer.due", key: "grace", generation, epoch }) as const;
    const fire = (epoch: number) => driver.apply({ actor: "session", from: "system", event: due(epoch) }).verdict;
    expect([fire(1), driver.team(), fire(2), driver.team()]).toEqual(["stale", "dissolving", "handled", "dissolved"]);
  });

  test("an adopted run of an older epoch goes on, and ends with the next owner", () => {
    const driver = started();
    driver.run("A", "run.answered", { calls: 0, usage: { input: 1, output: 1 }, finish: "stop" });
    driver.claim();
    driver.apply({ actor: "A-t1", from: "system", event: { type: "run.adopted", run: 1, k: 1, epoch: 1 } });
    const next = driver.apply({ actor: "A-t1", from: "A-t1", epoch: 1, event: { type: "step.ended", run: 1, k: 2 } });
    expect(next.verdict).toBe("handled");
    driver.claim();
    const late = driver.apply({ actor: "A-t1", from: "A-t1", epoch: 1, event: completed(1, 3) });
    expect([late.verdict, driver.member("A").run.adopted]).toEqual(["stale", null]);
  });

  test.each(["A-t1", "lead", "user", "mallory"])("R60 S9: %s cannot speak for the owner", (from) => {
    const driver = started();
    const lost = driver.apply({ actor: "A-t1", from, event: { type: "run.lost", run: 1, reason: "x" } });
    const claim = { type: "owner.claimed", epoch: 9, node: "evil" } as const;
    const claimed = driver.apply({ actor: "session", from, event: claim });
    expect([lost.verdict, claimed.verdict, driver.session.epoch]).toEqual(["stale", "stale", 1]);
  });

  test("a member cannot close the session", () => {
    const driver = started();
    expect(driver.apply({ actor: "session", from: "A-t1", event: { type: "session.closed" } }).verdict).toBe("stale");
    expect(driver.team()).toBe("running");
  });
});

describe("runs", () => {
  test("a run's inputs count in order: a gap is refused and the missing one named, a repetition is stale", () => {
    const driver = started();
    const gap = driver.apply({ actor: "A-t1", from: "A-t1", event: completed(1, 2) });
    expect([gap.verdict, codesOf(gap), gap.why]).toEqual([
      "stale",
      ["fenced"],
      "input 1 of this run is missing before 2",
    ]);
    const usage = { input: 1, output: 1 };
    const answer = { type: "run.answered", run: 1, k: 1, calls: 0, usage, finish: "stop" } as const;
    driver.apply({ actor: "A-t1", from: "A-t1", event: answer });
    expect(driver.apply({ actor: "A-t1", from: "A-t1", event: answer }).verdict).toBe("stale");
    expect(driver.member("A").tokens).toBe(2);
  });

  test("U43 G3: the first end of an attempt stands, whatever comes after it", () => {
    const driver = started();
    driver.complete("A");
    const zombie = driver.apply({ actor: "A-t1", from: "A-t1", event: completed(1, 9) });
    const again = driver.byCall("A", "late", { type: "work.complete" });
    expect([zombie.verdict, codesOf(again)]).toEqual(["stale", ["already_completed"]]);
    expect(driver.member("B").snapshot.context.attempt).toBe(1);
  });

  test("U43: a second complete while the first waits for its step is already_completed", () => {
    const driver = started();
    driver.call("A", { type: "work.complete" });
    expect(codesOf(driver.call("A", { type: "work.complete" }))).toEqual(["already_completed"]);
  });

  test("U43: complete after cancel changes nothing", () => {
    const driver = started();
    driver.replan({ cancel: ["A"] });
    expect(codesOf(driver.byCall("A", "c", { type: "work.complete" }))).toEqual(["already_completed"]);
    expect(driver.state("A")).toBe("cancelled/shutdown");
  });

  test("R60: a member reports for itself only", () => {
    const driver = started();
    expect(driver.apply({ actor: "A-t1", from: "B-t1", event: completed(1, 1) }).verdict).toBe("stale");
  });
});

describe("commands", () => {
  test("R26: a repeated command of an open call gets the first reply and does nothing again", () => {
    const driver = started();
    const send = { type: "message.send", to: "Lead", kind: "text", bytes: 1 } as const;
    driver.run("A", "tool.started", { call: "c1", tool: "team_send_message" });
    const [first, second] = [driver.byCall("A", "c1", send), driver.byCall("A", "c1", send)];
    expect([second.verdict, second.replies]).toEqual(["stale", first.replies]);
    expect(driver.session.mail.accepted).toBe(1);
  });

  test("a client's commands count in order: gaps are fenced, repetitions answered from memory", () => {
    const driver = started();
    const dissolve = { type: "team.dissolve", mode: "abort" } as const;
    const by = (n: number) =>
      driver.apply({ actor: "team-1", from: "user", event: dissolve, command: { client: "other", n } });
    expect(codesOf(by(2))).toEqual(["fenced"]);
    const first = by(1);
    expect(first.verdict).toBe("handled");
    expect(by(1)).toMatchObject({ verdict: "stale", replies: first.replies });
  });

  test("a repeated command whose answer is still due gets it once, when it comes", () => {
    const driver = started();
    const dissolve = { type: "team.dissolve", mode: "graceful" } as const;
    const by = () => driver.apply({ actor: "team-1", from: "user", event: dissolve, command: { client: "x", n: 1 } });
    expect([by().replies, by().replies]).toEqual([[], []]);
    const end = driver.timer("grace", driver.session.team!.grace!.generation);
    expect(end.replies).toHaveLength(1);
    expect(by().replies).toEqual(end.replies);
  });

  test("the replies of the last 16 commands of 256 clients are kept", () => {
    const driver = started();
    const status = { type: "team.status" } as const;
    const by = (client: string, n: number) =>
      driver.apply({ actor: "team-1", from: "user", event: status, command: { client, n } });
    for (let n = 1; n <= 20; n++) by("busy", n);
    expect([by("busy", 5).replies.length, by("busy", 4).replies.length]).toEqual([1, 0]);
    for (let each = 0; each < 300; each++) by(`client-${each}`, 1);
    expect(driver.session.clients.size).toBe(256);
  });

  test("R19 U40 G9: a member cannot create, replan, dissolve, prompt or answer, and nothing is changed by trying", () => {
    const driver = started();
    const before = driver.fork();
    const events: InputEvent[] = [
      { type: "team.create", plan: "d", byModel: true },
      { type: "team.replan", plan: "d", byModel: false },
      { type: "team.dissolve", mode: "abort" },
      { type: "team.status" },
      { type: "permission.answer", request: "r", approve: true },
      { type: "plan.answer", member: "A", approve: true },
      { type: "question.answer", call: "c" },
      { type: "lead.prompt", bytes: 1 },
      { type: "lead.injected", mail: [] },
    ];
    for (const [index, event] of events.entries()) {
      const applied = driver.byCall("A", `call-${index}`, event);
      expect([event.type, applied.verdict, codesOf(applied)]).toEqual([event.type, "refused", ["lead_only"]]);
    }
    expect(driver.session.team).toBe(before.team);
    expect(driver.state("A")).toBe("in_progress/running/thinking");
  });

  test("what only a member's run can do is refused to the lead and the user, in words", () => {
    const driver = started();
    const ask = { type: "permission.ask", kind: "tool", tool: "t", subject: "s", approver: "user" } as const;
    for (const event of [{ type: "work.complete" }, { type: "plan.submit" }, ask] as const) {
      for (const from of ["lead", "user"]) {
        const applied = driver.command(event, { from });
        expect([applied.verdict, codesOf(applied)]).toEqual(["refused", ["fenced"]]);
      }
    }
  });

  test("R60: a stranger, and a member without a run, get no further than the gate", () => {
    const driver = started();
    const send = { type: "message.send", to: "A", kind: "text", bytes: 1 } as const;
    const by = (from: string) => driver.apply({ actor: "A-t1", from, event: send });
    expect(["mallory", "Z-t1", "system", "team-1", "B-t1"].map((from) => by(from).verdict)).toEqual(
      Array.from({ length: 5 }, () => "stale"),
    );
    expect(driver.session.mail.accepted).toBe(0);
  });
});

describe("the session", () => {
  test("nothing is accepted before it is opened, and it is opened once", () => {
    const driver = started();
    const { config } = driver.session;
    const again = driver.apply({
      actor: "session",
      from: "system",
      event: { type: "session.opened", config: { ...config!, lead: "hosted" } },
    });
    expect([again.verdict, driver.session.config]).toEqual(["stale", config]);
    const empty = driver.kernel.create();
    const input = {
      id: "i",
      at: 1,
      actor: "session",
      from: "user",
      epoch: 0,
      event: { type: "session.closed" },
    } as const;
    expect(driver.kernel.apply(empty, { seq: 1, input }).verdict).toBe("stale");
  });

  test("a record that was applied already changes nothing", () => {
    const driver = started();
    const input = {
      id: "i",
      at: 1,
      actor: "session",
      from: "user",
      epoch: 1,
      event: { type: "session.closed" },
    } as const;
    const before = driver.fork();
    expect(driver.kernel.apply(driver.session, { seq: before.seq, input }).verdict).toBe("stale");
    expect(driver.session).toEqual(before);
  });

  test("closing dissolves the team at once, answers all that waits, and ends everything", () => {
    const driver = started({ lead: "own" });
    driver.command({ type: "team.status", since: driver.session.notableVersion }, { from: "lead" });
    driver.dissolve("graceful", { from: "user" });
    driver.call("A", { type: "permission.ask", kind: "tool", tool: "t", subject: "s", approver: "user" });
    const closed = driver.apply({ actor: "session", from: "user", event: { type: "session.closed" } });
    const kinds = closed.replies.map(({ reply }) => ("ok" in reply ? reply.ok.type : reply.refused[0]?.code));
    expect(new Set(kinds)).toEqual(new Set(["dissolved", "permission"]));
    expect([driver.team(), driver.state("A")]).toEqual(["dissolved", "cancelled/shutdown"]);
    expect(driver.send("A").verdict).toBe("stale");
  });

  test("closing answers the poll of a lead with its own loop", () => {
    const driver = new Driver({ lead: "own" });
    driver.command({ type: "team.status", since: 0 }, { from: "lead" });
    driver.create(["A"]);
    driver.command({ type: "team.status", since: driver.session.notableVersion }, { from: "lead" });
    expect(driver.session.polls).toHaveLength(1);
    const closed = driver.apply({ actor: "session", from: "user", event: { type: "session.closed" } });
    expect([closed.replies.length, driver.session.polls]).toEqual([1, []]);
  });
});
