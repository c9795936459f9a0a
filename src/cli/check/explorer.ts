import { totalmem } from "node:os";
import { Worker } from "node:worker_threads";
import type { TeamModelOptions } from "../../testing/index.ts";
import type { ExploreAnswer, ExploreRequest } from "./explore-worker.ts";
import type { StageOptions, StageProgress, StageResult } from "./stage.ts";

/** Who explores stages. */
export interface Explorer {
  /** Explores one stage, and tells now and then how far it is. */
  explore(
    model: TeamModelOptions,
    options: StageOptions,
    onProgress: (progress: StageProgress) => void,
  ): Promise<StageResult>;
  /** Ends it, also in the middle of a stage; what was asked for then never comes. */
  close(): Promise<void>;
}

/** Of the memory that this process may have, what the search may take for its sessions. */
const memoryShare = 0.6;

function heapMax(): number {
  const constrained = process.constrainedMemory();
  const bytes = constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
  return Math.floor((bytes * memoryShare) / 2 ** 20);
}

/** Beside this module: built, or as a source. */
const workerUrl = new URL(import.meta.url.replace(/explorer(\.[jt]s)$/, "explore-worker$1"));

/** Explores in a thread of its own, so that signals and the terminal are heard meanwhile. */
export function startExplorer(): Explorer {
  let worker: Worker | null = null;
  const start = (): Worker => {
    const started = new Worker(workerUrl, { resourceLimits: { maxOldGenerationSizeMb: heapMax() } });
    worker = started;
    return started;
  };
  return {
    explore(model, options, onProgress) {
      const used = worker ?? start();
      let last: StageProgress = { states: 0, transitions: 0 };
      const startedAt = performance.now();
      return new Promise<StageResult>((resolve, reject) => {
        const onMessage = (answer: ExploreAnswer): void => {
          if ("progress" in answer) {
            last = answer.progress;
            onProgress(last);
            return;
          }
          used.off("message", onMessage).off("error", onError);
          resolve(answer.result);
        };
        const onError = (error: NodeJS.ErrnoException): void => {
          worker = null;
          if (error.code !== "ERR_WORKER_OUT_OF_MEMORY") reject(error);
          else resolve(outOfMemory(last, (performance.now() - startedAt) / 1_000));
        };
        used.on("message", onMessage).once("error", onError);
        used.postMessage({ model, options } satisfies ExploreRequest);
      });
    },
    async close() {
      await worker?.terminate();
      worker = null;
    },
  };
}

/** What is known of a stage whose thread had no more memory: how far it was. */
const outOfMemory = (last: StageProgress, seconds: number): StageResult => ({
  ...last,
  verdict: "inconclusive",
  depth: 0,
  seconds,
  limitsHit: ["memory"],
  taken: [],
  reached: [],
  violation: null,
});
