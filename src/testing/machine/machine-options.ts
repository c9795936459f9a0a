import type { AnyStateMachine, EventFromLogic, EventObject, InputFrom, SnapshotFrom } from "xstate";

/** What an actor that a machine invokes or spawns may do; every list is a choice of the world, an empty one none. */
export interface ActorOutcomes {
  /** Outputs that it may be done with. One, undefined, when left out. */
  readonly done?: readonly unknown[];
  /** Errors that it may fail with. One `Error` when left out. */
  readonly error?: readonly unknown[];
  /** Snapshots that it may show, where the machine has an `onSnapshot`. Its initial one when left out. */
  readonly snapshot?: readonly unknown[];
}

/** Bounds of a search; whoever hits one gets `inconclusive`. */
export interface MachineLimits {
  /** States, told apart by `key`. 20,000 when left out. */
  readonly statesMax?: number;
  /** Events of the longest path. 1,000 when left out. */
  readonly depthMax?: number;
  /** Time for the whole search. Unlimited when left out. */
  readonly ms?: number;
  /** Steps without an event after which a machine counts as never settling. 1,000 when left out. */
  readonly microstepsMax?: number;
  /** Armed timers and events to itself that wait at once. 16 when left out. */
  readonly pendingMax?: number;
}

/** What to check a machine with. */
export interface MachineCheckOptions<Machine extends AnyStateMachine = AnyStateMachine> {
  /** The input that it is started with. */
  readonly input?: InputFrom<Machine>;
  /**
   * Events that may come, with their payloads, or which may come where. When left out: every type that the machine
   * mentions, without payload, and one that nothing but a wildcard takes for each wildcard.
   */
  readonly events?:
    | readonly EventFromLogic<Machine>[]
    | ((snapshot: SnapshotFrom<Machine>) => readonly EventFromLogic<Machine>[]);
  /** What the actors that it invokes or spawns may do, by their id or their `src`. */
  readonly invokes?: Readonly<Record<string, ActorOutcomes>>;
  /**
   * What tells two states apart. State value and context when left out. What it leaves out must not steer the machine;
   * history, timers and running actors are told apart in any case.
   */
  readonly key?: (snapshot: SnapshotFrom<Machine>) => string;
  readonly limits?: MachineLimits;
  /** Ids of transitions and states whose finding is meant, each with its reason. */
  readonly allow?: Readonly<Record<string, string>>;
}

/** Options without the type of their machine, checked. */
export interface ParsedOptions {
  readonly input: unknown;
  readonly events: readonly EventObject[] | ((snapshot: unknown) => unknown) | null;
  readonly invokes: Readonly<Record<string, ActorOutcomes>>;
  readonly key: ((snapshot: unknown) => unknown) | null;
  readonly limits: Required<MachineLimits>;
  readonly allow: Readonly<Record<string, string>>;
}
