import type { AnyStateMachine, EventFrom, EventObject, InputFrom, SnapshotFrom } from "xstate";
import type { EventLine } from "../../protocol/recording.ts";
import type { Budget } from "./budgets.ts";
import type { Given, Move } from "./move.ts";
import type { SessionView } from "./session-view.ts";

/** An event for the protocol alone, such as a word of somebody outside. The session is not touched. */
export interface ProtocolMove<Event extends EventObject = EventObject> {
  /** What a person would call it. No two moves of one state share a name. */
  readonly name: string;
  /** What it costs; null = the ordinary course of things. */
  readonly budget: Budget | null;
  readonly event: Event;
}

/** A machine of the user's own, or null for a team without a protocol. */
export type MachineOrNone = AnyStateMachine | null;

/** What a protocol's machine may be told. */
export type EventOf<Machine> = Machine extends AnyStateMachine ? EventFrom<Machine> : never;

/**
 * Rules of your own over a team: an XState machine beside the session. It is fed by what the team does, and its host acts
 * through the session. The model has both in one state, and the same machine runs in production.
 *
 * Declare it with the type of its machine, so that TypeScript keeps your events as they are written:
 * `const publication: Protocol<typeof machine> = { machine, on, moves }`.
 *
 * All three must be pure. `on` may keep nothing of a line that differs between two runs of the same thing (`seq`, `at`, ids,
 * numbers of runs): states that differ in those alone are one state for the checker.
 */
export interface Protocol<Machine extends MachineOrNone = MachineOrNone> {
  /**
   * It starts before the team is created, and hears of that first. Its context is JSON; it has no `invoke`, no `after`, and
   * neither spawns actors nor sends to others. Actions other than `assign` and `raise` are the host's and are not run.
   */
  readonly machine: Machine;
  /** The machine's input, where it takes one. */
  readonly input?: Machine extends AnyStateMachine ? InputFrom<Machine> : never;
  /** What a line of `session.events$` says to the machine. In production feed it by the same function. */
  on(line: EventLine): readonly EventOf<Machine>[];
  /** What the host and the world outside may do now: inputs of the session, or events for the protocol alone. */
  moves?(protocol: SnapshotOf<Machine>, session: SessionView): readonly Given<Move | ProtocolMove<EventOf<Machine>>>[];
}

/** A snapshot of a protocol's machine. */
export type SnapshotOf<Machine> = Machine extends AnyStateMachine ? SnapshotFrom<Machine> : never;

/** A state as a property sees it: with the protocol's snapshot, when the model has a protocol. */
export type ViewOf<Machine> = Machine extends AnyStateMachine
  ? SessionView & { readonly protocol: SnapshotFrom<Machine> }
  : SessionView;
