import { createMachine, not, type AnyStateMachine } from "xstate";
import { describeMachine, type StateDescription, type TransitionDescription } from "../../../../src/machines/index.ts";

/** What a mutant has otherwise than the machine it was made of. */
export type Mutation =
  | { readonly kind: "negate guard" | "remove transition" | "drop reenter"; readonly transition: string }
  | { readonly kind: "drop action"; readonly transition: string; readonly action: string }
  /** Null = to nowhere: it stays where it is. */
  | { readonly kind: "retarget"; readonly transition: string; readonly target: string | null }
  | { readonly kind: "drop entry" | "drop exit"; readonly state: string; readonly action: string };

/** A machine that is wrong in one place. */
export interface Mutant {
  /** Where and how: `member.work.blocked|member.start|0: drop nextAttempt`. */
  readonly id: string;
  readonly mutation: Mutation;
  readonly make: () => AnyStateMachine;
}

/** A state or transition as it stands in a config: either may be written in several ways. */
type Loose = Record<string, unknown>;

/**
 * Every mutant of a machine: each guard negated, each action, entry and exit dropped, each transition removed, sent to the
 * next state beside its target (the one after the last is the first) and to nowhere, and each re-entry made to stay inside.
 */
export function mutantsOf(machine: AnyStateMachine): Mutant[] {
  const { states, transitions } = describeMachine(machine);
  const mutations = [
    ...transitions.flatMap((transition) => mutationsOfTransition(states, transition)),
    ...states.flatMap(({ id, entry, exit }) => [
      ...entry.map((action): Mutation => ({ kind: "drop entry", state: id, action })),
      ...exit.map((action): Mutation => ({ kind: "drop exit", state: id, action })),
    ]),
  ];
  return mutations.map((mutation) => ({ id: idOf(mutation), mutation, make: () => mutate(machine, mutation) }));
}

function mutationsOfTransition(states: readonly StateDescription[], given: TransitionDescription): Mutation[] {
  const { id: transition, source, guard, actions, targets, reenter } = given;
  const mutations: Mutation[] = [{ kind: "remove transition", transition }];
  if (guard !== null) mutations.push({ kind: "negate guard", transition });
  for (const action of actions) mutations.push({ kind: "drop action", transition, action });
  if (reenter) mutations.push({ kind: "drop reenter", transition });
  const [target] = targets;
  if (targets.length > 1) throw new Error(`${transition} has several targets: no mutation is written for that`);
  const beside = nextBeside(states, target ?? source);
  if (beside !== null) mutations.push({ kind: "retarget", transition, target: beside });
  if (target !== undefined) mutations.push({ kind: "retarget", transition, target: null });
  return mutations;
}

/** The state after this one among those of the same parent, in a circle; null when it is alone or a region. */
function nextBeside(states: readonly StateDescription[], id: string): string | null {
  const parent = states.find((each) => each.id === id)?.parent ?? null;
  if (parent === null || states.find((each) => each.id === parent)?.type === "parallel") return null;
  const beside = states.filter((each) => each.parent === parent).map((each) => each.id);
  const next = beside[(beside.indexOf(id) + 1) % beside.length];
  return next === undefined || next === id ? null : next;
}

function idOf(mutation: Mutation): string {
  switch (mutation.kind) {
    case "drop action":
      return `${mutation.transition}: drop ${mutation.action}`;
    case "drop entry":
    case "drop exit":
      return `${mutation.state}: ${mutation.kind} ${mutation.action}`;
    case "retarget":
      return `${mutation.transition}: to ${mutation.target ?? "nowhere"}`;
    default:
      return `${mutation.transition}: ${mutation.kind}`;
  }
}

/** The machine anew from a copy of its config with one thing changed. */
function mutate(machine: AnyStateMachine, mutation: Mutation): AnyStateMachine {
  // A config is an object; copied, nothing of it is shared with the machine or within itself.
  const config = copied(machine.config) as Loose;
  if ("state" in mutation) {
    const state = stateAt(machine, config, mutation.state);
    const key = mutation.kind === "drop entry" ? "entry" : "exit";
    state[key] = without(state[key], mutation.action);
  } else mutateTransition(machine, config, mutation);
  // What was a config of this machine is one still, and its implementations go with it.
  return createMachine(config as typeof machine.config, machine.implementations as never);
}

function mutateTransition(
  machine: AnyStateMachine,
  config: Loose,
  mutation: Exclude<Mutation, { readonly state: string }>,
): void {
  const [source = "", event = "", index = ""] = mutation.transition.split("|");
  const state = stateAt(machine, config, source);
  const [holder, key] = event === "always" ? [state, "always"] : [state["on"] as Loose, event];
  const list = transitionsOf(holder[key]);
  const transition = list[Number(index)];
  if (transition === undefined) throw new Error(`no transition ${mutation.transition}`);
  switch (mutation.kind) {
    case "remove transition":
      list.splice(Number(index), 1);
      break;
    case "negate guard":
      // XState takes a guard of any form here.
      transition["guard"] = not(transition["guard"] as never);
      break;
    case "drop action":
      transition["actions"] = without(transition["actions"], mutation.action);
      break;
    case "drop reenter":
      delete transition["reenter"];
      break;
    case "retarget":
      if (mutation.target === null) delete transition["target"];
      else transition["target"] = `#${mutation.target}`;
  }
  // An event with no transition is one that is not there.
  holder[key] = list;
}

/** Plain objects and lists are copied to the bottom; functions (guards made of others) stay what they are. */
function copied(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copied);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, copied(each)]));
}

function stateAt(machine: AnyStateMachine, config: Loose, id: string): Loose {
  let state = config;
  for (const key of machine.getStateNodeById(id).path) state = (state["states"] as Record<string, Loose>)[key] ?? {};
  return state;
}

/** However they are written: a target alone, one object, or a list of either. */
const transitionsOf = (value: unknown): Loose[] =>
  (Array.isArray(value) ? value : [value]).map((each: unknown) =>
    typeof each === "string" ? { target: each } : (each as Loose),
  );

function without(actions: unknown, action: string): unknown[] {
  const list: unknown[] = Array.isArray(actions) ? actions : [actions];
  const place = list.indexOf(action);
  if (place < 0) throw new Error(`no action ${action}`);
  return list.toSpliced(place, 1);
}
