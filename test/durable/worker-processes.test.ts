import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test, type TestContext } from "vitest";
import { sqliteBus } from "../../src/bus/sqlite.ts";
import { createTeamSystem, type Session, type TeamSystem } from "../../src/index.ts";
import { member } from "../support/sessions.ts";
import { agentsOf, type WorkerPlan } from "../support/worker-child.ts";

const file = join(import.meta.dirname, "../support/worker-child.ts");

/** A process that a test has started, and what it has said. */
interface Child {
  readonly process: ChildProcess;
  readonly said: (text: string) => boolean;
  readonly exit: Promise<unknown>;
}

/** A folder for each test, and one for what children compile: the next one need not. */
const root = mkdtempSync(join(tmpdir(), "teamchart-workers-"));
const cache = join(root, "cache");
afterAll(() => rmSync(root, { recursive: true, force: true }));
const waitMsMax = 40_000;

/** Looks until it is true; a process takes its time to start. */
async function until(isTrue: () => boolean): Promise<void> {
  for (const from = performance.now(); performance.now() - from < waitMsMax;) {
    if (isTrue()) return;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  throw new Error(`waited ${waitMsMax} ms for ${String(isTrue)}`);
}

/** A folder with a bus, and processes on it. */
function place({ onTestFinished }: TestContext, script: WorkerPlan["script"] = {}) {
  const folder = mkdtempSync(join(root, "test-"));
  const shared = { path: join(folder, "teamchart.db"), effects: join(folder, "effects"), gate: join(folder, "gate") };
  const start = (plan: Pick<WorkerPlan, "role" | "name"> & Partial<WorkerPlan>): Child => {
    const whole: WorkerPlan = { ...shared, script, ...plan };
    const child = spawn(process.execPath, ["--conditions=@teamchart/source", file, JSON.stringify(whole)], {
      env: { PATH: process.env["PATH"] ?? "", NODE_COMPILE_CACHE: cache },
      stdio: ["ignore", "pipe", "inherit"],
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    let text = "";
    child.stdout.setEncoding("utf8").on("data", (piece: string) => (text += piece));
    return { process: child, said: (line) => text.includes(`${line}\n`), exit: once(child, "exit") };
  };
  const openSystem = async (): Promise<TeamSystem> => {
    const bus = sqliteBus({ path: shared.path });
    const system = await createTeamSystem({
      bus,
      agents: agentsOf({ ...shared, name: "owner" }),
      script,
      environment: {},
    });
    onTestFinished(async () => {
      await system.close();
      await bus.close();
    });
    return system;
  };
  return {
    start,
    openSystem,
    openGate: () => writeFileSync(shared.gate, ""),
    effects: () => readFileSync(shared.effects, { encoding: "utf8", flag: "a+" }).split("\n").filter(Boolean),
  };
}

/** Opens the session of a test and writes down what happens in it from its opening on. */
async function openSession(system: TeamSystem): Promise<{ readonly session: Session; readonly events: string[] }> {
  const events: string[] = [];
  const session = await system.openSession({
    id: "s",
    onOpen: ({ events$ }) =>
      void events$.subscribe(({ event, verdict, actor }) => events.push(`${actor} ${event.type} ${verdict}`)),
  });
  return { session, events };
}

const one = (name: string, agentType = "clerk") => ({ name, agentType, prompt: `Task of ${name}.` });
const script = {
  Ann: [
    { calls: [{ tool: "once", input: {} }] },
    { calls: [{ tool: "wait", input: {} }] },
    { calls: [{ tool: "complete", input: { summary: "all of it" } }] },
  ],
};
const words = (lines: readonly string[]): readonly string[] => lines.map((line) => line.split(" ")[0] ?? "");

test.concurrent("a team's members run in two worker processes, and write to each other", async (context) => {
  const { start, openSystem } = place(context);
  const workers = ["w1", "w2"].map((name) => start({ role: "worker", name, runsMax: 1 }));
  const session = await (await openSystem()).openSession({ id: "s" });
  const team = await session.createTeam({ name: "T", members: [one("Ann", "caller"), one("Bob", "caller")] });
  const { outcome, members } = await team.finished();
  const on = members.map(({ summary }) => summary?.split(", on ") ?? []);
  expect([outcome, on.map(([said]) => said)]).toEqual(["completed", ["hello from Bob", "hello from Ann"]]);
  expect(new Set(on.map(([, where]) => where))).toEqual(new Set(["w1", "w2"]));
  // A worker that is asked to stop does, and nothing of it keeps its process.
  for (const { process: child } of workers) child.kill("SIGTERM");
  expect(await Promise.all(workers.map(({ exit }) => exit))).toEqual([
    [0, null],
    [0, null],
  ]);
});

test.concurrent("a worker that is killed in the middle of a step loses that step alone: another one goes on", async (context) => {
  const { start, openSystem, effects, openGate } = place(context, script);
  const w1 = start({ role: "worker", name: "w1" });
  await until(() => w1.said("ready"));
  const { session, events } = await openSession(await openSystem());
  const team = await session.createTeam({ name: "T", members: [one("Ann")] });
  await until(() => effects().length === 2);
  start({ role: "worker", name: "w2" });
  w1.process.kill("SIGKILL");
  openGate();
  const { members } = await team.finished();
  // Three answers of its model, none of them asked for twice; the call that was under way is not made again.
  expect(members[0]).toMatchObject({ status: "completed", summary: "all of it", attempt: 1, modelCalls: 3 });
  expect(words(effects())).toEqual(["once", "wait"]);
  expect(events.filter((event) => event.includes("run.lost"))).toEqual(["Ann run.lost handled"]);
});

test.concurrent("an owner that is killed: the next one takes its worker's run over, and nothing is done again", async (context) => {
  const { start, openSystem, effects, openGate } = place(context, script);
  const owner = start({ role: "owner", name: "owner", members: ["Ann"] });
  const worker = start({ role: "worker", name: "w1" });
  await until(() => effects().length === 2);
  owner.process.kill("SIGKILL");
  await owner.exit;
  const { session, events } = await openSession(await openSystem());
  await until(() => events.includes("Ann run.adopted handled"));
  expect(member(session, "Ann").worker).toBe("w1");
  openGate();
  const { members } = await (session.team as NonNullable<Session["team"]>).finished();
  expect(members[0]).toMatchObject({ status: "completed", summary: "all of it", attempt: 1, modelCalls: 3 });
  expect([words(effects()), worker.said("lost Ann")]).toEqual([["once", "wait"], false]);
  expect(events.filter((event) => event.includes("run.lost"))).toEqual([]);
});

test.concurrent("a worker that was stopped for longer than its lease changes nothing when it wakes", async (context) => {
  const { start, openSystem, effects, openGate } = place(context, script);
  const zombie = start({ role: "worker", name: "w1", leaseMs: 1_000 });
  await until(() => zombie.said("ready"));
  const { session, events } = await openSession(await openSystem());
  const team = await session.createTeam({ name: "T", members: [one("Ann")] });
  await until(() => effects().length === 2);
  zombie.process.kill("SIGSTOP");
  start({ role: "worker", name: "w2" });
  const { members } = await team.finished();
  expect(members[0]).toMatchObject({ status: "completed", attempt: 1, modelCalls: 3 });
  const before = { ...session.result(), durationMs: 0 };
  openGate();
  zombie.process.kill("SIGCONT");
  await until(() => zombie.said("ended Ann"));
  expect({ ...session.result(), durationMs: 0 }).toEqual(before);
  expect(words(effects())).toEqual(["once", "wait"]);
  expect(events.filter((event) => event.includes("run.lost"))).toEqual(["Ann run.lost handled"]);
});
