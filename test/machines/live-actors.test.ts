import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { createActor, isMachineSnapshot, sendTo, setup, toPromise, waitFor, type AnyActorRef } from "xstate";
import { memberContext } from "../../src/machines/member-events.ts";
import { memberMachine } from "../../src/machines/member-machine.ts";
import { createStepper } from "../../src/machines/transition-once.ts";
import { openLiveSession } from "./live-session.ts";

const completed = { type: "run.completed", run: 1, k: 1 } as const;
const values = (actor: { getSnapshot(): { value: unknown } } | undefined) => actor?.getSnapshot().value;

test("an actor's snapshot is the machine snapshot of the kernel", () => {
  const { session, live, createTeam } = openLiveSession();
  createTeam("A", "A:B");
  const snapshot = live.get("A-t1")?.getSnapshot();
  expect(snapshot).toBe(session.members.get("A-t1")?.snapshot);
  expect(isMachineSnapshot(snapshot)).toBe(true);
  expect(snapshot?.matches({ work: "in_progress", run: { live: "thinking" } })).toBe(true);
  expect(snapshot?.hasTag("in_progress")).toBe(true);
  expect(snapshot?.context).toMatchObject({ attempt: 1, run: 1 });
  expect([snapshot?.can({ type: "run.completed", mail: false }), snapshot?.can({ type: "member.start" })]).toEqual([
    true,
    false,
  ]);
});

test("an actor that was asked for follows the session", () => {
  const { live, createTeam, input } = openLiveSession();
  createTeam("A", "A:B");
  const [a, b, team] = [live.get("A-t1"), live.get("B-t1"), live.get("team-1")];
  const seen: unknown[] = [];
  b?.subscribe((snapshot) => seen.push(snapshot.value));
  input("A-t1", "A-t1", completed);
  expect(a?.getSnapshot().matches({ work: "completed", presence: "shutdown" })).toBe(true);
  expect(seen).toMatchObject([{ work: "in_progress" }]);
  input("B-t1", "B-t1", completed);
  expect(team?.getSnapshot().matches({ active: "finished" })).toBe(true);
});

test("session, lead, team and members are named in one XState system", () => {
  const { live, createTeam } = openLiveSession();
  createTeam("Reporter");
  const tokens = ["session", "lead", "team-1", "Reporter-t1"];
  const actors = tokens.map((token) => live.get(token));
  expect(actors.map((actor) => actor?.systemId)).toEqual(["session", "Lead", "Team", "Reporter"]);
  expect(new Set(actors.map((actor) => actor?.system)).size).toBe(1);
  expect(actors[0]?.system.get("Reporter")).toBe(actors[3]);
});

test("the same actor is handed out each time, and none for an unknown token", () => {
  const { live, createTeam } = openLiveSession();
  expect(live.get("A-t1")).toBeUndefined();
  createTeam("A");
  expect(live.get("A-t1")).toBe(live.get("A-t1"));
  expect(live.get("A-t2")).toBeUndefined();
});

test("nobody is made who was not asked for", () => {
  const { live, createTeam, input } = openLiveSession();
  createTeam("A", "B");
  live.get("A-t1");
  input("B-t1", "B-t1", completed);
  expect(live.count()).toBe(1);
});

test("send hands the event to the session and moves nothing", () => {
  const { live, createTeam, sent } = openLiveSession();
  createTeam("A");
  const actor = live.get("A-t1");
  const before = actor?.getSnapshot();
  let notified = 0;
  actor?.subscribe(() => notified++);
  const { send } = actor!;
  send({ type: "member.cancel" });
  expect(sent).toEqual([{ token: "A-t1", event: { type: "member.cancel" } }]);
  expect([actor?.getSnapshot(), notified]).toEqual([before, 0]);
});

test("an event that another XState actor sends goes the same way", () => {
  const { live, createTeam, sent } = openLiveSession();
  createTeam("A");
  const target = live.get("A-t1") as AnyActorRef;
  const before = target.getSnapshot();
  const mine = setup({ actions: { ask: sendTo(target, { type: "member.cancel" }) } }).createMachine({ entry: "ask" });
  createActor(mine).start().stop();
  expect(sent).toEqual([{ token: "A-t1", event: { type: "member.cancel" } }]);
  expect(target.getSnapshot()).toBe(before);
});

test("what the session refuses to take reaches the sender", () => {
  const { live, createTeam, sent } = openLiveSession();
  createTeam("A");
  sent.push = () => {
    throw new Error("closed");
  };
  expect(() => live.get("A-t1")?.send({ type: "member.cancel" })).toThrow("closed");
});

