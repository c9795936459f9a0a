import { possibleTransitions, type Kernel, type PossibleTransition, type SessionState } from "teamchart/machines";
import type { AnyMachineSnapshot, EventObject } from "xstate";
import { snapshotOf } from "./actors.ts";
import type { Entry } from "./entry.ts";

/** What one event did to one actor: every transition that was tried, what its guards said, and which ones were taken. */
export interface Explained {
  readonly step: number;
  /** The event with what steers the machine. */
  readonly event: EventObject;
  readonly tried: readonly PossibleTransition[];
  readonly taken: readonly string[];
}

/** Steps an actor through an input again, from the state before it, and writes down what was decided by what. */
export function explain(kernel: Kernel, before: SessionState, { steps }: Entry, token: string): readonly Explained[] {
  let snapshot = snapshotOf(before, token);
  const explained: Explained[] = [];
  for (const { step, actor, event, took, transitions } of steps) {
    if (actor !== token) continue;
    const own = took ?? event;
    const tried = snapshot === undefined ? [] : possibleTransitions(snapshot, own);
    explained.push({ step, event: own, tried, taken: transitions });
    // What took no transition moved nothing; some of these are notes that no machine ever got.
    if (snapshot !== undefined && transitions.length > 0) snapshot = next(kernel, snapshot, own);
  }
  return explained;
}

function next({ steppers }: Kernel, snapshot: AnyMachineSnapshot, event: EventObject): AnyMachineSnapshot {
  const { id } = snapshot.machine;
  if (id !== "member" && id !== "team" && id !== "lead" && id !== "session") return snapshot;
  // The four steppers take different events, and the machine's id says whose this is.
  return (steppers[id] as unknown as OwnStepper).step(snapshot, event).next;
}

interface OwnStepper {
  step(snapshot: AnyMachineSnapshot, event: EventObject): { readonly next: AnyMachineSnapshot };
}
