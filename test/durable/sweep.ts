import { deepStrictEqual } from "node:assert";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { compileCache } from "../support/compile-cache.ts";
import { type ChildPlan, runPlan } from "./killed-child.ts";
import { expectNothingTwice } from "./read-log.ts";
import type { TeamName } from "./teams/index.ts";
import { expectWholeFold } from "./whole-fold.ts";

const child = join(import.meta.dirname, "killed-child.ts");

/** How a life ended, and in which moment. */
interface Ended {
  readonly by: string;
  readonly moment: string;
}

/** Runs a plan in a process of its own. */
async function runChild(plan: ChildPlan): Promise<Ended> {
  const running = spawn(process.execPath, ["--conditions=@teamchart/source", child, JSON.stringify(plan)], {
    env: { PATH: process.env["PATH"] ?? "", ...compileCache },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let moment = "";
  running.stdout.setEncoding("utf8").on("data", (text: string) => (moment += text));
  const [code, signal] = (await once(running, "close")) as [number | null, string | null];
  return { by: signal ?? `code ${code}`, moment };
}

async function planIn(folder: string, { team, newPlace }: Pick<SweepOptions, "team" | "newPlace">): Promise<ChildPlan> {
  mkdirSync(folder, { recursive: true });
  const path = newPlace === undefined ? join(folder, "teamchart.db") : await newPlace();
  return { team, path, effects: join(folder, "effects"), death: { at: null } };
}

/** One that was killed and gone on with. */
export interface Killed {
  /** The moments in which its processes died, one after the other. */
  readonly deaths: readonly number[];
  readonly moments: readonly string[];
  /** What is wrong with it; null when nothing is. */
  readonly wrong: unknown;
}

/** How a sweep goes: which moments, and in how many processes at once. */
export interface SweepOptions {
  readonly team: TeamName;
  /** Where its files are put. */
  readonly folder: string;
  /** The moments of death of each try, when there are so many of them in a life that isn't killed. */
  readonly deaths: (moments: number) => readonly (readonly number[])[];
  readonly atOnce: number;
  /** Where the bus of each try is; left out = a file in its folder. */
  readonly newPlace?: () => Promise<string>;
  /** Told of each try when it is over. */
  readonly onKilled?: (killed: Killed) => void;
}

/** Kills a team's process in moments of its life; gives what was wrong with the session that another process has gone on with. */
export async function sweep(options: SweepOptions): Promise<readonly Killed[]> {
  const { folder, deaths, atOnce, onKilled } = options;
  const whole = await planIn(join(folder, "whole"), options);
  const expected = await runPlan(whole);
  await expectNothingTwice(whole);
  await expectWholeFold(whole);
  const wrong: Killed[] = [];
  const tries = [...deaths(expected.moments).entries()];
  const work = async (): Promise<void> => {
    for (let next = tries.shift(); next !== undefined; next = tries.shift()) {
      const [n, at] = next;
      const killed = await tryOut(await planIn(join(folder, String(n)), options), { deaths: at, expected });
      onKilled?.(killed);
      if (killed.wrong !== null) wrong.push(killed);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return wrong;
}

interface Try {
  readonly deaths: readonly number[];
  readonly expected: Awaited<ReturnType<typeof runPlan>>;
}

async function tryOut(plan: ChildPlan, { deaths, expected }: Try): Promise<Killed> {
  const moments: string[] = [];
  try {
    for (const at of deaths) {
      const { by, moment } = await runChild({ ...plan, death: { at } });
      moments.push(moment);
      // What is left to do may be over before that moment comes.
      if (by !== "code 0") deepStrictEqual({ moment, by }, { moment, by: "SIGKILL" });
      await expectWholeFold(plan);
    }
    const { outcome, faults } = await runPlan(plan);
    deepStrictEqual({ outcome, faults }, { outcome: expected.outcome, faults: expected.faults });
    await expectNothingTwice(plan);
    await expectWholeFold(plan);
    return { deaths, moments, wrong: null };
  } catch (wrong) {
    return { deaths, moments, wrong };
  }
}
