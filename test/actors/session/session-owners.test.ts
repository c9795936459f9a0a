import { expect, test } from "vitest";
import type { Bus } from "../../../src/bus/bus.ts";
import { memoryBus } from "../../../src/bus/memory.ts";
import { gate, one, rejection, settle, startSystem } from "../../support/sessions.ts";

const agents = { waiter: { run: () => new Promise<never>(() => {}) } };

test("R57: while a session closes its id is refused to everybody; afterwards it has one owner", async () => {
  const bus = memoryBus();
  const trimmed = gate();
  const slow: Bus = { ...bus, trim: (session, beforeSeq) => trimmed.promise.then(() => bus.trim(session, beforeSeq)) };
  await using first = await startSystem({ bus: slow, agents });
  await using second = await startSystem({ bus: slow, agents });
  const session = await first.open({ id: "x" });
  const closing = session.close();
  await settle();
  for (const tests of [first, second]) {
    expect(await rejection(tests.open({ id: "x" }))).toMatchObject({ code: "fenced" });
  }
  trimmed.resolve();
  await closing;
  const again = await first.open({ id: "x" });
  expect(await rejection(second.open({ id: "x" }))).toMatchObject({ code: "fenced" });
  await again.createTeam({ name: "T", members: [one("A", { agentType: "waiter" })] });
  expect(again.status().members).toHaveLength(1);
});

test("R57: two calls of one system that open the same id at once give one session, and it keeps its lease", async () => {
  const bus = memoryBus();
  await using first = await startSystem({ bus });
  await using second = await startSystem({ bus });
  const opened = await Promise.allSettled([first.open({ id: "x" }), first.open({ id: "x" })]);
  expect(opened.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
  expect(await rejection(second.open({ id: "x" }))).toMatchObject({ code: "fenced" });
});

test("a lease that comes when its system is closed already is given back at once", async () => {
  const bus = memoryBus();
  const asked = gate();
  const claims: Bus["claims"] = {
    ...bus.claims,
    claim: (...args) => asked.promise.then(() => bus.claims.claim(...args)),
  };
  const first = await startSystem({ bus: { ...bus, claims } });
  await using second = await startSystem({ bus });
  const opened = rejection(first.open({ id: "x" }));
  await first.system.close();
  asked.resolve();
  expect(await opened).toMatchObject({ code: "fenced" });
  expect((await second.open({ id: "x" })).id).toBe("x");
});

/** A bus whose leases have this epoch. */
const busOfEpoch = (epoch: number): Bus => {
  const bus = memoryBus();
  const claim: Bus["claims"]["claim"] = async (...args) => {
    const claimed = await bus.claims.claim(...args);
    return claimed === null ? null : { ...claimed, epoch };
  };
  return { ...bus, claims: { ...bus.claims, claim } };
};

test("R57: an owner reports in the epoch of its lease", async () => {
  await using tests = await startSystem({ bus: busOfEpoch(41) });
  const epochs: unknown[] = [];
  const session = await tests.open({
    onOpen: (opened) => {
      opened.events$.subscribe(
        ({ event }) => event.type === "owner.claimed" && "epoch" in event && epochs.push(event.epoch),
      );
    },
  });
  expect([epochs, session.state.epoch]).toEqual([[41], 41]);
});

test("R57: a lease that is not later than the log's last owner opens nothing", async () => {
  await using tests = await startSystem({ bus: busOfEpoch(0) });
  expect(await rejection(tests.open({ id: "x" }))).toMatchObject({ code: "fenced" });
  expect(tests.system.sessions()).toEqual([]);
});

test("a handle of a team that was replaced is fenced: it neither changes nor ends the team of today", async () => {
  await using tests = await startSystem({ agents });
  const session = await tests.open();
  const old = await session.createTeam({ name: "Old", members: [one("A", { agentType: "waiter" })] });
  await old.dissolve({ mode: "abort" });
  expect(await old.dissolve()).toMatchObject({ outcome: "dissolved" });
  const today = await session.createTeam({ name: "New", members: [one("A", { agentType: "waiter" })] });
  expect(await rejection(old.replan({ cancel: ["A"] }))).toMatchObject({ code: "fenced" });
  expect(await rejection(old.dissolve({ mode: "abort" }))).toMatchObject({ code: "fenced" });
  expect(session.status()).toMatchObject({ team: "New", state: "running" });
  expect(await today.replan({ cancel: ["A"] })).toMatchObject({ cancelled: ["A"] });
});