test("waitFor resolves when the session gets there", async () => {
  const { live, createTeam, input } = openLiveSession();
  createTeam("A");
  const waiting = waitFor(live.get("A-t1")!, (snapshot) => snapshot.matches({ work: "completed" }));
  input("A-t1", "A-t1", completed);
  expect((await waiting).context).toMatchObject({ attempt: 1 });
});

test("a selection changes when what it selects changes", () => {
  const { live, createTeam, input } = openLiveSession();
  createTeam("A");
  const work = live.get("A-t1")!.select((snapshot) => (snapshot.value as { work: string }).work);
  const seen: string[] = [];
  work.subscribe((value) => seen.push(value));
  input("A-t1", "A-t1", {
    type: "run.answered",
    run: 1,
    k: 1,
    calls: 0,
    usage: { input: 1, output: 1 },
    finish: "stop",
  });
  input("A-t1", "A-t1", { type: "run.completed", run: 1, k: 2 });
  expect([seen, work.get()]).toEqual([["completed"], "completed"]);
});

test("an actor can be read as an external store, as useSelector does", () => {
  const { live, createTeam, input } = openLiveSession();
  createTeam("A");
  const actor = live.get("A-t1")!;
  let changes = 0;
  const { unsubscribe } = actor.subscribe(() => changes++);
  expect(actor.getSnapshot()).toBe(actor.getSnapshot());
  input("A-t1", "A-t1", completed);
  unsubscribe();
  live.update("A-t1", actor.getSnapshot(), { event: { type: "mail.arrived" } });
  expect(changes).toBe(1);
});

test("a member that was shut down still answers", () => {
  const { live, createTeam, dissolve } = openLiveSession();
  createTeam("A");
  const actor = live.get("A-t1");
  dissolve();
  expect(values(actor)).toMatchObject({ presence: "shutdown" });
  expect(values(live.get("A-t1"))).toMatchObject({ presence: "shutdown" });
});

test("a new team ends the actors of the one before, and takes over their names", async () => {
  const { live, createTeam, dissolve, sent } = openLiveSession();
  createTeam("A", "B");
  const [old, lead] = [live.get("A-t1")!, live.get("lead")!];
  const ends: string[] = [];
  old.subscribe({ complete: () => ends.push("A") });
  lead.subscribe({ complete: () => ends.push("Lead") });
  const ended = toPromise(old);
  dissolve();
  expect(ends).toEqual([]);
  createTeam("A");
  expect(ends).toEqual(["A"]);
  await ended;
  expect(sent).toEqual([]);
  expect(live.get("A-t1")).toBeUndefined();
  expect(live.get("A-t2")?.system.get("A")).toBe(live.get("A-t2"));
  expect(values(old)).toMatchObject({ presence: "shutdown" });
});

test("a subscriber that comes after the end is told so at once", () => {
  const { live, createTeam } = openLiveSession();
  createTeam("A");
  const actor = live.get("A-t1")!;
  live.close();
  let ends = 0;
  actor.subscribe({ complete: () => ends++ });
  expect(ends).toBe(1);
});

test("nobody who holds an actor can stop it", () => {
  const { live, createTeam } = openLiveSession();
  createTeam("A");
  expect(() => live.get("A-t1")?.stop()).toThrow("cannot be stopped directly");
});

test("after close nobody is made and subscribers have completed", () => {
  const { live, createTeam } = openLiveSession();
  createTeam("A");
  let ends = 0;
  live.get("A-t1")?.subscribe({ complete: () => ends++ });
  live.close();
  live.update("A-t1", createStepper(memberMachine).initial(memberContext("oneshot", false)) as never, {
    event: { type: "member.start" },
  });
  expect([ends, live.count(), live.get("lead")]).toEqual([1, 0, undefined]);
});

test("2,000 teams that come and go leave nothing behind", async () => {
  const { live, createTeam, dissolve, session } = openLiveSession();
  const heap = () => {
    globalThis.gc?.();
    return process.memoryUsage().heapUsed;
  };
  const cycle = () => {
    createTeam("A", "B");
    const [a, b] = [live.get(`A-t${session.teamsMade}`), live.get(`B-t${session.teamsMade}`)];
    a?.subscribe(() => {});
    dissolve();
    return b;
  };
  const weak = new WeakRef(cycle()!);
  for (let round = 0; round < 500; round++) cycle();
  const before = heap();
  for (let round = 0; round < 2_000; round++) cycle();
  // A past team is a line in the session; an actor is kilobytes.
  expect((heap() - before) / 2_000).toBeLessThan(500);
  expect(live.count()).toBe(2);
  expect(globalThis.gc).toBeDefined();
  await setImmediate();
  globalThis.gc?.();
  expect(weak.deref()).toBeUndefined();
});
