import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { createActor, sendTo, setup, type AnyActorRef } from "xstate";
import { memberContext } from "../../src/machines/member-events.ts";
import { memberMachine } from "../../src/machines/member-machine.ts";
import { createStepper } from "../../src/machines/transition-once.ts";
import { openLiveSession } from "./live-session.ts";

const completed = { type: "run.completed", run: 1, k: 1 } as const;

const values = (actor: { getSnapshot(): { value: unknown } } | undefined) => actor?.getSnapshot().value;

test("the successor of an actor can be asked for while its end is told", () => {
  const { live, createTeam, dissolve, errors } = openLiveSession();
  createTeam("A", "B");
  let next: unknown;
  live.get("A-t1")?.subscribe({ complete: () => (next = live.get("B-t2")?.systemId) });
  live.get("B-t1");
  dissolve();
  createTeam("A", "B");
  expect([next, errors]).toEqual(["B", []]);
});

test("an update made within a subscriber's callback is shown after the one under way", () => {
  const { live, createTeam } = openLiveSession();
  createTeam("A");
  const actor = live.get("A-t1")!;
  const stepper = createStepper(memberMachine);
  const first = stepper.initial(memberContext("oneshot", false)) as never;
  const second = stepper.initial(memberContext("persistent", false)) as never;
  const seen: unknown[] = [];
  const event = { type: "member.start" };
  actor.subscribe((snapshot) => {
    if (seen.push(snapshot) === 1) live.update("A-t1", second, { event });
  });
  live.update("A-t1", first, { event });
  expect(seen).toEqual([first, second]);
  expect(actor.getSnapshot()).toBe(second);
});

test("an event of somebody else keeps its place between updates", () => {
  const { live, createTeam, sent } = openLiveSession();
  createTeam("A");
  const actor = live.get("A-t1")!;
  const mine = setup({ actions: { ask: sendTo(actor as AnyActorRef, { type: "ask" }) } }).createMachine({
    entry: "ask",
  });
  const stepper = createStepper(memberMachine);
  const [first, second] = [memberContext("oneshot", false), memberContext("persistent", false)].map(
    (context) => stepper.initial(context) as never,
  );
  const seen: unknown[] = [];
  actor.subscribe((snapshot) => {
    if (seen.push(snapshot) > 1) return;
    createActor(mine).start();
    live.update("A-t1", second!, { event: { type: "second" } });
  });
  live.update("A-t1", first!, { event: { type: "first" } });
  expect(seen).toEqual([first, first, second]);
  expect(sent).toEqual([{ token: "A-t1", event: { type: "ask" } }]);
});

test("an update on its way to an actor that ends is dropped", async () => {
  const { live, createTeam } = openLiveSession();
  createTeam("A");
  const actor = live.get("A-t1")!;
  const snapshot = actor.getSnapshot();
  const late: WeakRef<object>[] = [];
  actor.subscribe(() => {
    if (late.length > 0) return;
    const event = { type: "late" };
    late.push(new WeakRef(event));
    live.update("A-t1", snapshot, { event });
    live.close();
  });
  live.update("A-t1", snapshot, { event: { type: "first" } });
  await setImmediate();
  globalThis.gc?.();
  expect(late.map((each) => each.deref())).toEqual([undefined]);
  expect(live.count()).toBe(0);
});

test("what callbacks throw is reported, and the session goes on", async () => {
  const { live, createTeam, input, errors } = openLiveSession();
  createTeam("A");
  const actor = live.get("A-t1")!;
  const seen: unknown[] = [];
  actor.subscribe(() => {
    throw new Error("next");
  });
  actor.subscribe((async () => {
    throw new Error("async");
  }) as () => void);
  actor.subscribe({
    complete: () => {
      throw new Error("complete");
    },
  });
  live.inspect((event) => {
    if (event.type === "@xstate.event") throw new Error("inspect");
  });
  actor.system.inspect(() => {
    throw new Error("system");
  });
  actor.subscribe((snapshot) => seen.push(snapshot));
  input("A-t1", "A-t1", completed);
  live.close();
  await setImmediate();
  expect(seen.length).toBeGreaterThan(0);
  expect(values(actor)).toMatchObject({ work: "completed" });
  const messages = new Set(errors.map((error) => (error as Error).message));
  expect(messages).toEqual(new Set(["next", "async", "complete", "inspect", "system"]));
});

test("what callbacks throw does not end the process", () => {
  const at = (name: string) => JSON.stringify(join(import.meta.dirname, name));
  const script = `
    const { openLiveSession } = await import(${at("live-session.ts")});
    const { live, createTeam, input, errors } = openLiveSession();
    createTeam("A");
    const fail = () => { throw new Error("mine"); };
    live.get("A-t1").subscribe({ next: fail, complete: fail });
    live.get("A-t1").subscribe(async () => fail());
    live.inspect(fail);
    input("A-t1", "A-t1", ${JSON.stringify(completed)});
    live.close();
    setImmediate(() => console.log(errors.length > 3 ? "alive" : "silent"));
  `;
  const flags = ["--unhandled-rejections=strict", "--input-type=module", "-e", script];
  expect(execFileSync(process.execPath, flags, { encoding: "utf8" }).trim()).toBe("alive");
});
