import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test, type TestContext } from "vitest";
import { natsBus } from "../../src/bus/nats.ts";
import { createTeamSystem, isTeamError, type Session, type TeamSystemOptions } from "../../src/index.ts";
import { NatsServer } from "../support/nats-server.ts";
import { agentsOf, type WorkerPlan } from "../support/worker-child.ts";
import { busyTeam, stepsOfWork } from "./owner-child.ts";
import { logOf } from "./read-log.ts";
import { sweep } from "./sweep.ts";

const root = mkdtempSync(join(tmpdir(), "teamchart-nats-processes-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Looks until it is true: what it waits for happens in other processes. */
async function until(isTrue: () => boolean): Promise<void> {
  for (const from = performance.now(); performance.now() - from < 60_000;) {
    if (isTrue()) return;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  throw new Error(`waited a minute for ${String(isTrue)}`);
}

/** Tests that run at the same time each end what they have started, so each says who it is. */
type Test = Pick<TestContext, "onTestFinished">;

/** A child of one of the files beside this test, and what it has said. */
function startChild({ onTestFinished }: Test, file: string, args: readonly string[]) {
  const child: ChildProcess = spawn(
    process.execPath,
    ["--conditions=@teamchart/source", join(import.meta.dirname, file), ...args],
    { stdio: ["pipe", "pipe", "inherit"] },
  );
  onTestFinished(() => void child.kill("SIGKILL"));
  let text = "";
  child.stdout?.setEncoding("utf8").on("data", (more: string) => (text += more));
  const said = (line: RegExp): Promise<void> => until(() => line.test(text));
  return { child, said, ended: once(child, "exit") };
}

async function startServer({ onTestFinished }: Test): Promise<string> {
  const server = await NatsServer.start();
  onTestFinished(() => server[Symbol.asyncDispose]());
  return server.url;
}

/** Opens the session here, again and again while somebody else has its lease. */
async function takeOver({ onTestFinished }: Test, url: string, options: TeamSystemOptions): Promise<Session> {
  const bus = await natsBus({ servers: url });
  const system = await createTeamSystem({ ...options, bus, environment: {} });
  onTestFinished(async () => {
    await system.close();
    await bus.close();
  });
  for (;;) {
    try {
      return await system.openSession({ id: "s" });
    } catch (error) {
      if (!isTeamError(error, "fenced")) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

test.concurrent("on NATS a killed owner's session is free at once; one that was stopped loses it with its lease, and nothing that it still does counts", async (context) => {
  const url = await startServer(context);
  const killed = startChild(context, "owner-child.ts", [url]);
  await killed.said(/^open/m);
  killed.child.kill("SIGKILL");
  await killed.ended;
  const leaseMs = 5_000;
  const zombie = startChild(context, "owner-child.ts", [url, String(leaseMs)]);
  await zombie.said(/^open/m);
  zombie.child.kill("SIGSTOP");
  const session = await takeOver(context, url, busyTeam);
  const { epoch } = session.state;
  zombie.child.kill("SIGCONT");
  await zombie.said(/^fault fenced/m);
  zombie.child.stdin?.end();
  expect(await zombie.ended).toEqual([0, null]);
  expect(await session.team?.finished()).toMatchObject({ outcome: "completed" });
  expect(session.member("A")).toMatchObject({ status: "completed", attempt: 1, modelCalls: stepsOfWork + 1 });
  const log = await logOf({ path: url });
  const claimed = log.findIndex(
    ({ stored: { input } }) => input.event.type === "owner.claimed" && input.event.epoch === epoch,
  );
  expect(claimed).toBeGreaterThan(0);
  const late = log.slice(claimed + 1).filter(({ stored: { input } }) => input.epoch < epoch);
  expect(late.map(({ verdict }) => verdict)).toEqual(late.map(() => "stale"));
});

test.concurrent("on NATS a team whose process is killed at moments drawn at random comes to the same end, and does nothing twice", async (context) => {
  const deaths = (moments: number) => Array.from({ length: 3 }, () => [1 + Math.floor(Math.random() * moments)]);
  // What is wrong names the moments.
  const options = { folder: mkdtempSync(join(root, "test-")), deaths, atOnce: 1, newPlace: () => startServer(context) };
  expect(await sweep({ team: "failure-and-replan", ...options })).toEqual([]);
});

test.concurrent("on NATS a worker that is killed loses its step alone, and its owner's death nothing at all", async (context) => {
  const url = await startServer(context);
  const folder = mkdtempSync(join(root, "test-"));
  const shared = { path: url, effects: join(folder, "effects"), gate: join(folder, "gate") };
  const effects = () => readFileSync(shared.effects, { encoding: "utf8", flag: "a+" }).split("\n").filter(Boolean);
  const script: WorkerPlan["script"] = {
    Ann: [
      { calls: [{ tool: "once", input: {} }] },
      { calls: [{ tool: "wait", input: {} }] },
      { calls: [{ tool: "complete", input: { summary: "all of it" } }] },
    ],
  };
  const start = (plan: Pick<WorkerPlan, "role" | "name" | "members">) =>
    startChild(context, "../support/worker-child.ts", [
      JSON.stringify({ ...shared, script, ...plan } satisfies WorkerPlan),
    ]);
  const first = start({ role: "worker", name: "w1" });
  const owner = start({ role: "owner", name: "owner", members: ["Ann"] });
  await until(() => effects().length === 2);
  owner.child.kill("SIGKILL");
  await owner.ended;
  const session = await takeOver(context, url, { agents: agentsOf({ ...shared, name: "next" }), script });
  await until(() => session.member("Ann")?.worker === "w1");
  start({ role: "worker", name: "w2" });
  first.child.kill("SIGKILL");
  writeFileSync(shared.gate, "");
  const result = await session.team?.finished();
  expect(result?.members[0]).toMatchObject({ status: "completed", summary: "all of it", attempt: 1, modelCalls: 3 });
  expect(effects().map((line) => line.split(" ")[0])).toEqual(["once", "wait"]);
});
