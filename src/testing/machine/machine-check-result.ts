import type { EventObject } from "xstate";
import type { TransitionDescription } from "../../machines/index.ts";
import type { Coverage } from "../check/coverage.ts";

/** One event of a path. */
export interface PathStep {
  /** What happens, for people: `SAVE`, `loadUser is done`, `after 1000 in form.saving`. */
  readonly name: string;
  /** The event that the machine takes. */
  readonly event: EventObject;
}

/** A shortest sequence of events from the start. */
export type MachinePath = readonly PathStep[];

/**
 * Why a transition is never taken. `shadowed`: an earlier one for the same event has no guard. `source`: its state is never
 * active. `event`: no such event came while it was. `overridden`: another takes each such event, an earlier one or one of a state
 * inside. `guard`: the event came, and its guard did not let it be taken.
 */
export type DeadReason = "shadowed" | "source" | "event" | "overridden" | "guard";

/** A transition that nothing takes. */
export interface DeadTransition {
  readonly transition: TransitionDescription;
  readonly why: DeadReason;
}

/** Transitions without an event that follow each other without end. */
export interface AlwaysCycle {
  /** Ids of the states that it goes round in. */
  readonly states: readonly string[];
  /** Ids of the transitions that it takes again and again. */
  readonly transitions: readonly string[];
  readonly path: MachinePath;
}

/** A configuration that is not final and that nothing leads out of. */
export interface Deadlock {
  /** Ids of its innermost active states. */
  readonly states: readonly string[];
  readonly path: MachinePath;
}

/** What stops the machine with an error. */
export interface MachineError {
  /** `thrown`: by a guard, an assign or another expression. `unhandled`: an actor failed, and no `onError` takes it. */
  readonly cause: "thrown" | "unhandled";
  /** What happened when it was thrown; `the start` before any event. */
  readonly event: string;
  /** Ids of the innermost active states at that moment. */
  readonly states: readonly string[];
  readonly message: string;
  /** False where a missing payload may be the cause. */
  readonly isDecided: boolean;
  readonly path: MachinePath;
}

/** A payload that the machine asked for and that the options don't give. */
export interface MissingPayload {
  readonly event: string;
  /** The field that was read. */
  readonly field: string;
  /** Ids of the innermost active states at that moment. */
  readonly states: readonly string[];
  readonly path: MachinePath;
}

/** Events of the alphabet that nothing takes while a state is active. */
export interface UnhandledEvents {
  /** Id of an innermost state. */
  readonly state: string;
  readonly events: readonly string[];
}

/** A limit of a search. */
export type MachineLimit = "statesMax" | "depthMax" | "ms" | "pendingMax";

/** What came of checking a machine. */
export interface MachineCheck {
  /** Id of the machine. */
  readonly machine: string;
  /**
   * `holds`: everything was explored and nothing was found. `violated`: there is a finding that `allow` does not name.
   * `inconclusive`: a limit was hit, or a payload is missing; nothing is known of the rest.
   */
  readonly verdict: "holds" | "violated" | "inconclusive";
  /** States, told apart by `key`, timers and running actors. */
  readonly states: number;
  /** Steps from one of them to another, or to itself. */
  readonly transitions: number;
  /** Events of the longest shortest path. */
  readonly depth: number;
  readonly seconds: number;
  readonly limitsHit: readonly MachineLimit[];
  /** Ids of the states that are never active. */
  readonly unreachable: readonly string[];
  readonly dead: readonly DeadTransition[];
  readonly alwaysCycles: readonly AlwaysCycle[];
  readonly deadlocks: readonly Deadlock[];
  readonly errors: readonly MachineError[];
  /** What is not decided for want of a payload: give it in `events` or `invokes`. */
  readonly missing: readonly MissingPayload[];
  /** No finding: to be read. An event that a guard alone lets drop is in it. Empty unless everything was explored. */
  readonly unhandled: readonly UnhandledEvents[];
  readonly coverage: Coverage;
  /** What else is worth knowing: parts of the context that are told apart by identity. */
  readonly notes: readonly string[];
  /** The findings as text. */
  readonly toString: () => string;
}
