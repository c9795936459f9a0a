import { expect, test } from "vitest";
import { machineHashes } from "../../../src/actors/owner/machine-hashes.ts";
import type { Bus } from "../../../src/bus/bus.ts";
import { createTeamSystem, defineAgent } from "../../../src/index.ts";
import { call, complete, gate, one, rejection, until } from "../../support/sessions.ts";
import { useFile } from "../../support/sqlite-file.ts";

test("a session that was let go is gone on with: finished members are not run again, the others are", async () => {
  const ran: string[] = [];
  const [began, held] = [gate(), gate()];
  const agents = {
    quick: defineAgent({ run: ({ name }) => void ran.push(name) }),
    slow: defineAgent({
      run: async ({ name }) => {
        ran.push(name);
        began.resolve();
        if (ran.length < 3) await held.promise;
        return { summary: "late", paths: [] };
      },
    }),
  };
  const file = useFile();
  const first = await file.open({ agents });
  const session = await first.system.openSession({ id: "s" });
  await session.createTeam({
    name: "T",
    members: [one("A", { agentType: "quick" }), one("B", { agentType: "slow", dependsOn: ["A"] })],
  });
  await began.promise;
  await first.system.close();
  const second = await file.open({ agents });
  const again = await second.system.openSession({ id: "s" });
  expect(again.isResumed).toBe(true);
  expect(await again.team?.finished()).toMatchObject({ outcome: "completed" });
  expect(ran).toEqual(["A", "B", "B"]);
  expect(again.status().members.map(({ name, summary }) => [name, summary])).toEqual([
    ["A", undefined],
    ["B", "late"],
  ]);
  await second.system.close();
});

test("a system opens again what it has closed, and what it says then is not taken for what it said before", async () => {
  const agents = { quick: defineAgent({ run: () => {} }) };
  const { system } = await useFile().open({ agents });
  const session = await system.openSession({ id: "s" });
  await session.createTeam({ name: "T", members: [one("A", { agentType: "quick", lifetime: "persistent" })] });
  await session.sendMessage({ to: "A", content: "one" });
  await session.close();
  const again = await system.openSession({ id: "s" });
  expect(await again.sendMessage({ to: "A", content: "two" })).toMatchObject({ accepted: true });
  expect(again.status().messages.accepted).toBe(2);
  for (const [text, count] of [
    ["three", 3],
    ["four", 4],
  ] as const) {
    const followed = await system.followSession("s");
    await followed.sendMessage({ to: "A", content: text });
    await until(() => again.status().messages.accepted === count);
    await followed.close();
  }
  await system.close();
});

test("a model's conversation goes on where it was, from a checkpoint as from the log", async () => {
  const script = { A: [call("note", { n: 1 }), { hang: true as const }, complete("after all")] };
  const file = useFile();
  const first = await file.open({ script, agents: {} });
  const session = await first.system.openSession({ id: "s" });
  await session.createTeam({ name: "T", members: [one("A", { agentType: "general" })] });
  await new Promise<void>((resolve) => {
    session.events$.subscribe(({ event }) => event.type === "step.ended" && resolve());
  });
  await first.system.close();
  const short = { A: [call("note", { n: 1 }), complete("after all")] };
  const second = await file.open({ script: short });
  const again = await second.system.openSession({ id: "s" });
  expect(await again.team?.finished()).toMatchObject({ outcome: "completed" });
  expect(again.member("A")).toMatchObject({ summary: "after all", attempt: 1 });
  await second.system.close();
});

test("what has ended, is open elsewhere or has another lead is refused, and changes nothing", async () => {
  const file = useFile();
  const { system } = await file.open();
  const session = await system.openSession({ id: "s" });
  const other = await file.open();
  expect(await rejection(other.system.openSession({ id: "s" }))).toMatchObject({ code: "fenced" });
  await session.close();
  expect(await rejection(other.system.openSession({ id: "s", lead: "own" }))).toMatchObject({ code: "bad_input" });
  await (await other.system.openSession({ id: "s" })).end();
  expect(await rejection(system.openSession({ id: "s" }))).toMatchObject({ code: "fenced", data: { closed: true } });
  expect(await system.knownSessions()).toEqual(["s"]);
  await Promise.all([system.close(), other.system.close()]);
});

const forever = { waiter: defineAgent({ run: () => new Promise<never>(() => {}) }) };

test("R57: whoever loses its session to another owner stops, is told, and changes nothing any more", async () => {
  const file = useFile();
  const first = await file.open({ agents: forever });
  const session = await first.system.openSession({ id: "s" });
  await session.createTeam({ name: "T", members: [one("A", { agentType: "waiter" })] });
  expect(session.alive.runs).toBe(1);
  // Its lease ran out unseen, as that of a process that was stopped for a minute.
  const lease = "default.session.s";
  const { epoch } = (await first.bus.claims.holder(lease)) ?? { epoch: 0 };
  await first.bus.claims.release({ key: lease, owner: "", epoch });
  const second = await file.open({ agents: forever });
  const taken = await second.system.openSession({ id: "s" });
  await until(() => first.system.sessions().length === 0);
  expect(session.alive.runs).toBe(0);
  expect(first.faults).toMatchObject([{ code: "fenced" }]);
  expect(await rejection(session.sendMessage({ to: "A", content: "hi" }))).toMatchObject({ code: "fenced" });
  expect(taken.alive.runs).toBe(1);
  expect(taken.member("A")).toMatchObject({ status: "in_progress", attempt: 1 });
  await Promise.all([first.system.close(), second.system.close()]);
});

