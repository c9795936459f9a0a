import type { AnyStateMachine } from "xstate";
import { stateNodesOf, transitionsFrom } from "../../machines/state-nodes.ts";

/** The action that says that its transition is taken; it has the transition's id as its parameter. */
export const markType = "teamchart.taken";

/**
 * A copy of a machine, each transition of which says when it is taken. XState reports the transitions that an event selects,
 * also those that it then drops because one of another region leaves the same states; only actions tell which stay.
 */
export function markedMachine(machine: AnyStateMachine): AnyStateMachine {
  const copy = machine.provide({});
  for (const { id, node } of stateNodesOf(copy).flatMap(transitionsFrom)) {
    const actions = [{ type: markType, params: id }, ...node.actions];
    // The list may be the author's own, so it is replaced and not added to; the transition belongs to the copy.
    Object.assign(node, { actions });
  }
  return copy;
}
