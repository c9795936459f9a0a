import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

/** What a check and a runtime need of the sources, loaded from one folder: the project's own, or a copy with a fault. */
export interface Sources {
  readonly checkModel: typeof import("../../../../src/testing/check/check-model.ts");
  readonly teamModel: typeof import("../../../../src/testing/check/team-model.ts");
  readonly virtualClock: typeof import("../../../../src/testing/virtual-clock.ts");
  readonly judge: typeof import("../../../../src/testing/check/judge.ts");
  readonly pathRun: typeof import("../../../../src/testing/check/path-run.ts");
  readonly storedRecord: typeof import("../../../../src/testing/check/stored-record.ts");
  readonly machines: typeof import("../../../../src/machines/index.ts");
  readonly bus: typeof import("../../../../src/bus/memory.ts");
  readonly runtime: typeof import("../../../../src/actors/session-runtime.ts");
  readonly questions: typeof import("../../../../src/actors/questions.ts");
  readonly recorder: typeof import("../../../../src/actors/recorder.ts");
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
    recorder: await load<"recorder">("actors/recorder.ts"),
  };
}
