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
import type * as runtimeModule from "../../../../src/actors/session-runtime.ts";
import type * as questionsModule from "../../../../src/actors/questions.ts";
import type * as invitationsModule from "../../../../src/actors/invitations.ts";
import type * as hookRunnerModule from "../../../../src/actors/hook-runner.ts";
import type * as recorderModule from "../../../../src/actors/recorder.ts";

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
  readonly hookRunner: typeof hookRunnerModule;
  readonly recorder: typeof recorderModule;
}

/** The project's own sources. */
export const ownFolder = fileURLToPath(new URL("../../../../src", import.meta.url));

/** Loads the sources that lie in a folder. */
export async function loadSources(folder: string): Promise<Sources> {
  // Each path below is that of the module whose type stands at its name above.
  const load = async <Name extends keyof Sources>(path: string): Promise<Sources[Name]> =>
    (await import(pathToFileURL(join(folder, path)).href)) as Sources[Name];
  return {
    checkModel: await load<"checkModel">("testing/check/check-model.ts"),
    teamModel: await load<"teamModel">("testing/check/team-model.ts"),
    virtualClock: await load<"virtualClock">("testing/virtual-clock.ts"),
    judge: await load<"judge">("testing/check/judge.ts"),
    pathRun: await load<"pathRun">("testing/check/path-run.ts"),
    storedRecord: await load<"storedRecord">("testing/check/stored-record.ts"),
    machines: await load<"machines">("machines/index.ts"),
    bus: await load<"bus">("bus/memory.ts"),
    runtime: await load<"runtime">("actors/session-runtime.ts"),
    questions: await load<"questions">("actors/questions.ts"),
    invitations: await load<"invitations">("actors/invitations.ts"),
    hookRunner: await load<"hookRunner">("actors/hook-runner.ts"),
    recorder: await load<"recorder">("actors/recorder.ts"),
  };
}
