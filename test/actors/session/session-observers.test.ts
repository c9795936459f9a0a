import { buffer, filter, map, mergeMap, of, scan, share, take, tap, type Observable } from "rxjs";
import { expect, test } from "vitest";
import { memoryBus } from "../../../src/bus/memory.ts";
import type { EventLine, Session } from "../../../src/index.ts";
import { member, one, rejection, rejects, settle, startSystem, until } from "../../support/sessions.ts";

const fine = { run: () => ({ summary: "fine" }) };
const waiter = { run: () => new Promise<never>(() => {}) };
const boom = (): never => {
  throw new Error("observer");
};
const chain = {
  name: "T",
  members: [one("A", { agentType: "fine" }), one("B", { agentType: "fine", dependsOn: ["A"] })],
};

const hostile: Record<string, (events: Observable<EventLine>) => unknown> = {
  "a next that throws": (events) => events.subscribe(boom),
  "an observer whose getter throws": (events) =>
    events.subscribe({
      get next() {
        return boom();
      },
    } as never),
  "an async next that rejects": (events) => events.subscribe(rejects),
  "an async complete that rejects": (events) => events.subscribe({ complete: rejects }),
  "a map that throws": (events) => events.pipe(map(boom)).subscribe(),
  "a tap that throws behind other operators": (events) =>
    events
      .pipe(
        filter(() => true),
        scan((n: number) => n + 1, 0),
        tap(boom),
      )
      .subscribe(),
  "an inner observable that throws": (events) => events.pipe(mergeMap((line) => of(line).pipe(map(boom)))).subscribe(),
  "a shared stream whose subscriber throws": (events) => events.pipe(share()).subscribe(boom),
  "a complete that throws": (events) => events.subscribe({ complete: boom }),
};

test.each(Object.entries(hostile))(
  "U62: %s is its own fault: the team goes on, other observers miss nothing",
  async (_what, subscribe) => {
    const tests = await startSystem({ agents: { fine } });
    const session = await tests.open();
    subscribe(session.events$);
    const seen: string[] = [];
    session.events$.subscribe(({ actor, event }) => seen.push(`${actor} ${event.type}`));
    const team = await session.createTeam(chain);
    expect(await team.finished()).toMatchObject({ outcome: "completed" });
    expect(seen.filter((line) => line.endsWith("run.completed"))).toEqual(["A run.completed", "B run.completed"]);
    await tests.system.close();
    await settle();
  },
);

test("U62: subscribers of records$ that throw are told to onFault, and end nothing", async () => {
  await using tests = await startSystem({ agents: { fine } });
  const session = await tests.open();
  session.records$.subscribe(boom);
  session.records$.pipe(map(boom)).subscribe();
  const team = await session.createTeam(chain);
  expect(await team.finished()).toMatchObject({ outcome: "completed" });
  await settle();
  expect(tests.faults.length).toBeGreaterThan(1);
});

test("U62: an onFault that throws, and values that cannot be printed, end nothing", async () => {
  await using tests = await startSystem({ agents: { fine }, onFault: boom });
  const session = await tests.open();
  session.events$.subscribe(() => {
    throw Object.create(null);
  });
  expect(await (await session.createTeam(chain)).finished()).toMatchObject({ outcome: "completed" });
});

test("an observer may call the session from inside: its commands come after the input it was shown", async () => {
  await using tests = await startSystem({ agents: { fine, waiter } });
  const session = await tests.open();
  const replies: unknown[] = [];
  const order: string[] = [];
  session.events$.subscribe(({ step, event, actor }) => {
    if (step === 0) order.push(`${actor} ${event.type}`);
    if (event.type !== "team.create") return;
    replies.push(session.status().state);
    void session.sendMessage({ to: "W", content: "from inside" }).then((reply) => replies.push(reply.to));
    void session.replan({ add: [one("X", { agentType: "fine" })] }).then((reply) => replies.push(reply.added));
  });
  await session.createTeam({ name: "T", members: [one("W", { agentType: "waiter" })] });
  await until(() => replies.length === 3);
  expect(replies).toEqual(["running", [{ name: "W", status: "running" }], ["X"]]);
  expect(order.slice(0, 3)).toEqual(["session team.create", "W message.send", "Team team.replan"]);
});

