import type { FactReader, SessionState } from "../../machines/index.ts";
import type { CommandKey, InputEvent } from "../../protocol/input.ts";
import type { Plan } from "../../protocol/plan.ts";
import type { ReplanSpec } from "../../protocol/spec.ts";
import type { Budget } from "./budgets.ts";
import type { ProtocolMove } from "./protocol.ts";

/** An input of the world, without what the model adds: sequence, id, time and, where it is left out, the epoch. */
export interface MoveInput {
  /** Whose mailbox: a member's name or token, `lead`, `session` or `team-<k>`. */
  readonly actor: string;
  /** Who sends it: a member's name or token, `lead`, `user` or `system`. */
  readonly from: string;
  readonly event: InputEvent;
  readonly command?: CommandKey;
  readonly plan?: Plan;
  readonly epoch?: number;
}

/** Something that may happen next. */
export interface Move {
  /** What a person would call it: `A completes`, `the owner changes`. No two moves of one state share a name. */
  readonly name: string;
  /** What it costs; null = the ordinary course of things. */
  readonly budget: Budget | null;
  readonly input: MoveInput;
}

/** A move as it is given: without a budget it is the ordinary course of things. */
export type Given<Kind> = Kind extends unknown ? Omit<Kind, "budget"> & { readonly budget?: Budget | null } : never;

/** A move that could not be worked out: making it tells why. */
export interface FaultMove {
  readonly name: string;
  readonly budget: null;
  readonly fault: string;
}

/** Whatever a model may do next: an input of the session, an event for the protocol alone, or the word of a fault. */
export type AnyMove = Move | ProtocolMove | FaultMove;

/** What the moves of a state are worked out from. */
export interface World {
  readonly session: SessionState;
  readonly facts: FactReader;
  /** Tool calls that a run may have open at once. */
  readonly callsMax: number;
  /** Whether reports that steer nothing are made too. */
  readonly journals: boolean;
  /** Plans of the user's own. */
  readonly replans: readonly ReplanSpec[];
  /** Existing agents that the host offers. */
  readonly invitable: readonly string[];
  /** Whether the host has hooks, which may say no. */
  readonly hooks: boolean;
  /** Whether moves of this kind are asked for; those that nobody can pay for need no working out. */
  readonly wants: (budget: Budget) => boolean;
  readonly add: (name: string, budget: Budget | null, input: MoveInput) => void;
}
