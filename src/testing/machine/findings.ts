import type { AnyStateMachine } from "xstate";
import {
  describeMachine,
  type MachineDescription,
  type StateDescription,
  type TransitionDescription,
} from "../../machines/index.ts";
import type { Coverage } from "../check/coverage.ts";
import type { Explored } from "./explored.ts";
import type { Deadlock, DeadReason, DeadTransition, UnhandledEvents } from "./machine-check-result.ts";
import { mayReach, shadowedTransitions } from "./may-reach.ts";
import { badInput } from "../fields.ts";

type Allow = Readonly<Record<string, string>>;

/** What a search found, before and after `allow`. */
export interface Findings {
  readonly unreachable: readonly string[];
  readonly dead: readonly DeadTransition[];
  readonly deadlocks: readonly Deadlock[];
  readonly unhandled: readonly UnhandledEvents[];
  readonly coverage: Coverage;
}

/**
 * Works the findings out from what a search has seen. A search that was cut short claims nothing of what it did not see;
 * where payloads are missing, only what no guard could change is claimed.
 */
export function findingsOf(machine: AnyStateMachine, explored: Explored, allow: Allow): Findings {
  const description = describeMachine(machine);
  const states = description.states.filter(({ type }) => type !== "history");
  const isCut = explored.limitsHit.size > 0;
  const isDecided = explored.missing.size === 0;
  const shadowed = shadowedTransitions(machine);
  const possible = isDecided ? explored.entered : mayReach(machine);
  const unreachable = isCut ? [] : states.filter(({ id }) => !possible.has(id));
  const reasonOf = (transition: TransitionDescription): DeadReason | null => {
    const { id, source, event, guard } = transition;
    // What threw is told as an error, and would be taken if it did not.
    if (isCut || explored.taken.has(id) || explored.broken.has(id)) return null;
    if (!possible.has(source)) return "source";
    if (shadowed.has(id)) return "shadowed";
    if (!isDecided) return null;
    if (event !== null && !explored.tried.has(id)) return "event";
    return guard === null ? "overridden" : "guard";
  };
  const dead = description.transitions.flatMap((transition) => {
    const why = reasonOf(transition);
    return why === null ? [] : [{ transition, why }];
  });
  const deadlocks = [...explored.deadlocks.values()];
  checkAllow(description, explored, { unreachable, dead, deadlocks, isCertain: !isCut && isDecided }, allow);
  const isMeant = (id: string): boolean => Object.hasOwn(allow, id);
  const around = new Map(description.states.map(({ id, parent }) => [id, parent]));
  const isIn = (id: string): boolean => {
    for (let at: string | null = id; at !== null; at = around.get(at) ?? null) if (isMeant(at)) return true;
    return false;
  };
  const gone = new Set(unreachable.map(({ id }) => id));
  const isMeantGone = (id: string): boolean => gone.has(id) && isIn(id);
  return {
    unreachable: unreachable.map(({ id }) => id).filter((id) => !isMeantGone(id)),
    dead: dead.filter(({ transition: { id, source } }) => !isMeant(id) && !isMeantGone(source)),
    deadlocks: deadlocks.filter((deadlock) => !deadlock.states.some(isIn)),
    unhandled: isCut ? [] : unhandledEvents(states, explored),
    coverage: {
      taken: [...explored.taken].toSorted(),
      uncovered: description.transitions.filter(
        ({ id, source }) => !explored.taken.has(id) && !isMeant(id) && !isMeantGone(source),
      ),
      reached: [...explored.rested].toSorted(),
      unreached: states.map(({ id }) => id).filter((id) => !explored.rested.has(id)),
      own: [description],
    },
  };
}

function unhandledEvents(states: readonly StateDescription[], { offered, handled }: Explored): UnhandledEvents[] {
  return states.flatMap(({ id }) => {
    const taken = handled.get(id);
    const events = [...(offered.get(id) ?? [])].filter((type) => taken?.has(type) !== true).toSorted();
    return events.length === 0 ? [] : [{ state: id, events }];
  });
}

interface Before {
  readonly unreachable: readonly StateDescription[];
  readonly dead: readonly DeadTransition[];
  readonly deadlocks: readonly Deadlock[];
  /** Whether all that was not found is known not to be there. */
  readonly isCertain: boolean;
}

/** Refuses what `allow` names and is not there, or has no finding. */
function checkAllow(description: MachineDescription, explored: Explored, before: Before, allow: Allow): void {
  const transitions = new Set(description.transitions.map(({ id }) => id));
  const states = new Map(description.states.map((state) => [state.id, state]));
  const within = (id: string, outer: string): boolean => {
    for (let at: string | null = id; at !== null; at = states.get(at)?.parent ?? null) if (at === outer) return true;
    return false;
  };
  for (const id of Object.keys(allow)) {
    const what = `options.allow.${id}`;
    if (transitions.has(id)) {
      if (explored.taken.has(id)) throw badInput(what, "this transition is taken, so there is nothing to allow");
      if (before.isCertain && !before.dead.some(({ transition }) => transition.id === id))
        throw badInput(what, "nothing was found about this transition, so there is nothing to allow");
    } else if (states.has(id)) {
      const isFound =
        before.unreachable.some((state) => within(state.id, id)) ||
        before.deadlocks.some(({ states: leaves }) => leaves.some((leaf) => within(leaf, id)));
      if (before.isCertain && !isFound)
        throw badInput(what, "this state is reached and can be left, so there is nothing to allow");
    } else throw badInput(what, `${description.id} has no such transition and no such state`);
  }
}
