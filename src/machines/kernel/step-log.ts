import type { EventObject } from "xstate";
import type { Input } from "../../protocol/input.ts";
import type { WorkState } from "../../protocol/reply.ts";
import type { AppliedStep } from "./applied.ts";

/** How a post is written down: as the input itself, or with more than the machine needs to know. */
export interface Shown {
  readonly asInput?: boolean;
  readonly event?: EventObject;
}

/** What a machine made of an event. */
type Outcome = Pick<AppliedStep, "transitions"> & { readonly handled: boolean };

/** What was applied because of one input, in order; the input itself is step 0. */
export class StepLog {
  readonly steps: AppliedStep[] = [];
  readonly #input: Input;
  readonly #workOf: (actor: string) => WorkState | null;

  /** `workOf` tells a member's work state as it is now; null for any other actor. */
  constructor(input: Input, workOf: (actor: string) => WorkState | null) {
    this.#input = input;
    this.#workOf = workOf;
  }

  /** The input itself. It is written down when the first thing follows from it, and by `kernel.apply` at last. */
  input(): AppliedStep {
    const { actor, from, event } = this.#input;
    return (this.steps[0] ??= {
      step: 0,
      actor,
      from,
      event,
      verdict: "handled",
      status: this.#workOf(actor),
      transitions: [],
    });
  }

  add(
    { actor, from, status }: Pick<AppliedStep, "actor" | "from" | "status">,
    event: EventObject,
    { handled, transitions }: Outcome,
    shown: Shown,
  ): void {
    const verdict = handled ? "handled" : "ignored";
    if (shown.asInput === true) {
      this.steps[0] = { step: 0, actor, from, event: this.#input.event, took: event, verdict, status, transitions };
      return;
    }
    if (this.steps.length === 0) this.input();
    const step = this.steps.length;
    // No spread: this runs for every post.
    if (shown.event === undefined) this.steps.push({ step, actor, from, event, verdict, status, transitions });
    else this.steps.push({ step, actor, from, event: shown.event, took: event, verdict, status, transitions });
  }
}
