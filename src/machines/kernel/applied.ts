import type { EventObject } from "xstate";
import type { Input } from "../../protocol/input.ts";
import type { Reply, WorkState } from "../../protocol/reply.ts";
import type { Plan } from "../../protocol/plan.ts";
import type { CommandRef } from "./state.ts";

/** An input as the kernel takes it: its place in the stream, and the plan it refers to, resolved and parsed. */
export interface KernelRecord {
  readonly seq: number;
  readonly input: Input;
  readonly plan?: Plan;
}

/** What became of an event: `stale` and `refused` ones changed nothing, `ignored` ones found no transition. */
export type Verdict = "handled" | "ignored" | "stale" | "refused" | "error";

/** One applied event: the input itself (step 0) or a post that followed from it. Actors are tokens. */
export interface AppliedStep {
  readonly step: number;
  readonly actor: string;
  readonly from: string;
  readonly event: EventObject;
  /** The event as the machine got it, with the verdicts that steer it; left out where that is `event` itself. */
  readonly took?: EventObject;
  verdict: Verdict;
  /** A member's work state after this event. */
  readonly status: WorkState | null;
  /** Names of the transitions taken. */
  readonly transitions: readonly string[];
}

/** A reply that is due, and to whom. */
export interface DueReply {
  readonly to: CommandRef;
  readonly reply: Reply;
}
