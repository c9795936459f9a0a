import { join } from "node:path";
import { tool } from "ai";
import { concatMap } from "rxjs";
import { expect, onTestFinished, test } from "vitest";
import type { Bus, Stored } from "../../../src/bus/bus.ts";
import { sqliteBus } from "../../../src/bus/sqlite.ts";
import { createTeamSystem, defineAgent, type Session, type TeamSystemOptions } from "../../../src/index.ts";
import { anyInput, gate, member, until } from "../../support/sessions.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const one = (name: string) => ({ name, agentType: "clerk", prompt: `Task of ${name}.` });

function place() {
  const path = join(temporaryFolder(), "teamchart.db");
  return async (options: TeamSystemOptions, through: (bus: Bus) => Bus = (bus) => bus) => {
    const bus = sqliteBus({ path });
    const system = await createTeamSystem({ bus: through(bus), environment: {}, ...options });
    onTestFinished(async () => {
      await system.close();
      await bus.close();
    });
    return system;
  };
}

/** A bus that holds adoptions back until they are let through. */
const holdAdoptions =
  (released: Promise<unknown>) =>
  (bus: Bus): Bus => ({
    ...bus,
    append: async (append) => {
      if (append.input.event.type === "run.adopted") await released;
      return bus.append(append);
    },
  });

/** A bus whose follower hears late that another owner has come: what it reports until then is between two owners. */
const hearLate = (heard: Promise<unknown>) => {
  const isNextOwner = ({ input: { event } }: Stored) => event.type === "owner.claimed" && event.epoch > 1;
  return (bus: Bus): Bus => ({
    ...bus,
    follow: (...from) =>
      bus
        .follow(...from)
        .pipe(concatMap((stored) => (isNextOwner(stored) ? heard.then(() => stored) : Promise.resolve(stored)))),
  });
};

const placed = (more: object = {}) => ({ clerk: defineAgent({ runsOn: "workers", model: "scripted", ...more }) });

const script = {
  Ann: [{ calls: [{ tool: "wait", input: {} }] }, { calls: [{ tool: "complete", input: { summary: "all of it" } }] }],
};

const verdictsOf = (session: Session, type: string): string[] => {
  const verdicts: string[] = [];
  session.events$.subscribe(({ event, verdict, step }) => {
    if (event.type === type && step === 0) verdicts.push(verdict);
  });
  return verdicts;
};

test("what a worker reports between two owners is refused there, and repeated once its run is adopted", async () => {
  const open = place();
  const [held, adopt, heard] = [gate(), gate(), gate()];
  let calls = 0;
  const wait = tool({
    inputSchema: anyInput,
    execute: async () => {
      calls += 1;
      await held.promise;
      return "waited";
    },
  });
  const worker = await open({ agents: placed({ tools: { wait } }), script }, hearLate(heard.promise));
  await worker.offerAgents(["clerk"], { name: "w1" });
  const first = await open({ agents: placed() });
  await (await first.openSession({ id: "s" })).createTeam({ name: "T", members: [one("Ann")] });
  await until(() => calls === 1);
  await first.close();
  const second = await open({ agents: placed() }, holdAdoptions(adopt.promise));
  const session = await second.openSession({ id: "s" });
  const ends = verdictsOf(session, "tool.ended");
  held.resolve();
  await until(() => ends.length === 1);
  heard.resolve();
  adopt.resolve();
  const result = await session.team?.finished();
  expect(result?.members[0]).toMatchObject({ summary: "all of it", modelCalls: 2, attempt: 1 });
  // The call of `wait` twice, and that of `complete`.
  expect([calls, ends]).toEqual([1, ["stale", "handled", "handled"]]);
});

test("a permission that was waited for is asked for again under the next owner", async () => {
  const open = place();
  let calls = 0;
  const wait = tool({ inputSchema: anyInput, execute: () => `done ${++calls}` });
  const worker = await open({ agents: placed({ tools: { wait }, ask: ["wait"] }), script });
  await worker.offerAgents(["clerk"], { name: "w1" });
  const first = await open({ agents: placed() });
  const opened = await first.openSession({ id: "s" });
  await opened.createTeam({ name: "T", members: [one("Ann")] });
  await until(() => opened.permissionRequests().length === 1);
  const [asked] = opened.permissionRequests();
  await first.close();
  const session = await (await open({ agents: placed() })).openSession({ id: "s" });
  await until(() => session.permissionRequests().length === 1);
  const [again] = session.permissionRequests();
  expect(again).toMatchObject({ member: "Ann", tool: "wait" });
  expect(again?.id).not.toBe(asked?.id);
  await session.answerPermission(again?.id ?? "", { approve: true });
  const result = await session.team?.finished();
  expect([result?.members[0]?.summary, calls]).toEqual(["all of it", 1]);
});

test("the policies of the owner and its lead hold for what runs on a worker", async () => {
  const open = place();
  let calls = 0;
  const wait = tool({ inputSchema: anyInput, execute: () => `done ${++calls}` });
  const worker = await open({ agents: placed({ tools: { wait } }), script });
  await worker.offerAgents(["clerk"], { name: "w1" });
  const owner = await open({ agents: placed(), permissions: { mode: "bypass", rules: { deny: ["wait"] } } });
  const session = await owner.openSession({ id: "s" });
  const team = await session.createTeam({ name: "T", members: [one("Ann")] });
  const result = await team.finished();
  expect([result.members[0]?.summary, calls]).toEqual(["all of it", 0]);
});

test("a worker takes what was offered while it had no room, though nobody offers it again", async () => {
  const open = place();
  const offered = new Set<string>();
  const onceOnly = (bus: Bus): Bus => ({
    ...bus,
    signals: {
      ...bus.signals,
      publish: (signal) => {
        const key = JSON.stringify(signal.value);
        if (signal.topic.endsWith(".work") && offered.has(key)) return;
        offered.add(key);
        bus.signals.publish(signal);
      },
    },
  });
  const clerk = defineAgent({ runsOn: "workers", run: ({ name }) => ({ summary: name }) });
  const worker = await open({ agents: { clerk } });
  const offering = await worker.offerAgents(["clerk"], { runsMax: 1 });
  const owner = await open({ agents: { clerk } }, onceOnly);
  const session = await owner.openSession({ id: "s" });
  const names = ["Ann", "Bob", "Cem", "Dan", "Eve"];
  const team = await session.createTeam({ name: "T", members: names.map(one) });
  const result = await team.finished();
  expect(result.members.map(({ summary }) => summary)).toEqual(names);
  await until(() => offering.runs === 0);
});

test("a run of a followed session that another node asks for is taken again after its worker has been away", async () => {
  const open = place();
  const clerk = defineAgent({ runsOn: "workers", run: ({ name }) => ({ summary: name }) });
  const owner = await open({ agents: { clerk } });
  const session = await owner.openSession({ id: "s" });
  // The same system offers twice: what it reports must not be taken for what it has reported before.
  const worker = await open({ agents: { clerk } });
  const before = await worker.offerAgents(["clerk"], { name: "w1" });
  const first = await session.createTeam({ name: "T", members: [one("Ann")] });
  await first.finished();
  await before.close();
  await session.dissolve();
  await worker.offerAgents(["clerk"], { name: "w1" });
  const second = await session.createTeam({ name: "U", members: [one("Bob")] });
  expect((await second.finished()).members[0]?.summary).toBe("Bob");
  expect(member(session, "Bob")).not.toHaveProperty("worker");
});
