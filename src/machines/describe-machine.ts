import type { AnyStateMachine } from "xstate";
import { functionName, guardParts, guardText, INLINE, isReference, referenceText } from "./guard-text.ts";
import { stateNodesOf, transitionsFrom, type NamedTransition, type StateNodeShape } from "./state-nodes.ts";

/** A state as data. */
export interface StateDescription {
  /** Unique in the machine, such as `member.run.live`. */
  readonly id: string;
  /** Keys from the root, which has none. */
  readonly path: readonly string[];
  /** Id of the state around it; null for the root. */
  readonly parent: string | null;
  readonly type: "atomic" | "compound" | "parallel" | "final" | "history";
  /** For a history state, how deep it remembers. */
  readonly history: "shallow" | "deep" | null;
  /** Ids of the states entered with it when nothing names another; several in a parallel region below. */
  readonly initial: readonly string[];
  readonly initialActions: readonly string[];
  readonly tags: readonly string[];
  readonly description: string | null;
  readonly entry: readonly string[];
  readonly exit: readonly string[];
  /** What it invokes; our own machines invoke nothing. */
  readonly invokes: readonly string[];
}

/** A transition as data. */
export interface TransitionDescription {
  /** `source|event|index`: the id that `Step.transitions` names it by. */
  readonly id: string;
  /** Id of the state it leaves from. */
  readonly source: string;
  /** Event type or pattern; null for an `always` transition. */
  readonly event: string | null;
  /** Its place among the source's transitions for this event: the first whose guard holds is taken. */
  readonly index: number;
  /** Ids of the states it goes to; none for one that stays where it is. */
  readonly targets: readonly string[];
  /** Null when it is taken unconditionally. */
  readonly guard: string | null;
  readonly actions: readonly string[];
  readonly reenter: boolean;
  readonly description: string | null;
}

/** What a named guard is built from, when it is composed of others: `takesFollowUp = isPersistent and hasMail`. */
export interface GuardDescription {
  readonly name: string;
  /** Null when it is a function, whose code no description can hold. */
  readonly means: string | null;
}

/** A machine as JSON data: all that is needed to draw it, to name what a step did, and to tell two versions apart. */
export interface MachineDescription {
  readonly id: string;
  /** In document order, the root first. */
  readonly states: readonly StateDescription[];
  readonly transitions: readonly TransitionDescription[];
  /** The named guards in use, in order of name. */
  readonly guards: readonly GuardDescription[];
}

/**
 * Describes any XState machine. It reads the state nodes, so `always` transitions and composed guards are there, which
 * `machine.definition` drops; what `after` adds behind the scenes is left out. An unnamed guard or action is `inline`.
 */
export function describeMachine(machine: AnyStateMachine): MachineDescription {
  const nodes = stateNodesOf(machine);
  const transitions = nodes.flatMap(transitionsFrom);
  return {
    id: machine.id,
    states: nodes.map(describeState),
    transitions: transitions.map(describeTransition),
    guards: describeGuards(
      transitions.map(({ node }) => node.guard),
      machine.implementations.guards,
    ),
  };
}

const describeState = (node: StateNodeShape): StateDescription => {
  const initial = node.type === "compound" ? node.initial : { target: [], actions: [] };
  return {
    id: node.id,
    path: [...node.path],
    parent: node.parent?.id ?? null,
    type: node.type,
    history: node.type === "history" ? node.history || "shallow" : null,
    initial: initial.target.map(({ id }) => id),
    initialActions: initial.actions.flatMap(actionNames),
    tags: [...node.tags],
    description: node.description ?? null,
    entry: node.entry.flatMap(actionNames),
    exit: node.exit.flatMap(actionNames),
    invokes: node.invoke.map(({ src, id }) => (typeof src === "string" ? src : id)),
  };
};

const describeTransition = ({ id, event, index, node }: NamedTransition): TransitionDescription => ({
  id,
  source: node.source.id,
  event: node.eventType === "" ? null : event,
  index,
  targets: (node.target ?? []).map((target) => target.id),
  guard: node.guard === undefined ? null : guardText(node.guard),
  actions: node.actions.flatMap(actionNames),
  reenter: node.reenter,
  description: node.description ?? null,
});

/** A built-in action: a function with its type and what it was made with. */
interface BuiltIn {
  readonly type: string;
  readonly event?: unknown;
  readonly sendId?: unknown;
}

const asBuiltIn = (action: unknown): BuiltIn | null =>
  typeof action === "function" && "type" in action && typeof action.type === "string"
    ? // The line above checked the one property that is relied on.
      (action as unknown as BuiltIn)
    : null;

/** What `after` adds to entry and exit: it raises and cancels an event of this prefix. */
const isOfAfter = (id: unknown): boolean => typeof id === "string" && id.startsWith("xstate.after.");

/** The name of an action, or none when the author did not write it. */
function actionNames(action: unknown): readonly string[] {
  if (typeof action === "string") return [action];
  if (isReference(action)) return [referenceText(action)];
  const builtIn = asBuiltIn(action);
  if (builtIn === null) return [typeof action === "function" ? functionName(action) : INLINE];
  const event = isReference(builtIn.event) ? builtIn.event.type : null;
  if (isOfAfter(event) || isOfAfter(builtIn.sendId)) return [];
  const name = builtIn.type.replace(/^xstate\./, "");
  return [event === null ? name : `${name}(${event})`];
}

/** Every named guard in use, also those that only other guards use. */
function describeGuards(used: readonly unknown[], known: Readonly<Record<string, unknown>>): GuardDescription[] {
  const found = new Map<string, string | null>();
  const queue = [...used];
  while (queue.length > 0) {
    const next = queue.pop();
    for (const part of guardParts(next)) {
      const name = typeof part === "string" ? part : isReference(part) ? part.type : null;
      if (name === null || found.has(name)) continue;
      const means = known[name];
      const isComposed = typeof means === "function" && "check" in means;
      found.set(name, isComposed ? guardText(means) : null);
      if (isComposed) queue.push(means);
    }
  }
  return [...found].map(([name, means]) => ({ name, means })).toSorted((a, b) => (a.name < b.name ? -1 : 1));
}
