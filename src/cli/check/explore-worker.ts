import { parentPort } from "node:worker_threads";
import type { TeamModelOptions } from "../../testing/index.ts";
import { exploreStage } from "./explore-stage.ts";
import type { StageOptions, StageProgress, StageResult } from "./stage.ts";

/** What the thread is asked. */
export interface ExploreRequest {
  readonly model: TeamModelOptions;
  readonly options: StageOptions;
}

/** What it answers: any number of times how far it is, then what was found. */
export type ExploreAnswer = { readonly progress: StageProgress } | { readonly result: StageResult };

/** Between two words on how far it is. */
const progressMs = 100;

const port = parentPort;
if (port === null) throw new Error("this module is the thread of `teamchart check`");
const answer = (told: ExploreAnswer): void => port.postMessage(told);
port.on("message", ({ model, options }: ExploreRequest) => {
  let toldAt = 0;
  const onProgress = (progress: StageProgress): void => {
    const now = performance.now();
    if (now - toldAt < progressMs) return;
    toldAt = now;
    answer({ progress });
  };
  answer({ result: exploreStage({ model, options, onProgress }) });
});
