import type { AnyMachineSnapshot, EventObject } from "xstate";
import { transitionName, type StateNodeShape } from "../../machines/state-nodes.ts";
import { takesType } from "./alphabet.ts";
import type {
  AlwaysCycle,
  Deadlock,
  MachineError,
  MachineLimit,
  MachinePath,
  MissingPayload,
} from "./machine-check-result.ts";
import type { Microstep } from "./pure-scope.ts";

/** State nodes that are active in a snapshot, of whatever depth. */
export const activeNodes = ({ _nodes }: AnyMachineSnapshot): readonly StateNodeShape[] => _nodes;

/** Ids of the innermost active states. */
export const leavesOf = (snapshot: AnyMachineSnapshot): readonly string[] =>
  activeNodes(snapshot)
    .filter(({ type }) => type === "atomic" || type === "final")
    .map(({ id }) => id)
    .toSorted();

/** What a search has seen. */
export class Explored {
  readonly taken = new Set<string>();
  /** States that were active, also within an event. */
  readonly entered = new Set<string>();
  /** States that were rested in. */
  readonly rested = new Set<string>();
  /** Transitions whose state was active when an event of theirs came. */
  readonly tried = new Set<string>();
  /** Transitions that may have been the one that threw. */
  readonly broken = new Set<string>();
  /** Event types that came while a state was active, and those that were taken then, by the state's id. */
  readonly offered = new Map<string, Set<string>>();
  readonly handled = new Map<string, Set<string>>();
  readonly cycles = new Map<string, AlwaysCycle>();
  readonly deadlocks = new Map<string, Deadlock>();
  readonly errors = new Map<string, MachineError>();
  readonly missing = new Map<string, MissingPayload>();
  readonly limitsHit = new Set<MachineLimit>();
  states = 0;
  transitions = 0;
  depth = 0;
  readonly #triedAt = new Map<string, Set<string>>();
  readonly #places = new WeakMap<AnyMachineSnapshot, Set<string>>();

  /** Sees what a step took, from a snapshot on; null at the start, where what comes before the first step is `entered`. */
  microsteps(from: AnyMachineSnapshot | null, steps: readonly Microstep[]): void {
    let before = from;
    for (const { event, transitions, snapshot } of steps) {
      if (before !== null) this.#try(before, event);
      for (const transition of transitions) this.taken.add(transitionName(transition));
      this.enter(snapshot);
      before = snapshot;
    }
  }

  enter(snapshot: AnyMachineSnapshot): void {
    for (const { id } of activeNodes(snapshot)) this.entered.add(id);
  }

  /** Sees that an event ended with a throw: whatever could have taken it was neither taken nor is it dead. */
  breaks(snapshot: AnyMachineSnapshot, { type }: EventObject): void {
    for (const { id, transitions } of activeNodes(snapshot))
      for (const [descriptor, own] of transitions)
        if (takesType(descriptor, type))
          for (const index of own.keys()) this.broken.add(`${id}|${descriptor}|${index}`);
  }

  #try(snapshot: AnyMachineSnapshot, { type }: EventObject): void {
    const types = this.#typesTriedIn(snapshot);
    if (types.has(type)) return;
    types.add(type);
    for (const { id, transitions } of activeNodes(snapshot))
      for (const [descriptor, own] of transitions)
        if (takesType(descriptor, type)) for (const index of own.keys()) this.tried.add(`${id}|${descriptor}|${index}`);
  }

  /** Shared by all snapshots with the same active states. */
  #typesTriedIn(snapshot: AnyMachineSnapshot): Set<string> {
    let types = this.#places.get(snapshot);
    if (types === undefined) {
      const key = activeNodes(snapshot)
        .map(({ id }) => id)
        .join(" ");
      types = this.#triedAt.get(key) ?? new Set();
      this.#triedAt.set(key, types);
      this.#places.set(snapshot, types);
    }
    return types;
  }

  /** Sees an event of the alphabet, and whether anything took it. */
  offer(snapshot: AnyMachineSnapshot, type: string, isHandled: boolean): void {
    for (const leaf of leavesOf(snapshot)) {
      addTo(this.offered, leaf, type);
      if (isHandled) addTo(this.handled, leaf, type);
    }
  }

  deadlock(snapshot: AnyMachineSnapshot, path: () => MachinePath): void {
    const states = leavesOf(snapshot);
    const key = states.join(" ");
    if (!this.deadlocks.has(key)) this.deadlocks.set(key, { states, path: path() });
  }
}

function addTo(sets: Map<string, Set<string>>, key: string, value: string): void {
  const set = sets.get(key);
  if (set === undefined) sets.set(key, new Set([value]));
  else set.add(value);
}
