import { expect, test } from "vitest";
import type { InspectionEvent } from "xstate";
import { memberContext } from "../../src/machines/member-events.ts";
import { memberMachine } from "../../src/machines/member-machine.ts";
import { createStepper } from "../../src/machines/transition-once.ts";
import { openLiveSession } from "./live-session.ts";

const completed = { type: "run.completed", run: 1, k: 1 } as const;

const nameOf = (ref: unknown) => (ref as { id?: string } | undefined)?.id;
const tell = (event: InspectionEvent): string => {
  if (event.type === "@xstate.event")
    return `event ${event.event.type} ${nameOf(event.sourceRef) ?? "-"}>${nameOf(event.actorRef)}`;
  if (event.type === "@xstate.microstep") return `step ${nameOf(event.actorRef)} ${event._transitions.length}`;
  if (event.type === "@xstate.snapshot") return `snapshot ${nameOf(event.actorRef)}`;
  return `${event.type.slice("@xstate.".length)} ${nameOf(event.actorRef)}`;
};

test("an inspector sees events with their senders, transitions and snapshots, in order", () => {
  const { live, createTeam, input } = openLiveSession();
  createTeam("A", "A:B");
  live.get("A-t1");
  const told: string[] = [];
  live.inspect((event) => told.push(tell(event)));
  expect(told.slice(0, 4)).toEqual(["actor review", "snapshot review", "actor A", "snapshot A"]);
  expect(told.filter((line) => line.startsWith("actor"))).toEqual(
    ["review", "A", "session", "Lead", "Team", "B"].map((name) => `actor ${name}`),
  );
  told.length = 0;
  input("A-t1", "A-t1", completed);
  expect(told.slice(0, 3)).toEqual(["event run.completed A>A", "step A 3", "snapshot A"]);
  expect(told).toContain("event member.start Team>B");
});

test("an inspector is told real events, real transitions and one root", () => {
  const { live, createTeam, input, session } = openLiveSession();
  createTeam("A");
  const events: InspectionEvent[] = [];
  live.inspect({ next: (event) => events.push(event) });
  input("A-t1", "A-t1", completed);
  const about = events.filter(({ actorRef }) => nameOf(actorRef) === "A");
  const snapshot = about.findLast(({ type }) => type === "@xstate.snapshot");
  expect(snapshot).toMatchObject({ event: completed, snapshot: { value: { work: "completed" } } });
  expect((snapshot as { snapshot?: unknown }).snapshot).toBe(session.members.get("A-t1")?.snapshot);
  const step = about.find(({ type }) => type === "@xstate.microstep") as unknown as {
    _transitions: { toJSON(): object }[];
  };
  expect(step._transitions.map((each) => each.toJSON())).toContainEqual(
    expect.objectContaining({ source: "#member.work.in_progress", target: ["#member.work.completed"] }),
  );
  expect(new Set(events.map(({ rootId }) => rootId)).size).toBe(1);
  expect(about.every(({ actorRef }) => /^x:\d+$/.test(actorRef.sessionId))).toBe(true);
  expect((live.get("A-t1") as unknown as { logic: { config: { id: string } } }).logic.config.id).toBe("member");
});

test("an inspector sees those who join later, also before anything happens to them", () => {
  const { live, createTeam } = openLiveSession();
  const joined: unknown[] = [];
  live.inspect((event) => {
    if (event.type === "@xstate.actor") joined.push(nameOf(event.actorRef));
  });
  createTeam("A", "A:B", "A:C");
  expect(joined).toEqual(["review", "session", "Lead", "Team", "A", "B", "C"]);
});

test("an actor that got several events of one input settles with the last", () => {
  const { live, createTeam, session } = openLiveSession();
  createTeam("A");
  const [before, settled] = [
    createStepper(memberMachine).initial(memberContext("persistent", true)),
    session.members.get("A-t1")?.snapshot,
  ];
  const actor = live.get("A-t1")!;
  live.update("A-t1", before as never, { event: { type: "first" } });
  const told: unknown[] = [];
  live.inspect((event) => {
    if (event.type === "@xstate.snapshot" && event.actorRef === actor) told.push([event.event.type, event.snapshot]);
  });
  told.length = 0;
  const step = { step: 0, actor: "A-t1", from: "user", verdict: "handled", status: null, transitions: [] } as const;
  live.follow({
    steps: [
      { ...step, event: { type: "second" } },
      { ...step, event: { type: "third" } },
    ],
  });
  expect(told).toEqual([
    ["second", before],
    ["third", settled],
  ]);
});

test("an inspector makes no more actors than the limit, and get goes on", () => {
  const { live, createTeam } = openLiveSession({ liveActorsMax: 4 });
  live.inspect(() => {});
  expect(live.count()).toBe(2);
  createTeam("A", "A:B", "A:C");
  expect(live.count()).toBe(4);
  expect(live.get("C-t1")?.systemId).toBe("C");
  expect(live.count()).toBe(5);
});

test("an inspector that has gone is told nothing, and nobody is made for it", () => {
  const { live, createTeam } = openLiveSession();
  let told = 0;
  const { unsubscribe } = live.inspect(() => told++);
  unsubscribe();
  told = 0;
  createTeam("A");
  expect([told, live.count()]).toEqual([0, 2]);
});
