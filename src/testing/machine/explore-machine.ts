import type { AnyStateMachine } from "xstate";
import { stateNodesOf, type StateNodeShape } from "../../machines/state-nodes.ts";
import { actorKey, actorsOf } from "./actors.ts";
import { Explored, leavesOf, activeNodes } from "./explored.ts";
import type { MachinePath, PathStep } from "./machine-check-result.ts";
import type { ParsedOptions } from "./machine-options.ts";
import { createMachineStepper, type MachineStep, type MachineStepper } from "./machine-stepper.ts";
import { badInput } from "../fields.ts";
import { KeyWriter } from "./state-key.ts";
import { asked, type Choice, type World, type WorldState } from "./world.ts";

/** A state that was found: how it was reached, and what it is until it is looked at. */
interface Found {
  readonly parent: number;
  readonly by: PathStep | null;
  readonly depth: number;
  /** Whether a missing payload was read on the way, so that what follows may not be so. */
  readonly isDoubtful: boolean;
  state: WorldState | null;
}

/** Explores a machine breadth first from its start. */
export function exploreMachine(
  machine: AnyStateMachine,
  world: World,
  keys: KeyWriter,
  options: ParsedOptions,
): Explored {
  return new Exploration(machine, world, keys, options).run();
}

class Exploration {
  readonly #explored = new Explored();
  readonly #found: Found[] = [];
  readonly #known = new Map<string, number>();
  readonly #deadline: number;
  readonly #stepper: MachineStepper;
  readonly #machine: AnyStateMachine;
  readonly #world: World;
  readonly #keys: KeyWriter;
  readonly #options: ParsedOptions;
  /** One of its own: what it finds odd in a context is nothing to tell where `key` tells states apart. */
  readonly #contexts = new KeyWriter();

  constructor(machine: AnyStateMachine, world: World, keys: KeyWriter, options: ParsedOptions) {
    this.#machine = machine;
    this.#world = world;
    this.#keys = keys;
    this.#options = options;
    this.#deadline = performance.now() + options.limits.ms;
    this.#stepper = createMachineStepper(machine, world, options.limits.microstepsMax);
  }

