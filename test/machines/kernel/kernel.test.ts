import { describe, expect, test } from "vitest";
import {
  cloneSession,
  createKernel,
  messageCounts,
  projectStatus,
  type Steppers,
} from "../../../src/machines/index.ts";
import { Draft, type EffectHandlers } from "../../../src/machines/kernel/draft.ts";
import type { InputEvent } from "../../../src/protocol/input.ts";
import { codesOf, Driver } from "../driver.ts";

/** A kernel whose member machine breaks on one kind of event. */
const breaking = (type: string) => {
  const kernel = createKernel();
  const { member } = kernel.steppers;
  const broken: Steppers["member"] = {
    ...member,
    step: (snapshot, event) => {
      if (event.type === type) throw new Error("a guard broke");
      return member.step(snapshot, event);
    },
  };
  Object.assign(kernel.steppers, { member: broken });
  return kernel;
};

describe("a throw in a machine", () => {
  test("is recorded as kernel_error, changes nothing, and the next input works", () => {
    const driver = new Driver({ kernel: breaking("member.cancel") });
    driver.create(["A", "B<-A"]);
    const before = driver.fork();
    const applied = driver.replan({ cancel: ["A"], add: [{ name: "C", prompt: "p" }] });
    expect([applied.verdict, applied.why, codesOf(applied)]).toEqual(["error", "a guard broke", ["kernel_error"]]);
    expect({ ...driver.session, seq: 0, clients: null }).toEqual({ ...before, seq: 0, clients: null });
    expect(driver.replan({ add: [{ name: "C", prompt: "p" }] }).verdict).toBe("handled");
    expect(driver.complete("A").verdict).toBe("handled");
  });

  test("does not make the client's next command a gap, and a repetition gets the same answer", () => {
    const driver = new Driver({ kernel: breaking("member.cancel") });
    driver.create(["A"]);
    const event = { type: "team.dissolve", mode: "abort" } as const;
    const kernel = breaking("member.shutdown");
    Object.assign(driver.kernel.steppers, { member: kernel.steppers.member });
    const by = (n: number) => driver.apply({ actor: "team-1", from: "user", event, command: { client: "x", n } });
    const first = by(1);
    expect(codesOf(first)).toEqual(["kernel_error"]);
    expect(by(1).replies).toEqual(first.replies);
    expect(codesOf(by(2))).toEqual(["kernel_error"]);
  });

  test("an endless chain of posts is cut off by a throw, so that it ends as a kernel_error", () => {
    const driver = new Driver();
    driver.create(["A", "B"]);
    const event: InputEvent = { type: "run.injected", run: 1, k: 1, mail: [] };
    const input = { id: "i", at: 1, actor: "A-t1", from: "A-t1", epoch: 1, event };
    const pong: EffectHandlers["member"] = (draft, token) =>
      draft.postMember(token, token, { type: "member.shutdown" });
    const handlers = { member: pong, team: () => {}, lead: () => {}, session: () => {} };
    const { member, ...others } = driver.kernel.steppers;
    const step: Steppers["member"]["step"] = (snapshot) => ({
      next: snapshot,
      effects: ["again"],
      handled: true,
      transitions: [],
    });
    const draft = new Draft(driver.session, { seq: 99, input }, { ...others, member: { ...member, step } }, handlers);
    draft.postMember("A-t1", "A-t1", { type: "member.shutdown" });
    expect(() => draft.drain()).toThrow("more than 4032 posts from one input");
  });
});

describe("the session as a value", () => {
  test("a fork goes its own way", () => {
    const driver = new Driver();
    driver.create(["A", "B<-A"]);
    const before = driver.fork();
    const copy = cloneSession(before);
    driver.complete("A");
    expect(before).toEqual(copy);
  });

  test("R34 U46: the status tells names, states, whom one waits for and since when", () => {
    const driver = new Driver();
    driver.create(["A", "B<-A"]);
    driver.at = 5_000;
    driver.fail("A", "model_error: network");
    driver.send("B");
    const status = projectStatus(driver.session, driver.kernel.steppers.facts, () => undefined, {
      changed: true,
      caller: "lead",
    });
    expect(status.members).toMatchObject([
      { name: "A", status: "failed", presence: "parked", since: 5_000, reason: "model_error: network", attempt: 1 },
      { name: "B", status: "blocked", since: 1_000, dependsOn: ["A"], waitingOn: ["A"], unread: 1, attempt: 0 },
    ]);
    expect(status).toMatchObject({ team: "Team one", state: "stalled", revision: 1 });
    expect(messageCounts(driver.session)).toEqual({
      accepted: 1,
      delivered: 0,
      deadLettered: 0,
      unread: 1,
      refused: 0,
    });
  });

  test("every input and post is written down with who it was for, what it did and the member's state after it", () => {
    const driver = new Driver();
    driver.create(["A", "B<-A"]);
    const { steps, touched } = driver.run("A", "run.completed", {});
    expect(steps.map(({ step, actor, event, verdict, status }) => [step, actor, event.type, verdict, status])).toEqual([
      [0, "A-t1", "run.completed", "handled", "completed"],
      [1, "B-t1", "member.start", "handled", "in_progress"],
    ]);
    expect([...touched].toSorted()).toEqual(["A-t1", "B-t1", "team-1"]);
  });
});
