import type { AnyStateMachine, EventObject } from "xstate";
import { stateNodesOf, type TransitionNode } from "../../machines/state-nodes.ts";

/** Whether a transition's descriptor takes events of this type: `*` takes all, `a.*` what is `a` and what starts with `a.`. */
export function takesType(descriptor: string, type: string): boolean {
  if (descriptor === type || descriptor === "*") return true;
  if (!descriptor.endsWith(".*")) return false;
  const prefix = descriptor.slice(0, -2);
  return type === prefix || type.startsWith(`${prefix}.`);
}

/**
 * The events that a machine mentions, without payload. For a wildcard there is one that nothing narrower takes. What XState
 * itself sends is left to timers and actors; a route can be asked for by anybody.
 */
export function mentionedEvents(machine: AnyStateMachine): readonly EventObject[] {
  const nodes = stateNodesOf(machine);
  const descriptors = [...new Set(nodes.flatMap(({ transitions }) => [...transitions.keys()]))];
  const own = descriptors.filter((descriptor) => !descriptor.startsWith("xstate."));
  const isWildcard = (descriptor: string): boolean => descriptor === "*" || descriptor.endsWith(".*");
  const exact = own.filter((descriptor) => !isWildcard(descriptor));
  const other = own.filter(isWildcard).map((wildcard) => otherType(wildcard, own));
  const routes = nodes.flatMap(({ transitions }) => transitions.get("xstate.route") ?? []).flatMap(routeEvents);
  return [...[...exact, ...other].map((type) => ({ type })), ...routes];
}

const routeEvents = ({ target }: TransitionNode): readonly EventObject[] =>
  (target ?? []).map(({ id }) => ({ type: "xstate.route", to: `#${id}` }));

/** A type that this wildcard takes and no narrower descriptor does. */
function otherType(wildcard: string, descriptors: readonly string[]): string {
  const prefix = wildcard.slice(0, -1);
  const isFree = (type: string): boolean =>
    descriptors.every((each) => each.length < wildcard.length || each === wildcard || !takesType(each, type));
  for (let n = 1; ; n += 1) {
    const type = `${prefix}other${n === 1 ? "" : n}`;
    if (isFree(type)) return type;
  }
}
