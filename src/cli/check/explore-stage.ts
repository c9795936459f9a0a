import type { Kernel } from "../../machines/index.ts";
import { checkModel, teamModel, type TeamModelOptions } from "../../testing/index.ts";
import type { StageOptions, StageProgress, StageResult } from "./stage.ts";

/** What one stage explores. */
export interface Exploration {
  readonly model: TeamModelOptions;
  readonly options: StageOptions;
  readonly onProgress: (progress: StageProgress) => void;
  /** By default the kernel that runs in production. */
  readonly kernel?: Kernel;
}

/** Explores one stage, and gives back what was found as data. It keeps its thread until it is done. */
export function exploreStage({ model, options, onProgress, kernel }: Exploration): StageResult {
  const team = teamModel(kernel === undefined ? model : { ...model, kernel });
  const { violation, coverage, ...result } = checkModel(team, { ...options, onProgress });
  const { verdict, states, transitions, depth, seconds, limitsHit } = result;
  return {
    verdict,
    states,
    transitions,
    depth,
    seconds,
    limitsHit,
    taken: coverage.taken,
    reached: coverage.reached,
    violation:
      violation === null
        ? null
        : {
            property: violation.property,
            problem: violation.problem,
            moves: violation.moves,
            text: violation.toString(),
            test: violation.toTest(),
            recording: violation.toRecording(),
          },
  };
}
