import {
  createActor,
  createMachine,
  type AnyActorRef,
  type AnyMachineSnapshot,
  type AnyStateMachine,
  type EventObject,
} from "xstate";
import { actorsOf, systemIdOf } from "./actors.ts";
import { transitionName, type TakenTransition } from "../../machines/state-nodes.ts";
import { markType } from "./marked-machine.ts";

/** One step within an event, and the transitions that were taken together in it. */
export interface Microstep {
  readonly event: EventObject;
  readonly transitions: readonly TakenTransition[];
  readonly snapshot: AnyMachineSnapshot;
}

/** An action that a step asked for. It is not executed. */
export interface AskedAction {
  readonly type: string;
  readonly params?: unknown;
}

/** A machine that takes this many steps within one event counts as never settling. */
export class NeverSettles extends Error {
  override readonly name = "NeverSettles";
}

type Scope = Parameters<AnyStateMachine["transition"]>[2];

/** What a machine steps in without being an actor. */
export interface PureScope {
  readonly scope: Scope;
  /** The actor that guards and assigns see as `self`; it never runs. */
  readonly self: AnyActorRef;
  /** Runs a step that starts from `current`, and gives what it did besides its result. Throws what the step throws. */
  readonly collect: <Result>(current: AnyMachineSnapshot | null, run: () => Result) => Result;
  /** What the last step did, also when it threw. */
  readonly microsteps: () => readonly Microstep[];
  readonly actions: () => readonly AskedAction[];
}

/** What XState's system has beside its public type: the register of actors with a `systemId`. */
interface SystemRegister {
  get: (systemId: string) => AnyActorRef | undefined;
  _set: (systemId: string, actor: AnyActorRef) => void;
}

/**
 * The scope in which a marked machine steps without an actor: effects and transitions are written down, nothing runs. The actors
 * that it invokes are created, as XState's own `transition` does, and never started.
 *
 * `self` is an actor of an empty machine with a parent, so that a machine may send to itself and to its parent, and its own
 * context is not made once more. A system refuses to name two actors alike, but here each state has actors of its own, so
 * names are looked up among those of the current state.
 */
export function pureScope(machine: AnyStateMachine, microstepsMax: number): PureScope {
  let microsteps: Microstep[] = [];
  let actions: AskedAction[] = [];
  let current: AnyMachineSnapshot | null = null;
  let named = new Map<string, AnyActorRef>();
  let marks = new Set<unknown>();
  let steps = 0;

  const parent = createActor(createMachine({ id: "parent" }), {
    inspect: (inspection) => {
      if (inspection.type !== "@xstate.microstep") return;
      steps += 1;
      if (inspection.actorRef === self) {
        // XState types both loosely: a transition has its source node and event type, and `self` shows machine snapshots.
        const selected = inspection._transitions as unknown as readonly TakenTransition[];
        const transitions = selected.filter((each) => marks.has(transitionName(each)));
        marks = new Set();
        // As above.
        const snapshot = inspection.snapshot as AnyMachineSnapshot;
        microsteps.push({ event: inspection.event, transitions, snapshot });
      }
      if (steps > microstepsMax) throw new NeverSettles(`it has not settled after ${microstepsMax} steps`);
    },
  });
  const self: AnyActorRef = createActor(createMachine({ id: machine.id }), { id: machine.id, parent });
  self.getSnapshot = (): unknown => current;
  // The two functions are there in every version of XState 5; TypeScript knows only the first.
  const system = self.system as unknown as SystemRegister;
  system._set = (systemId, actor) => void named.set(systemId, actor);
  system.get = (systemId) => named.get(systemId);

  const scope = inertScope(self, ({ type, params }) => {
    if (type === markType) marks.add(params);
    else actions.push({ type, params });
  });
  return {
    scope,
    self,
    collect(from, run) {
      microsteps = [];
      actions = [];
      marks = new Set();
      steps = 0;
      current = from;
      named = new Map();
      for (const child of from === null ? [] : actorsOf(from)) {
        const systemId = systemIdOf(child);
        if (systemId !== null) named.set(systemId, child);
      }
      return run();
    },
    microsteps: () => microsteps,
    actions: () => actions,
  };
}

/** A scope that writes actions down, and in which nothing is started, stopped, sent or logged. */
function inertScope(self: AnyActorRef, write: (action: AskedAction) => void): Scope {
  const nothing = (): void => {};
  return {
    self,
    system: self.system,
    defer: nothing,
    id: self.id,
    logger: nothing,
    sessionId: "",
    stopChild: nothing,
    emit: nothing,
    actionExecutor: write,
  };
}
