import { join } from "node:path";
import { tool } from "ai";
import { expect, onTestFinished, test } from "vitest";
import type { Bus } from "../../../src/bus/bus.ts";
import { sqliteBus } from "../../../src/bus/sqlite.ts";
import { createTeamSystem, defineAgent, type TeamSystem, type TeamSystemOptions } from "../../../src/index.ts";
import { anyInput, gate, member, until } from "../../support/sessions.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

/** Systems on one file, each with a bus of its own as if it were another process. */
function place() {
  const path = join(temporaryFolder(), "teamchart.db");
  const faults: unknown[] = [];
  const open = async (options: TeamSystemOptions): Promise<{ readonly system: TeamSystem; readonly bus: Bus }> => {
    const bus = sqliteBus({ path });
    const onFault = (fault: unknown): void => void faults.push(fault);
    const system = await createTeamSystem({ bus, environment: {}, onFault, ...options });
    onTestFinished(async () => {
      await system.close();
      await bus.close();
    });
    return { system, bus };
  };
  return { open, faults };
}

const remote = defineAgent({ runsOn: "workers", description: "runs elsewhere" });
const one = (name: string, more: object = {}) => ({ name, agentType: "clerk", prompt: `Task of ${name}.`, ...more });

test("a member whose type is for workers runs on a worker, with mail, upstreams and its result", async () => {
  const { open, faults } = place();
  const clerk = defineAgent({
    runsOn: "workers",
    run: async ({ name, upstream, send }) => {
      if (name === "Ann") await send("Bob", "from Ann");
      return { summary: `${name} after ${upstream.map((each) => each.summary).join()}` };
    },
  });
  const worker = await open({ agents: { clerk } });
  const offering = await worker.system.offerAgents(["clerk"], { name: "w1" });
  const { system } = await open({ agents: { clerk: remote } });
  const session = await system.openSession({ id: "s" });
  const team = await session.createTeam({ name: "T", members: [one("Ann"), one("Bob", { dependsOn: ["Ann"] })] });
  const result = await team.finished();
  expect(result.members.map(({ name, summary }) => [name, summary])).toEqual([
    ["Ann", "Ann after "],
    ["Bob", "Bob after Ann after "],
  ]);
  expect(session.status().messages.accepted).toBe(1);
  await offering.close();
  expect(faults).toEqual([]);
});

test("without a worker a member waits and status says so; it goes on when one comes", async () => {
  const { open } = place();
  const { system } = await open({ agents: { clerk: remote } });
  const session = await system.openSession({ id: "s" });
  const team = await session.createTeam({ name: "T", members: [one("Ann")] });
  expect(member(session, "Ann")).toMatchObject({ status: "in_progress", presence: "running", worker: null });
  const held = gate();
  const run = () => held.promise.then(() => ({ summary: "done" }));
  const worker = await open({ agents: { clerk: defineAgent({ run }) } });
  await worker.system.offerAgents(["clerk"], { name: "late" });
  await until(() => member(session, "Ann").worker === "late");
  held.resolve();
  expect((await team.finished()).outcome).toBe("completed");
  expect(member(session, "Ann")).not.toHaveProperty("worker");
});

test("a cancel, an interrupt and a dissolve reach the run on its worker", async () => {
  const { open } = place();
  const aborted: string[] = [];
  const started: string[] = [];
  const run = ({ name, signal }: { name: string; signal: AbortSignal }) =>
    new Promise<never>((_resolve, reject) => {
      started.push(name);
      signal.addEventListener("abort", () => {
        aborted.push(name);
        reject(signal.reason);
      });
    });
  const worker = await open({ agents: { clerk: defineAgent({ run }) } });
  const offering = await worker.system.offerAgents(["clerk"]);
  const { system } = await open({ agents: { clerk: remote } });
  const session = await system.openSession({ id: "s" });
  await session.createTeam({ name: "T", members: [one("Ann"), one("Bob"), one("Cem")] });
  await until(() => started.length === 3);
  await session.replan({ cancel: ["Ann"] });
  await until(() => aborted.length === 1);
  await session.interrupt("Bob");
  await until(() => aborted.length === 2);
  await session.dissolve({ mode: "abort" });
  await until(() => offering.runs === 0);
  expect(aborted).toEqual(["Ann", "Bob", "Cem"]);
  expect(session.status().members.map(({ name, status }) => [name, status])).toEqual([
    ["Ann", "cancelled"],
    ["Bob", "failed"],
    ["Cem", "cancelled"],
  ]);
});

