import type { Stored } from "../../bus/bus.ts";
import { eventLines } from "../../machines/event-lines.ts";
import { createKernel, toCheckpoint, type Kernel, type KernelRecord, type SessionState } from "../../machines/index.ts";
import { isPlanned, parsePlan } from "../../protocol/plan.ts";
import type { EventLine } from "../../protocol/recording.ts";
import { firstDifference } from "../difference.ts";

/** One kernel for all folds: it remembers steps, and they are the same for everybody. */
const kernel: Kernel = createKernel();

/** A stored record as the kernel takes it. */
export function kernelRecord({ seq, input, body }: Stored): KernelRecord {
  const { event } = input;
  const plan = isPlanned(event) ? parsePlan(event, body) : undefined;
  return plan === undefined ? { seq, input } : { seq, input, plan };
}

/** What a log comes to, folded from its first record. */
export interface FreshFold {
  readonly state: SessionState;
  /** Every applied event, in order. */
  readonly lines: readonly EventLine[];
  /** Where a state of the same place differs from this one, or null. */
  differenceTo(state: SessionState): string | null;
}

/** Folds the records up to a sequence. */
export function freshFold(records: readonly Stored[], toSeq = Infinity): FreshFold {
  const state = kernel.create();
  const lines: EventLine[] = [];
  for (const stored of records) {
    if (stored.seq > toSeq) break;
    const record = kernelRecord(stored);
    lines.push(...eventLines(state, kernel.apply(state, record), record));
  }
  return {
    state,
    lines,
    differenceTo: (other) => firstDifference(toCheckpoint(state), toCheckpoint(other)),
  };
}

/** What states mean, read from snapshots. */
export const factsOf = (): Kernel["steppers"]["facts"] => kernel.steppers.facts;
