import type { BodyRef } from "../../protocol/input.ts";
import type { Deadline } from "./deadline.ts";

/** How a call that waited for somebody outside was answered; `timed_out`: nobody did in time. */
export interface OutsideAnswer {
  readonly verdict: "ok" | "error" | "timed_out";
  readonly body: BodyRef | null;
}

/** A call that waits for somebody outside. It outlives the run that asked: the next one waits on. */
export interface OutsideCall {
  /** Whose call it is: an actor token. */
  readonly actor: string;
  readonly call: string;
  readonly tool: string;
  /** What whoever answers is told of it. */
  readonly note: BodyRef | null;
  readonly since: number;
  readonly deadline: Deadline | null;
  /** Kept until the call has ended; also one that came before the call said that it waits. */
  readonly answer: OutsideAnswer | null;
}

/** A call that waits for nobody outside any more, and why. */
export interface OutsideEnd {
  readonly actor: string;
  readonly call: string;
  readonly how: "answered" | "timed_out" | "cancelled";
}
