import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { systemClock } from "../../src/actors/system/system-clock.ts";
import { sqliteBus } from "../../src/bus/sqlite.ts";
import { createTeamSystem, type Session } from "../../src/index.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { busyTeam, stepsOfWork } from "./owner-child.ts";
import { logOf } from "./read-log.ts";

const child = join(import.meta.dirname, "owner-child.ts");

/** A process that owns the session of a file, or tries to. */
interface Owner {
  readonly process: ChildProcess;
  /** Resolves with the first line that fits. */
  untilSaid(line: RegExp): Promise<string>;
  readonly ended: Promise<unknown>;
}

function startOwner(path: string): Owner {
  const running = spawn(process.execPath, ["--conditions=@teamchart/source", child, path], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  onTestFinished(() => void running.kill("SIGKILL"));
  let text = "";
  running.stdout.setEncoding("utf8").on("data", (more: string) => (text += more));
  const said = (): readonly string[] => text.split("\n").filter(Boolean);
  return {
    process: running,
    async untilSaid(line) {
      for (;;) {
        const found = said().find((each) => line.test(each));
        if (found !== undefined) return found;
        await once(running.stdout, "data");
      }
    },
    ended: once(running, "exit"),
  };
}

/** Takes the session over here; `aheadMs` is how far this process's clock is ahead: leases of others run out by that. */
async function takeOver(path: string, aheadMs = 0): Promise<{ session: Session; close(): Promise<void> }> {
  const clock = { ...systemClock, now: () => systemClock.now() + aheadMs };
  const bus = sqliteBus({ path, clock });
  const system = await createTeamSystem({ bus, clock, environment: {}, ...busyTeam });
  const session = await system.openSession({ id: "s" });
  return {
    session,
    async close() {
      await system.close();
      await bus.close();
    },
  };
}

const newFile = (): string => join(temporaryFolder(), "teamchart.db");

test("of two processes that open a session at once one has it; when that one has closed, nothing keeps it alive, and another goes on at once", async () => {
  const path = newFile();
  await sqliteBus({ path }).close();
  const owners = [startOwner(path), startOwner(path)];
  const said = await Promise.all(owners.map((owner) => owner.untilSaid(/^(?:open|refused)/)));
  expect(said.toSorted()).toEqual(["open", "refused fenced"]);
  for (const { process: running } of owners) running.stdin?.end();
  const endings = await Promise.all(owners.map(({ ended }) => ended));
  // Nobody has ended them: they had no timer, handle or child left.
  expect(endings).toEqual([
    [0, null],
    [0, null],
  ]);
  const { session, close } = await takeOver(path);
  expect(session.member("A")).toMatchObject({ status: "in_progress", attempt: 1 });
  await close();
});

test("a process that is killed has lost its session at once; one that was only stopped fences itself, and nothing that it still does counts", async () => {
  const path = newFile();
  const killed = startOwner(path);
  await killed.untilSaid(/^open/);
  killed.process.kill("SIGKILL");
  await killed.ended;
  const zombie = startOwner(path);
  await zombie.untilSaid(/^open/);
  zombie.process.kill("SIGSTOP");
  const minuteMs = 60_000;
  const { session, close } = await takeOver(path, minuteMs);
  const { epoch } = session.state;
  zombie.process.kill("SIGCONT");
  await zombie.untilSaid(/^fault fenced/);
  zombie.process.stdin?.end();
  expect(await zombie.ended).toEqual([0, null]);
  expect(await session.team?.finished()).toMatchObject({ outcome: "completed" });
  await close();
  const log = await logOf({ path });
  const claimed = log.findIndex(
    ({ stored: { input } }) => input.event.type === "owner.claimed" && input.event.epoch === epoch,
  );
  // What the zombie had under way came behind the claim, in its own epoch, and changed nothing.
  const late = log.slice(claimed + 1).filter(({ stored: { input } }) => input.epoch < epoch);
  expect(late.map(({ verdict }) => verdict)).toEqual(late.map(() => "stale"));
  expect(session.member("A")).toMatchObject({ status: "completed", attempt: 1, modelCalls: stepsOfWork + 1 });
});
