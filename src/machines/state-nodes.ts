import type { AnyStateMachine } from "xstate";

/**
 * A transition as it stands in a machine. What `machine.definition` leaves out (`always`, guards that are functions) is
 * here, because it is read from the state nodes themselves.
 */
export interface TransitionNode {
  readonly source: StateNodeShape;
  /** The descriptor it was declared under; "" = `always`. */
  readonly eventType: string;
  readonly target: readonly StateNodeShape[] | undefined;
  readonly guard?: unknown;
  readonly actions: readonly unknown[];
  readonly reenter: boolean;
  readonly description?: string | undefined;
}

/** A state of a machine: XState's StateNode, without the type of its machine. */
export interface StateNodeShape {
  readonly id: string;
  readonly key: string;
  readonly path: readonly string[];
  readonly type: "atomic" | "compound" | "parallel" | "final" | "history";
  readonly history: false | "shallow" | "deep";
  readonly parent?: StateNodeShape | undefined;
  readonly states: Readonly<Record<string, StateNodeShape>>;
  readonly initial: { readonly target: readonly StateNodeShape[]; readonly actions: readonly unknown[] };
  readonly entry: readonly unknown[];
  readonly exit: readonly unknown[];
  readonly invoke: readonly { readonly id: string; readonly src: unknown }[];
  readonly tags: readonly string[];
  readonly description?: string | undefined;
  readonly transitions: ReadonlyMap<string, readonly TransitionNode[]>;
  readonly always?: readonly TransitionNode[] | undefined;
}

/** Every state of a machine in document order, the root first. */
export function stateNodesOf(machine: AnyStateMachine): readonly StateNodeShape[] {
  const nodes: StateNodeShape[] = [];
  const visit = (node: StateNodeShape): void => {
    nodes.push(node);
    for (const child of Object.values(node.states)) visit(child);
  };
  visit(machine.root);
  return nodes;
}

/** One transition with the id that a step reports when it takes it: `source|event|index`. */
export interface NamedTransition {
  readonly id: string;
  /** `always` for a transition that no event is needed for. */
  readonly event: string;
  readonly index: number;
  readonly node: TransitionNode;
}

/** The transitions of one state, the eventless ones first, each event's in the order in which they are tried. */
export function transitionsFrom(state: StateNodeShape): readonly NamedTransition[] {
  const named = (event: string, nodes: readonly TransitionNode[]): NamedTransition[] =>
    nodes.map((node, index) => ({ id: `${state.id}|${event}|${index}`, event, index, node }));
  const byEvent = [...state.transitions].flatMap(([event, nodes]) => named(event, nodes));
  return [...named("always", state.always ?? []), ...byEvent];
}

/** A transition as XState reports that it was taken. */
export interface TakenTransition {
  readonly source: {
    readonly id: string;
    readonly transitions: ReadonlyMap<string, readonly unknown[]>;
    readonly always?: readonly unknown[];
  };
  readonly target?: readonly { readonly id: string }[] | undefined;
  readonly eventType: string;
}

/** `source|event|index` of a transition, the same id that `describeMachine` gives it. */
export function transitionName(taken: TakenTransition): string {
  const own =
    taken.eventType === "" ? (taken.source.always ?? []) : (taken.source.transitions.get(taken.eventType) ?? []);
  return `${taken.source.id}|${taken.eventType === "" ? "always" : taken.eventType}|${Math.max(0, own.indexOf(taken))}`;
}
