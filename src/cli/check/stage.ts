import type { Budget, CheckOptions } from "../../testing/index.ts";

/** One part of a check: what may be done to a team in it, and how it is looked at. */
export interface Stage {
  /** Short, for a line: `nothing`, `one message`, `any two`. */
  readonly name: string;
  /** How many interventions; null = random walks. */
  readonly interventions: number | null;
  /** The only kind of intervention, or null where there are all, or none. */
  readonly kind: Budget | null;
  readonly options: StageOptions;
}

/** What of a check's options a stage has: data alone, fit for another thread. */
export type StageOptions = Pick<CheckOptions, "budgets" | "interventionsMax" | "strategy" | "walks" | "limits">;

/** What was found in a stage, as data. */
export interface StageResult {
  readonly verdict: "holds" | "violated" | "inconclusive";
  readonly states: number;
  readonly transitions: number;
  readonly depth: number;
  readonly seconds: number;
  /** What ended it early; `memory` when there was no more. */
  readonly limitsHit: readonly string[];
  /** Ids of the transitions taken and of the states reached. */
  readonly taken: readonly string[];
  readonly reached: readonly string[];
  readonly violation: Violation | null;
}

/** A counterexample, in all its forms. */
export interface Violation {
  readonly property: string;
  readonly problem: string;
  readonly moves: readonly string[];
  readonly text: string;
  readonly test: string;
  readonly recording: readonly string[];
}

/** How far a stage is. */
export interface StageProgress {
  readonly states: number;
  readonly transitions: number;
}

/** A stage that was looked at. */
export interface StageDone {
  readonly stage: Stage;
  readonly result: StageResult;
}
