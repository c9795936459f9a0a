import type { AppliedStep, KernelRecord, Verdict } from "teamchart/machines";

/** One input of the log, and what it did. */
export interface Entry {
  readonly record: KernelRecord;
  readonly verdict: Verdict;
  /** Why it changed nothing, for `stale`, `refused` and `error`. */
  readonly why: string | null;
  /** The input itself and every post that followed. */
  readonly steps: readonly AppliedStep[];
  /** What the recording says of it that these machines don't, or null. */
  readonly difference: string | null;
}
