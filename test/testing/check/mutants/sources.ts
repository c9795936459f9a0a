import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type * as checkModelModule from "../../../../src/testing/check/check-model.ts";
import type * as teamModelModule from "../../../../src/testing/check/team-model.ts";
import type * as virtualClockModule from "../../../../src/testing/virtual-clock.ts";
import type * as judgeModule from "../../../../src/testing/check/judge.ts";
import type * as pathRunModule from "../../../../src/testing/check/path-run.ts";
import type * as storedRecordModule from "../../../../src/testing/check/stored-record.ts";
import type * as machinesModule from "../../../../src/machines/index.ts";
import type * as busModule from "../../../../src/bus/memory.ts";
import type * as runtimeModule from "../../../../src/actors/session/session-runtime.ts";
import type * as questionsModule from "../../../../src/actors/session/questions.ts";
import type * as invitationsModule from "../../../../src/actors/agents/invitations.ts";
import type * as memberWorktreesModule from "../../../../src/actors/worktrees/member-worktrees.ts";
import type * as worktreeSourceModule from "../../../../src/actors/worktrees/worktree-source.ts";
import type * as hookRunnerModule from "../../../../src/actors/hooks/hook-runner.ts";
import type * as recorderModule from "../../../../src/actors/recording/recorder.ts";

/** What a check and a runtime need of the sources, loaded from one folder: the project's own, or a copy with a fault. */
export interface Sources {
  readonly checkModel: typeof checkModelModule;
  readonly teamModel: typeof teamModelModule;
  readonly virtualClock: typeof virtualClockModule;
  readonly judge: typeof judgeModule;
  readonly pathRun: typeof pathRunModule;
  readonly storedRecord: typeof storedRecordModule;
  readonly machines: typeof machinesModule;
  readonly bus: typeof busModule;
  readonly runtime: typeof runtimeModule;
  readonly questions: typeof questionsModule;
  readonly invitations: typeof invitationsModule;
  readonly memberWorktrees: typeof memberWorktreesModule;
  readonly worktreeSource: typeof worktreeSourceModule;
  readonly hookRunner: typeof hookRunnerModule;
  readonly recorder: typeof recorderModule;
}

/** The project's own sources. */
export const ownFolder = fileURLToPath(new URL("../../../../src", import.meta.url));

/** Where each of them lies within a folder of sources. */
export const sourcePaths: Readonly<Record<keyof Sources, string>> = {
  checkModel: "testing/check/check-model.ts",
  teamModel: "testing/check/team-model.ts",
  virtualClock: "testing/virtual-clock.ts",
  judge: "testing/check/judge.ts",
  pathRun: "testing/check/path-run.ts",
  storedRecord: "testing/check/stored-record.ts",
  machines: "machines/index.ts",
  bus: "bus/memory.ts",
  runtime: "actors/session/session-runtime.ts",
  questions: "actors/session/questions.ts",
  invitations: "actors/agents/invitations.ts",
  memberWorktrees: "actors/worktrees/member-worktrees.ts",
  worktreeSource: "actors/worktrees/worktree-source.ts",
  hookRunner: "actors/hooks/hook-runner.ts",
  recorder: "actors/recording/recorder.ts",
};

/** Loads the sources that lie in a folder; what is not there is the project's own. */
export async function loadSources(folder: string): Promise<Sources> {
  const load = async <Name extends keyof Sources>(name: Name): Promise<Sources[Name]> => {
    const own = join(folder, sourcePaths[name]);
    const path = existsSync(own) ? own : join(ownFolder, sourcePaths[name]);
    // The table above says where the module lies whose type stands at its name.
    return (await import(pathToFileURL(path).href)) as Sources[Name];
  };
  return {
    checkModel: await load("checkModel"),
    teamModel: await load("teamModel"),
    virtualClock: await load("virtualClock"),
    judge: await load("judge"),
    pathRun: await load("pathRun"),
    storedRecord: await load("storedRecord"),
    machines: await load("machines"),
    bus: await load("bus"),
    runtime: await load("runtime"),
    questions: await load("questions"),
    invitations: await load("invitations"),
    memberWorktrees: await load("memberWorktrees"),
    worktreeSource: await load("worktreeSource"),
    hookRunner: await load("hookRunner"),
    recorder: await load("recorder"),
  };
}