/** A model agent with a tool that waits until the test lets it end, and what its script says. */
const slowClerk = (held: Promise<unknown>, calls: string[], where: string) =>
  defineAgent({
    model: "scripted",
    tools: {
      wait: tool({
        inputSchema: anyInput,
        execute: async (_input: unknown, { abortSignal }) => {
          calls.push(where);
          await Promise.race([held, new Promise((resolve) => abortSignal?.addEventListener("abort", resolve))]);
          return "waited";
        },
      }),
    },
  });
const script = {
  Ann: [
    { calls: [{ tool: "wait", input: {} }] },
    { calls: [{ tool: "team_send_message", input: { to: "Lead", content: "half way" } }] },
    { calls: [{ tool: "complete", input: { summary: "all of it" } }] },
  ],
};

test("the run of an owner that lets go is adopted by the next one: no call of its model or tool is made again", async () => {
  const { open, faults } = place();
  const [held, calls] = [gate(), [] as string[]];
  const worker = await open({ agents: { clerk: slowClerk(held.promise, calls, "w1") }, script });
  await worker.system.offerAgents(["clerk"], { name: "w1" });
  const first = await open({ agents: { clerk: remote } });
  const opened = await first.system.openSession({ id: "s" });
  await opened.createTeam({ name: "T", members: [one("Ann")] });
  await until(() => calls.length === 1);
  await first.system.close();
  const second = await open({ agents: { clerk: remote } });
  const session = await second.system.openSession({ id: "s" });
  const events: string[] = [];
  session.events$.subscribe(({ event }) => void events.push(event.type));
  await until(() => member(session, "Ann").worker === "w1" && session.state.members.get("Ann-t1")?.run.adopted === 1);
  held.resolve();
  const result = await session.team?.finished();
  expect(result?.members[0]).toMatchObject({ summary: "all of it", modelCalls: 3, attempt: 1 });
  expect([calls, events.includes("run.lost"), session.status().messages.accepted]).toEqual([["w1"], false, 1]);
  expect(faults).toEqual([]);
});

test("a worker that stops in order gives its runs back: another one goes on with what was journalled", async () => {
  const { open, faults } = place();
  const calls: string[] = [];
  const [never, now] = [gate(), Promise.resolve()];
  const one1 = await open({ agents: { clerk: slowClerk(never.promise, calls, "w1") }, script });
  const offering = await one1.system.offerAgents(["clerk"], { name: "w1" });
  const { system } = await open({ agents: { clerk: remote } });
  const session = await system.openSession({ id: "s" });
  const events: string[] = [];
  session.events$.subscribe(({ event }) => void events.push(event.type));
  const team = await session.createTeam({ name: "T", members: [one("Ann")] });
  await until(() => calls.length === 1);
  const two = await open({ agents: { clerk: slowClerk(now, calls, "w2") }, script });
  await two.system.offerAgents(["clerk"], { name: "w2" });
  await offering.close();
  const result = await team.finished();
  // The call in flight has an unknown effect, so it is told as that; its answer and the rest are as they were.
  expect(result.members[0]).toMatchObject({ summary: "all of it", modelCalls: 3, attempt: 1 });
  expect([calls, events.includes("run.lost")]).toEqual([["w1"], false]);
  expect(faults).toEqual([]);
});