test("a session that is followed shows what happens in its owner's process, and what it is told is done there", async () => {
  const file = useFile();
  const read: string[] = [];
  const reader = defineAgent({
    run: async ({ mail }) => {
      read.push((await mail.next()).content);
    },
  });
  const owner = await file.open({ agents: { reader } });
  const session = await owner.system.openSession({ id: "s" });
  const other = await file.open();
  const followed = await other.system.followSession("s");
  const types: string[] = [];
  followed.events$.subscribe(({ event }) => types.push(event.type));
  await session.createTeam({ name: "T", members: [one("A", { agentType: "reader" })] });
  await until(() => followed.status().state === "running");
  expect(await followed.sendMessage({ to: "A", content: "from afar" })).toMatchObject({ accepted: true });
  expect(await followed.team?.finished()).toMatchObject({ outcome: "completed" });
  expect(read).toEqual(["from afar"]);
  expect(types).toContain("run.completed");
  await followed.close();
  expect(session.status().state).toBe("finished");
  expect(await rejection(other.system.followSession("nobody"))).toMatchObject({ code: "unknown_session" });
  await Promise.all([owner.system.close(), other.system.close()]);
});

test("what opening reads doesn't grow with the age of a session: it is what the checkpoint doesn't cover", async () => {
  const file = useFile();
  const first = await file.open({ agents: forever });
  const session = await first.system.openSession({ id: "s" });
  await session.createTeam({ name: "T", members: [one("A", { agentType: "waiter" })] });
  for (let n = 0; n < 200; n += 1) await session.sendMessage({ to: "A", content: `mail ${n}` });
  await first.system.close();
  const second = await file.open({ agents: forever });
  const read: number[] = [];
  const counting: Bus = {
    ...second.bus,
    read: async (...given) => {
      const records = await second.bus.read(...given);
      read.push(records.length);
      return records;
    },
  };
  const system = await createTeamSystem({ bus: counting, agents: forever });
  const again = await system.openSession({ id: "s" });
  expect(again.member("A")).toMatchObject({ unread: 200 });
  // The bodies of the unread mail, and nothing else.
  expect(read.reduce((sum, count) => sum + count, 0)).toBe(200);
  await Promise.all([system.close(), second.system.close()]);
});

test("a checkpoint that can't be used is told and passed over; one of other machines is machine_version", async () => {
  const file = useFile();
  const first = await file.open({ agents: forever });
  const session = await first.system.openSession({ id: "s" });
  await session.createTeam({ name: "T", members: [one("A", { agentType: "waiter" })] });
  await first.system.close();
  const key = "default.session.s";
  const stored = await first.bus.checkpoints.get(key);
  await first.bus.checkpoints.put(key, { format: "nonsense" }, stored?.revision ?? 0);
  const second = await file.open({ agents: forever });
  expect((await second.system.openSession({ id: "s" })).member("A")).toMatchObject({ status: "in_progress" });
  expect(second.faults).toMatchObject([{ code: "bad_input" }]);
  await second.system.close();
  const now = await first.bus.checkpoints.get(key);
  const other = { ...(now?.value as object), machines: { member: "other" } };
  await first.bus.checkpoints.put(key, other, now?.revision ?? 0);
  const third = await file.open({ agents: forever });
  expect(await rejection(third.system.openSession({ id: "s" }))).toMatchObject({ code: "machine_version" });
  // Of another version altogether: its form isn't known here, and its log is not folded by machines that didn't write it.
  const later = { format: "teamchart-session", version: 2, machines: { member: "other" }, news: true };
  const again = await first.bus.checkpoints.get(key);
  await first.bus.checkpoints.put(key, later, again?.revision ?? 0);
  expect(await rejection(third.system.openSession({ id: "s" }))).toMatchObject({ code: "machine_version" });
  expect(await rejection(third.system.followSession("s"))).toMatchObject({ code: "machine_version" });
  // Another form of the same machines is one that can't be used, no more.
  const own = { ...later, machines: machineHashes() };
  const last = await first.bus.checkpoints.get(key);
  await first.bus.checkpoints.put(key, own, last?.revision ?? 0);
  expect((await third.system.openSession({ id: "s" })).member("A")).toMatchObject({ status: "in_progress" });
  await third.system.close();
});

test("a member whose agent type is missing is said before anything happens", async () => {
  const file = useFile();
  const first = await file.open({ agents: forever });
  await (
    await first.system.openSession({ id: "s" })
  ).createTeam({
    name: "T",
    members: [one("A", { agentType: "waiter" })],
  });
  await first.system.close();
  const second = await file.open();
  const records = (await second.bus.read({ namespace: "default", session: "s" }, { fromSeq: 1 })).length;
  expect(await rejection(second.system.openSession({ id: "s" }))).toMatchObject({ code: "unknown_agent_type" });
  expect(await second.bus.read({ namespace: "default", session: "s" }, { fromSeq: 1 })).toHaveLength(records);
  await second.system.close();
});

test("what a session was opened with is kept with its first input", async () => {
  const file = useFile();
  const { system } = await file.open();
  const kept = { members: ["é"], nested: { __proto__: null, a: 1 } };
  await system.openSession({ id: "s", file: kept });
  await system.openSession({ id: "bare" });
  expect(await system.readSessionFile("s")).toEqual({ members: ["é"], nested: { a: 1 } });
  expect(await system.readSessionFile("bare")).toBeNull();
  expect(await rejection(system.readSessionFile("nobody"))).toMatchObject({ code: "unknown_session" });
  await system.close();
});
