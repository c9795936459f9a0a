import { from, map, merge } from "rxjs";
import { expect, test } from "vitest";
import { memoryBus } from "../../../src/bus/memory.ts";
import { flakyBus } from "../../support/flaky-bus.ts";
import { complete, fail, gate, member, one, rejection, settle, startSystem, until } from "../../support/sessions.ts";

test("graph row 21: a completion whose write fails once is written again, and the work is not done again", async () => {
  let runs = 0;
  const bus = flakyBus(({ input }, tries) => input.event.type === "run.completed" && tries === 1);
  await using tests = await startSystem({
    bus,
    agents: { worker: { run: () => ({ summary: String(++runs) }) } },
  });
  const session = await tests.open();
  const team = await session.createTeam({ name: "T", members: [one("A", { agentType: "worker" })] });
  await until(() => bus.refused.length > 0);
  await tests.clock.runUntilIdle();
  expect((await team.finished()).members[0]).toMatchObject({ status: "completed", summary: "1", attempt: 1 });
  expect([runs, bus.refused]).toEqual([1, ["run.completed"]]);
});

test("while an append is repeated, the later ones of its session wait, so that their order stays", async () => {
  const bus = flakyBus(({ input }, tries) => input.event.type === "message.send" && tries < 3);
  await using tests = await startSystem({ bus, agents: { waiter: { run: () => new Promise<never>(() => {}) } } });
  const session = await tests.open();
  await session.createTeam({ name: "T", members: [one("A", { agentType: "waiter" })] });
  const order: unknown[] = [];
  session.events$.subscribe(({ step, event }) => step === 0 && order.push(event.type));
  const sent = ["one", "two", "three"].map((content) => session.sendMessage({ to: "A", content }));
  await settle();
  const replanned = session.replan({ add: [one("B", { agentType: "waiter" })] });
  await tests.clock.advance(60_000);
  await Promise.all([...sent, replanned]);
  expect(order).toEqual(["message.send", "message.send", "message.send", "team.replan"]);
  expect(member(session, "A").unread).toBe(3);
});

test("an append that is refused for good rejects its caller, is reported, and leaves the session usable", async () => {
  const bus = flakyBus(({ input }) => input.event.type === "message.send");
  await using tests = await startSystem({ bus, agents: { waiter: { run: () => new Promise<never>(() => {}) } } });
  const session = await tests.open();
  await session.createTeam({ name: "T", members: [one("A", { agentType: "waiter" })] });
  const sent = rejection(session.sendMessage({ to: "A", content: "x" }));
  await settle();
  await tests.clock.advance(120_000);
  expect(await sent).toMatchObject({ message: "the disk is full" });
  expect(tests.faults).toHaveLength(1);
  expect(await session.replan({ cancel: ["A"] })).toMatchObject({ cancelled: ["A"] });
});

test("a call of an own lead that was aborted before it began takes no number from the next", async () => {
  await using tests = await startSystem();
  const session = await tests.open({ lead: "own" });
  const status = session.tools["team_status"];
  const options = { toolCallId: "c", messages: [], context: undefined };
  await status?.execute?.({}, { ...options, abortSignal: AbortSignal.abort() });
  await status?.execute?.({ since: 1 }, { ...options, abortSignal: AbortSignal.abort() });
  const team = session.createTeam({ name: "T", members: [one("A")] });
  expect((await team).created).toMatchObject({ started: ["A"] });
});

test("R56: a session lives on the bus it is given: one that closes under it ends its runs and timers, and closing it then is no fault", async () => {
  const bus = memoryBus();
  const aborted = gate();
  const tests = await startSystem({
    bus,
    agents: {
      waiter: {
        run: ({ signal }) => {
          signal.addEventListener("abort", () => aborted.resolve());
          return new Promise<never>(() => {});
        },
      },
    },
  });
  const session = await tests.open();
  const team = await session.createTeam({ name: "T", members: [one("A", { agentType: "waiter" })] });
  void session.dissolve().catch(() => {});
  await settle();
  expect(session.alive).toEqual({ runs: 1, timers: 1 });
  const finished = rejection(team.finished());
  await bus.close();
  await aborted.promise;
  expect(session.alive).toEqual({ runs: 0, timers: 0 });
  expect(await finished).toMatchObject({ code: "fenced" });
  expect(await rejection(session.sendMessage({ to: "A", content: "x" }))).toMatchObject({ code: "fenced" });
  await session.close();
  await tests.system.close();
  expect([tests.clock.pending, tests.faults]).toEqual([0, []]);
});

test("a closed session refuses what is asked of it, and its streams are complete", async () => {
  await using tests = await startSystem();
  const session = await tests.open();
  await session.close();
  await session.close();
  expect(await rejection(session.createTeam({ name: "T", members: [one("A")] }))).toMatchObject({ code: "fenced" });
  let completed = 0;
  session.events$.subscribe({ complete: () => (completed += 1) });
  session.records$.subscribe({ complete: () => (completed += 1) });
  expect(completed).toBe(2);
  await session.settled();
  expect(tests.system.sessions()).toEqual([]);
});

test("a bus that throws at once instead of rejecting is a bus that refused: timers and runs go on", async () => {
  const bus = memoryBus();
  let isBroken = false;
  const broken = {
    ...bus,
    append: (append: Parameters<typeof bus.append>[0]) => (isBroken ? fail("no bus") : bus.append(append)),
    signals: { ...bus.signals, publish: () => fail("no signals") },
  };
  await using tests = await startSystem({
    bus: broken,
    script: { A: [{ text: "thinking aloud" }, complete("fine")] },
    agents: { waiter: { run: () => new Promise<never>(() => {}) } },
    limits: { graceMs: 100 },
  });
  const session = await tests.open();
  const team = await session.createTeam({ name: "T", members: [one("A"), one("B", { agentType: "waiter" })] });
  await until(() => member(session, "A").status === "completed");
  const dissolved = session.dissolve();
  await settle();
  isBroken = true;
  await tests.clock.advance(100);
  isBroken = false;
  await tests.clock.advance(10_000);
  expect(await dissolved).toMatchObject({ cancelled: ["B"] });
  expect(await team.finished()).toMatchObject({ state: "dissolved" });
});

test("a log that can't be followed any further ends the session's runs, and whoever waits is told", async () => {
  const bus = memoryBus();
  const cut = gate();
  const follow: typeof bus.follow = (filter, fromSeq) =>
    merge(bus.follow(filter, fromSeq), from(cut.promise).pipe(map(() => fail("the log is gone"))));
  await using tests = await startSystem({
    bus: { ...bus, follow },
    agents: { waiter: { run: () => new Promise<never>(() => {}) } },
  });
  const session = await tests.open();
  const team = await session.createTeam({ name: "T", members: [one("A", { agentType: "waiter" })] });
  const finished = rejection(team.finished());
  cut.resolve();
  expect(await finished).toMatchObject({ code: "fenced" });
  expect(session.alive).toEqual({ runs: 0, timers: 0 });
  expect(tests.faults).toMatchObject([{ message: "the log is gone" }]);
  await session.close();
});