test("an observer may close the session from inside; streams complete after the last line, also behind operators", async () => {
  await using tests = await startSystem({ agents: { fine, waiter } });
  const session = await tests.open();
  const seen: string[] = [];
  session.events$.pipe(buffer(session.events$)).subscribe({ complete: () => seen.push("buffer complete") });
  session.events$.subscribe({
    next: ({ event }) => {
      seen.push(event.type);
      if (event.type === "team.create") void session.close();
    },
    complete: () => seen.push("complete"),
  });
  await rejection(
    session.createTeam({ name: "T", members: [one("W", { agentType: "waiter" })] }).then(() => session.replan({})),
  );
  await session.close();
  expect(seen.indexOf("complete")).toBeGreaterThan(seen.indexOf("session.closed"));
  expect(seen).toContain("buffer complete");
  expect(seen.slice(seen.indexOf("complete") + 1).filter((type) => type !== "buffer complete")).toEqual([]);
  expect(session.alive).toEqual({ runs: 0, timers: 0 });
});

test("who unsubscribes, also from the end of a chain or by take, is told nothing more", async () => {
  await using tests = await startSystem({ agents: { fine } });
  const session = await tests.open();
  let mapped = 0;
  const subscription = session.events$.pipe(map(() => (mapped += 1))).subscribe();
  let taken = 0;
  session.events$
    .pipe(
      tap(() => (taken += 1)),
      take(1),
    )
    .subscribe();
  subscription.unsubscribe();
  await (await session.createTeam(chain)).finished();
  expect([mapped, taken]).toEqual([0, 1]);
});

test("R61: the lines of events$ are in one order, numbered, by name, and the same for two who listen", async () => {
  await using tests = await startSystem({ agents: { fine } });
  const session = await tests.open();
  const [first, second]: [EventLine[], EventLine[]] = [[], []];
  session.events$.subscribe((line) => first.push(line));
  session.events$.subscribe((line) => second.push(line));
  const team = await session.createTeam(chain);
  await team.finished();
  await session.dissolve();
  expect(second).toEqual(first);
  for (const [index, line] of first.entries()) {
    const before = first[index - 1];
    if (before !== undefined)
      expect(line.seq > before.seq || (line.seq === before.seq && line.step > before.step)).toBe(true);
  }
  expect(JSON.stringify(first)).not.toMatch(/[AB]-t1"|"team-1"|"lead"/u);
  const last = first.findLast(({ status }) => status !== undefined);
  expect(last).toMatchObject({ team: "T", status: "completed" });
});

test("U62: a clock that throws fails the call that needed it, and the session goes on with the next", async () => {
  let isBroken = false;
  const tests = await startSystem({ agents: { waiter } });
  const { clock } = tests;
  const broken = { ...bound(clock), now: () => (isBroken ? boom() : clock.now()) };
  const other = await startSystem({ agents: { waiter }, clock: broken });
  const session = await other.open();
  await session.createTeam({ name: "T", members: [one("A", { agentType: "waiter" })] });
  isBroken = true;
  expect(await rejection(session.sendMessage({ to: "A", content: "x" }))).toMatchObject({ message: "observer" });
  isBroken = false;
  await session.sendMessage({ to: "A", content: "x" });
  expect(member(session, "A").unread).toBe(1);
  await other.system.close();
  await tests.system.close();
});

const bound = (clock: Awaited<ReturnType<typeof startSystem>>["clock"]) => ({
  setTimeout: clock.setTimeout.bind(clock),
  clearTimeout: clock.clearTimeout.bind(clock),
});

test("S9, U44: a raw publish of a forged sender, of no input at all, or of a run that is not current changes nothing", async () => {
  const bus = memoryBus();
  await using tests = await startSystem({ bus, agents: { waiter } });
  const session: Session = await tests.open({ id: "s" });
  await session.createTeam({
    name: "T",
    members: [one("A", { agentType: "waiter" }), one("B", { agentType: "waiter" })],
  });
  const before = session.status();
  const forge = (actor: string, from: string, event: unknown, more = {}) =>
    bus.append({
      subject: { namespace: "default", session: "s", actor, sender: from },
      input: { id: `forged-${Math.random()}`, at: 0, actor, from, epoch: 1, event, ...more } as never,
    });
  await forge("team-1", "A-t1", { type: "team.dissolve", mode: "abort" });
  await forge("B-t1", "A-t1", { type: "run.completed", run: 1, k: 1 });
  await forge("A-t1", "A-t1", { type: "run.completed", run: 2, k: 1 });
  await forge("A-t1", "A-t1", { type: "run.completed", run: 1, k: 9 });
  await forge("lead", "A-t1", { type: "permission.answer", request: "x", approve: true });
  await forge("session", "B-t1", { type: "team.create", plan: "x", byModel: false });
  await forge("A-t1", "nobody-t9", { type: "message.send", to: "A", kind: "instruction", bytes: 1 });
  await forge("A-t1", "A-t1", { type: "no.such.event" });
  await forge("A-t1", "A-t1", null);
  await settle();
  expect(session.status()).toEqual({ ...before, messages: session.status().messages });
  expect(session.status().messages.accepted).toBe(0);
});
