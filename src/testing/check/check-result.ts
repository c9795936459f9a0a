import type { Counterexample } from "./counterexample.ts";
import type { Coverage } from "./coverage.ts";

/** What came of checking a model. */
export interface CheckResult {
  /**
   * `holds`: everything was explored and nothing is wrong. `violated`: there is a counterexample, or a `sometimes` that is
   * never true. `inconclusive`: a limit was hit, or only walks were made; nothing is known of the rest.
   */
  readonly verdict: "holds" | "violated" | "inconclusive";
  readonly violation: Counterexample | null;
  /** States, told apart by what steers and by what is left of the budgets. */
  readonly states: number;
  readonly transitions: number;
  /** Steps of the longest path that was looked at. */
  readonly depth: number;
  readonly seconds: number;
  /** Bytes that a state costs in the checker's tables, sessions of the frontier not counted. */
  readonly bytesPerState: number;
  readonly coverage: Coverage;
  readonly sometimes: readonly { readonly name: string; readonly reached: boolean }[];
  /** Limits that ended the search early; `walks` when only walks were made. */
  readonly limitsHit: readonly ("statesMax" | "depthMax" | "ms" | "walks")[];
  readonly symmetry: SymmetryReport;
  /** The verdict in words: the counterexample, what is never true or what cut the search short, and how much was looked at. */
  toString(): string;
}

/** What symmetry did. */
export interface SymmetryReport {
  readonly isOn: boolean;
  /** Names of members that are interchangeable as declared, per class. After a replan others may be. */
  readonly classes: readonly (readonly string[])[];
  /** Why it is off, or null. */
  readonly why: string | null;
}
