import type { Finding } from "./finding.ts";
import type { Hint } from "./hint.ts";

/** What a reviewer may be told. */
export interface ReviewOptions {
  /** What the other reviewers found out. Without it a review judges every file by itself. */
  readonly hints?: readonly Hint[];
  /** The name under which its own hints go out. */
  readonly from?: string;
}

/** What a reviewer has to say. `hints` depend on the project alone, so telling each other never goes in circles. */
export interface Review {
  /** Worst first. */
  readonly findings: readonly Finding[];
  readonly hints: readonly Hint[];
  /** The files that got only the smaller, line-based analysis. */
  readonly smaller: readonly string[];
}