  run(): Explored {
    const explored = this.#explored;
    for (const { id } of initialNodes(this.#machine)) explored.entered.add(id);
    const first = this.#stepper.initial(this.#options.input);
    explored.microsteps(null, first.microsteps);
    const start = { parent: -1, by: null, depth: 0, isDoubtful: false };
    if (first.outcome.kind === "rests") this.#add(first.outcome.state, start);
    else this.#fails(first, "the start", [], start, []);
    for (let index = 0; index < this.#found.length; index += 1) {
      if (!this.#goesOn()) break;
      this.#expand(index);
    }
    explored.states = this.#found.length;
    return explored;
  }

  #goesOn(): boolean {
    const { limitsHit } = this.#explored;
    if (performance.now() > this.#deadline) limitsHit.add("ms");
    return !limitsHit.has("ms") && !limitsHit.has("statesMax");
  }

  /** Keeps a state unless it is known; says whether it is another one than `from`. */
  #add(state: WorldState, found: Omit<Found, "state">): boolean {
    const { limits } = this.#options;
    const explored = this.#explored;
    const key = this.#key(state);
    const known = this.#known.get(key);
    if (known !== undefined) return known !== found.parent;
    if (this.#found.length >= limits.statesMax) {
      explored.limitsHit.add("statesMax");
      return true;
    }
    explored.enter(state.snapshot);
    for (const { id } of activeNodes(state.snapshot)) explored.rested.add(id);
    explored.depth = Math.max(explored.depth, found.depth);
    this.#known.set(key, this.#found.length);
    this.#found.push({ ...found, state });
    return true;
  }

  #key({ snapshot, pending, ended }: WorldState): string {
    const { key } = this.#options;
    const actors = actorsOf(snapshot).map((actor) => `${actorKey(actor)}${ended.has(actor) ? " ended" : ""}`);
    // XState keeps for each history state the nodes that were active.
    const history = Object.entries(snapshot.historyValue as Record<string, readonly StateNodeShape[]>);
    const past = history.map(([id, nodes]) => [id, ...nodes.map((node) => node.id).toSorted()].join(" ")).toSorted();
    const timers = pending.timers.map(({ id, event, delay }) => [id, event, delay]);
    const rest = this.#keys.write([snapshot.status, past, timers, pending.mail], "an event that waits");
    if (key === null) {
      const own = this.#keys.write(snapshot.context, "context");
      return [this.#keys.write(snapshot.value, "value"), own, actors.toSorted().join(" "), rest].join("\n");
    }
    const given = asked("key", () => key(snapshot));
    if (typeof given !== "string")
      throw badInput("options.key", `it gave ${given === null ? "null" : typeof given}, no text`);
    return [given, [...new Set(actors)].toSorted().join(" "), rest].join("\n");
  }

  #expand(index: number): void {
    const found = this.#found[index];
    const state = found?.state ?? null;
    if (found === undefined || state === null) return;
    // What was looked at is not needed any more; its path is.
    found.state = null;
    if (state.snapshot.status !== "active") return;
    const { depthMax, pendingMax } = this.#options.limits;
    const explored = this.#explored;
    if (state.pending.timers.length + state.pending.mail.length > pendingMax) {
      explored.limitsHit.add("pendingMax");
      return;
    }
    if (found.depth >= depthMax) {
      explored.limitsHit.add("depthMax");
      return;
    }
    const context = this.#contextKey(state);
    let isStuck = true;
    for (const choice of this.#world.choices(state)) {
      if (performance.now() > this.#deadline) {
        explored.limitsHit.add("ms");
        return;
      }
      const isMoved = this.#try(index, found, state, choice);
      if (this.#contextKey(state) !== context) throw changedInPlace(choice.name, leavesOf(state.snapshot));
      isStuck &&= !isMoved;
    }
    if (isStuck) explored.deadlock(state.snapshot, () => this.#path(index));
  }

  /** The context of a state as a text, to see whether it stays what it is. */
  #contextKey({ snapshot }: WorldState): string {
    return this.#contexts.write(snapshot.context, "context");
  }

  /** Tries one choice; false when it provably changes nothing. */
  #try(index: number, found: Found, state: WorldState, choice: Choice): boolean {
    const explored = this.#explored;
    const step = this.#stepper.step(state, choice);
    const { outcome, microsteps, missing } = step;
    explored.transitions += 1;
    explored.microsteps(state.snapshot, microsteps);
    const leaves = leavesOf(state.snapshot);
    const by = { name: choice.name, event: choice.event };
    const path = (): MachinePath => [...this.#path(index), by];
    for (const field of missing) {
      const key = `${choice.event.type} ${field}`;
      if (!explored.missing.has(key))
        explored.missing.set(key, { event: choice.name, field, states: leaves, path: path() });
    }
    const isTaken = (microsteps[0]?.transitions.length ?? 0) > 0;
    const isHandled = isTaken || missing.length > 0 || outcome.kind !== "rests";
    if (choice.isOfAlphabet) explored.offer(state.snapshot, choice.event.type, isHandled);
    const isDoubtful = found.isDoubtful || missing.length > 0;
    const next = { parent: index, by, depth: found.depth + 1, isDoubtful };
    if (outcome.kind === "rests") {
      const isMoved = !isSame(outcome.state, state) && this.#add(outcome.state, next);
      return isMoved || missing.length > 0;
    }
    if (outcome.kind === "throws" && microsteps.length === 0) explored.breaks(state.snapshot, choice.event);
    this.#fails(step, choice.name, leaves, next, path());
    return true;
  }

  #fails(
    { outcome }: MachineStep,
    event: string,
    states: readonly string[],
    { isDoubtful }: Pick<Found, "isDoubtful">,
    path: MachinePath,
  ): void {
    const { cycles, errors } = this.#explored;
    if (outcome.kind === "cycles") {
      const key = outcome.transitions.join(" ");
      if (!cycles.has(key)) cycles.set(key, { states: outcome.states, transitions: outcome.transitions, path });
    } else if (outcome.kind === "throws") {
      const { cause, message } = outcome;
      const key = [cause, event, ...states, message, isDoubtful].join("\n");
      if (!errors.has(key)) errors.set(key, { cause, event, states, message, isDecided: !isDoubtful, path });
    }
  }

  #path(index: number): MachinePath {
    const steps: PathStep[] = [];
    for (let at = this.#found[index]; at?.by; at = this.#found[at.parent]) steps.push(at.by);
    return steps.toReversed();
  }
}

/** What an assign may not do: the states that were met before would change with it, in production too. */
const changedInPlace = (event: string, states: readonly string[]): Error =>
  badInput(
    "machine",
    `a guard or an assign changes the context in place, on ${event} in ${states.join(", ")}; give new values instead, such as assign({ list: ({ context }) => [...context.list, 1] })`,
  );

/** Whether nothing at all was touched, so that no key is needed to tell. */
const isSame = (a: WorldState, b: WorldState): boolean =>
  a.snapshot === b.snapshot && a.pending === b.pending && a.ended === b.ended;

/** States that are entered at the start, before the first transition without an event. */
function initialNodes(machine: AnyStateMachine): readonly StateNodeShape[] {
  const [root] = stateNodesOf(machine);
  const below = (node: StateNodeShape): readonly StateNodeShape[] => {
    const inner =
      node.type === "parallel"
        ? Object.values(node.states).filter(({ type }) => type !== "history")
        : node.type === "compound"
          ? node.initial.target
          : [];
    return [node, ...inner.flatMap(below)];
  };
  return root === undefined ? [] : below(root);
}
