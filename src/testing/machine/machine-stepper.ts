import type { AnyActorRef, AnyMachineSnapshot, AnyStateMachine } from "xstate";
import { thrownText } from "../fields.ts";
import { transitionName } from "../../machines/state-nodes.ts";
import { markedMachine } from "./marked-machine.ts";
import { nothingPending, pendingAfter } from "./pending.ts";
import { NeverSettles, pureScope, type Microstep } from "./pure-scope.ts";
import type { Choice, World, WorldState } from "./world.ts";
import { actorsOf } from "./actors.ts";

/** What came of an event. */
export type Outcome =
  | { readonly kind: "rests"; readonly state: WorldState }
  | { readonly kind: "throws"; readonly cause: "thrown" | "unhandled"; readonly message: string }
  | { readonly kind: "cycles"; readonly states: readonly string[]; readonly transitions: readonly string[] };

/** An event and what it did. */
export interface MachineStep {
  readonly outcome: Outcome;
  readonly microsteps: readonly Microstep[];
  /** Fields of the event that were read and are not given. */
  readonly missing: readonly string[];
}

/** Steps a machine by its own guards and assigns, and executes nothing. */
export interface MachineStepper {
  readonly initial: (input: unknown) => MachineStep;
  readonly step: (state: WorldState, choice: Choice) => MachineStep;
}

/** Makes the stepper of a machine; `world` tells it which missing fields were read. */
export function createMachineStepper(given: AnyStateMachine, world: World, microstepsMax: number): MachineStepper {
  const machine = markedMachine(given);
  const max = Math.min(microstepsMax, maxIterations(machine));
  const pure = pureScope(machine, microstepsMax);
  const ran = (before: Pick<WorldState, "pending" | "ended">, from: AnyMachineSnapshot | null, run: () => unknown) => {
    world.missing.clear();
    let outcome: Outcome;
    try {
      // XState types a snapshot by its machine.
      const snapshot = pure.collect(from, run) as AnyMachineSnapshot;
      if (snapshot.status === "error") {
        if (from === null) throw snapshot.error;
        outcome = { kind: "throws", cause: "unhandled", message: thrownText(snapshot.error) };
      } else {
        const pending = pendingAfter(before.pending, pure.actions(), pure.self);
        outcome = { kind: "rests", state: { snapshot, pending, ended: stillThere(before.ended, snapshot) } };
      }
    } catch (error) {
      const steps = pure.microsteps();
      const isCycle = error instanceof NeverSettles || steps.length >= max;
      outcome = isCycle ? cycleOf(steps) : { kind: "throws", cause: "thrown", message: thrownText(error) };
    }
    return { outcome, microsteps: pure.microsteps(), missing: [...world.missing] };
  };
  return {
    initial: (input) =>
      ran({ pending: nothingPending, ended: new Set() }, null, () => machine.getInitialSnapshot(pure.scope, input)),
    step: (state, choice) =>
      ran(choice, state.snapshot, () => machine.transition(state.snapshot, choice.sent, pure.scope)),
  };
}

/** Those that have ended and are still children: one that is invoked anew is another actor. */
function stillThere(ended: ReadonlySet<AnyActorRef>, snapshot: AnyMachineSnapshot): ReadonlySet<AnyActorRef> {
  if (ended.size === 0) return ended;
  const actors = new Set(actorsOf(snapshot));
  const rest = [...ended].filter((actor) => actors.has(actor));
  return rest.length === ended.size ? ended : new Set(rest);
}

/** XState's own bound, where the machine sets one. */
function maxIterations({ options }: AnyStateMachine): number {
  const max: unknown = options?.maxIterations;
  return typeof max === "number" ? max : Number.POSITIVE_INFINITY;
}

/** What goes round: whatever was taken in the second half of so many steps. */
function cycleOf(microsteps: readonly Microstep[]): Outcome {
  const taken = microsteps.slice(microsteps.length >> 1).flatMap(({ transitions }) => transitions);
  const states = new Set<string>();
  const transitions = new Set<string>();
  for (const each of taken) {
    transitions.add(transitionName(each));
    states.add(each.source.id);
    for (const { id } of each.target ?? []) states.add(id);
  }
  return { kind: "cycles", states: [...states].toSorted(), transitions: [...transitions].toSorted() };
}
