import type { AnyStateMachine } from "xstate";
import { stateNodesOf, transitionsFrom, type StateNodeShape } from "../../machines/state-nodes.ts";

/** Ids of the transitions that an earlier one of the same state, event and no guard leaves nothing to. */
export function shadowedTransitions(machine: AnyStateMachine): ReadonlySet<string> {
  const shadowed = new Set<string>();
  const taken = new Set<string>();
  for (const { id, event, node } of stateNodesOf(machine).flatMap(transitionsFrom)) {
    const key = `${node.source.id}|${event}`;
    if (taken.has(key)) shadowed.add(id);
    else if (node.guard === undefined) taken.add(key);
  }
  return shadowed;
}

/**
 * Ids of the states that could be active if every guard may hold and every event may come: all that can be said where the
 * guards are not decided. What is not in it is unreachable for certain.
 */
export function mayReach(machine: AnyStateMachine): ReadonlySet<string> {
  const shadowed = shadowedTransitions(machine);
  const reached = new Set<StateNodeShape>();
  const down = (node: StateNodeShape): void => {
    if (reached.has(node)) return;
    reached.add(node);
    if (node.type === "parallel") for (const child of Object.values(node.states)) down(child);
    if (node.type === "compound") for (const target of node.initial.target) into(target);
    // What a history state remembers was active before; what it falls back to is one of the states beside it.
    if (node.type === "history") for (const beside of Object.values(node.parent?.states ?? {})) down(beside);
  };
  const into = (node: StateNodeShape): void => {
    for (let around = node.parent; around !== undefined; around = around.parent) {
      const isNew = !reached.has(around);
      reached.add(around);
      if (isNew && around.type === "parallel") for (const child of Object.values(around.states)) down(child);
    }
    down(node);
  };
  const [root] = stateNodesOf(machine);
  if (root !== undefined) down(root);
  let size = -1;
  while (size !== reached.size) {
    size = reached.size;
    for (const node of reached)
      for (const { id, node: transition } of transitionsFrom(node))
        if (!shadowed.has(id)) for (const target of transition.target ?? []) into(target);
  }
  return new Set([...reached].map(({ id }) => id));
}
