import type { AnyMachineSnapshot, AnyStateMachine, EventObject } from "xstate";
import { composition, guardText, isReference } from "./guard-text.ts";
import { stateNodesOf, transitionsFrom, type NamedTransition } from "./state-nodes.ts";

/** Whether a guard holds; `null` when that depends on what the event carries. */
export type GuardOutcome = boolean | null;

/** A transition that leaves from a state that is active, and what its guard says. */
export interface PossibleTransition {
  /** As in `describeMachine` and `Step.transitions`. */
  readonly id: string;
  /** Event type or pattern; null for an `always` transition. */
  readonly event: string | null;
  /** The guard as text; null for none. */
  readonly guard: string | null;
  /** True when it may be taken now, false when its guard is against it, null when that depends on the event. */
  readonly holds: GuardOutcome;
  /** What every named guard in it says. */
  readonly guards: readonly { readonly name: string; readonly holds: GuardOutcome }[];
}

/**
 * The transitions that leave from the active states of a snapshot. Without an event: all of them, judged as far as the state
 * alone decides. With one: those that it is tried on, judged with all that it carries. Nothing is stepped and no action runs.
 */
export function possibleTransitions(snapshot: AnyMachineSnapshot, event?: EventObject): readonly PossibleTransition[] {
  // XState types a snapshot by its machine; any machine is one.
  const machine = snapshot.machine as AnyStateMachine;
  const active = new Set(snapshot._nodes.map((node: { readonly id: string }) => node.id));
  return stateNodesOf(machine)
    .filter(({ id }) => active.has(id))
    .flatMap((state) => transitionsFrom(state))
    .filter((each) => event === undefined || each.event === event.type || each.event === "always")
    .map((each) => judged(snapshot, each, event));
}

function judged(snapshot: AnyMachineSnapshot, named: NamedTransition, event?: EventObject): PossibleTransition {
  const { guard } = named.node;
  const found = new Map<string, GuardOutcome>();
  const holds = guard === undefined ? true : outcomeOf(snapshot, guard, event ?? unknownEvent(named.event), found);
  return {
    id: named.id,
    event: named.event === "always" ? null : named.event,
    guard: guard === undefined ? null : guardText(guard),
    holds,
    guards: [...found].map(([name, each]) => ({ name, holds: each })),
  };
}

/** Thrown by an event whose type is all that is known of it. */
class DependsOnEvent extends Error {}

/** An event of this type that carries who knows what: whoever looks at more than its type finds out. */
function unknownEvent(type: string): EventObject {
  const depends = (): never => {
    throw new DependsOnEvent();
  };
  return new Proxy(
    { type },
    { get: (target, key) => (key === "type" ? target.type : depends()), has: depends, ownKeys: depends },
  );
}

function outcomeOf(
  snapshot: AnyMachineSnapshot,
  guard: unknown,
  event: EventObject,
  found: Map<string, GuardOutcome>,
): GuardOutcome {
  const composed = composition(guard);
  if (composed !== null) {
    if (composed.kind === "stateIn") return stateIn(snapshot, composed.stateValue);
    const parts = composed.parts.map((part) => outcomeOf(snapshot, part, event, found));
    if (composed.kind === "not") return parts[0] === undefined || parts[0] === null ? null : !parts[0];
    return composed.kind === "and" ? all(parts) : any(parts);
  }
  const name = typeof guard === "string" ? guard : isReference(guard) ? guard.type : null;
  if (name === null) return called(guard, snapshot, event, undefined);
  // XState types a snapshot by its machine; any machine is one.
  const machine = snapshot.machine as AnyStateMachine;
  const own: unknown = machine.implementations.guards[name];
  const params = isReference(guard) ? guard.params : undefined;
  const holds =
    composition(own) === null ? called(own, snapshot, event, params) : outcomeOf(snapshot, own, event, found);
  found.set(name, holds);
  return holds;
}

function stateIn(snapshot: AnyMachineSnapshot, value: unknown): boolean {
  if (typeof value === "string" && value.startsWith("#"))
    return snapshot._nodes.some((node: { readonly id: string }) => node.id === value.slice(1));
  // The value of a `stateIn` is a state value: its author's types saw to that.
  return snapshot.matches(value as Parameters<AnyMachineSnapshot["matches"]>[0]);
}

/** What a guard function says; null when it asked the event for what is not known, or threw. */
function called(guard: unknown, snapshot: AnyMachineSnapshot, event: EventObject, params: unknown): GuardOutcome {
  if (typeof guard !== "function") return null;
  const context: unknown = snapshot.context;
  try {
    // Any function that is no composition is called as XState calls a guard.
    return Boolean((guard as (args: unknown, params: unknown) => unknown)({ context, event }, params));
  } catch {
    // It depends on the event, or it throws for this one: either way nothing can be said of it.
    return null;
  }
}

const all = (parts: readonly GuardOutcome[]): GuardOutcome =>
  parts.includes(false) ? false : parts.includes(null) ? null : true;
const any = (parts: readonly GuardOutcome[]): GuardOutcome =>
  parts.includes(true) ? true : parts.includes(null) ? null : false;
