import type { AnyStateMachine } from "xstate";
import type { InputEvent } from "../../protocol/input.ts";
import type { Verdict } from "../../machines/index.ts";
import type { Budgets } from "./budgets.ts";
import type { MachineOrNone, ViewOf } from "./protocol.ts";

/** A step as a property sees it. */
export interface Step<Event = InputEvent> {
  /** The move's name, such as `A completes`. */
  readonly move: string;
  /** The session's input; null for a move of the protocol alone. */
  readonly event: Event;
  /** Who sent it and who it was meant for, in display names. */
  readonly from: string;
  readonly actor: string;
  readonly verdict: Verdict;
  /** Types of the posts that followed, in order. */
  readonly posts: readonly string[];
  /** Copies of messages that this step accepted, delivered, dead-lettered or refused. */
  readonly mail: {
    readonly accepted: number;
    readonly delivered: number;
    readonly deadLettered: number;
    readonly refused: number;
  };
}

/** A step of a model, with or without a protocol. */
export type StepOf<Machine> = Machine extends AnyStateMachine ? Step<InputEvent | null> : Step;

/**
 * Says something of a settled state. `false` is a violation, and so is a throw; anything else holds, so a body may be made
 * of `expect(...)` alone. `ghost` is what `ghost.next` remembers.
 */
export type StateProperty<Ghost = unknown, Machine = null> = (state: ViewOf<Machine>, ghost: Ghost) => boolean | void;

/** Says something of a step; the same answers. */
export type StepProperty<Ghost = unknown, Machine = null> = (
  before: ViewOf<Machine>,
  step: StepOf<Machine>,
  after: ViewOf<Machine>,
  ghost: Ghost,
) => boolean | void;

/** What properties remember of the past. It is part of the state, so it must be small, and JSON. */
export interface GhostState<Ghost, Machine = null> {
  readonly initial: Ghost;
  /** What is remembered after a step. */
  readonly next: (ghost: Ghost, before: ViewOf<Machine>, step: StepOf<Machine>, after: ViewOf<Machine>) => Ghost;
}

/** Properties by name. */
export interface Properties<Ghost = unknown, Machine extends MachineOrNone = null> {
  /** Hold in every state. */
  readonly always?: Readonly<Record<string, StateProperty<Ghost, Machine>>>;
  /** Hold on every step. */
  readonly onStep?: Readonly<Record<string, StepProperty<Ghost, Machine>>>;
  /** Are true in at least one state. */
  readonly sometimes?: Readonly<Record<string, StateProperty<Ghost, Machine>>>;
  /** Hold wherever nothing is due: no run is live, no timer armed and nobody is waited for. With a protocol: nor has it a move without a budget. */
  readonly quiescent?: Readonly<Record<string, StateProperty<Ghost, Machine>>>;
  /** Can be made true from every state, by what may still happen there. */
  readonly alwaysPossible?: Readonly<Record<string, StateProperty<Ghost, Machine>>>;
  readonly ghost?: GhostState<Ghost, Machine>;
  /** G1 to G10; on by default. */
  readonly guarantees?: boolean;
}

/** How a model is explored. */
export interface CheckOptions<Ghost = unknown, Machine extends MachineOrNone = null> extends Properties<
  Ghost,
  Machine
> {
  /** How often each kind of intervention may happen; none by default. */
  readonly budgets?: Budgets;
  /** How many interventions there may be in all. `{ every budget: 1 }` with 2 here is every pair. */
  readonly interventionsMax?: number;
  readonly limits?: { readonly statesMax?: number; readonly depthMax?: number; readonly ms?: number };
  /** `false` keeps interchangeable members apart. */
  readonly symmetry?: boolean;
  /** `exhaustive` (default), or random walks for what is too big. */
  readonly strategy?: "exhaustive" | "walk";
  /** How many walks; 100 by default. `limits.depthMax` is the length of one (200 by default). */
  readonly walks?: number;
  /** Seed of the walks: the same one gives the same walks. */
  readonly seed?: number;
  /** Transitions that need not be taken, each with the reason. */
  readonly allow?: Readonly<Record<string, string>>;
  /** Told now and then how far the search is. The search waits for it. */
  readonly onProgress?: (progress: { readonly states: number; readonly transitions: number }) => void;
}
