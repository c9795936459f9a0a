import { createActor, type AnyMachineSnapshot, type AnyStateMachine, type EventObject, type StateValue } from "xstate";
import { transitionName, type TakenTransition } from "./state-nodes.ts";

/** An effect that a step asked for: the name of an action of the machine. Effects carry no data; the kernel has it. */
export type Effect = string;

/** What one event did to one snapshot. */
export interface Step<Snapshot> {
  /** The same object when nothing changed; interned, so equal snapshots are the same object. */
  readonly next: Snapshot;
  readonly effects: readonly Effect[];
  /** Whether any transition was taken: an action-only or forbidden transition counts, an unknown event does not. */
  readonly handled: boolean;
  /** Names of the transitions taken, `source|event|index`, for coverage and the inspector. */
  readonly transitions: readonly string[];
}

/** The only door to XState: pure, memoised steps of one machine. */
export interface Stepper<Snapshot extends AnyMachineSnapshot, Event extends EventObject> {
  /** The snapshot for a state value and context, interned. */
  resolve(value: StateValue, context: Snapshot["context"]): Snapshot;
  /** The initial snapshot with this context. */
  initial(context: Snapshot["context"]): Snapshot;
  step(snapshot: Snapshot, event: Event): Step<Snapshot>;
}

/** Interned snapshots kept per machine before the tables are started anew; run numbers make them grow slowly. */
const snapshotsMax = 50_000;

/** The key of an event: its type and verdicts, in the order of its literal. */
function verdictsKey(event: EventObject): string {
  const values: readonly unknown[] = Object.values(event);
  return values.length === 1 ? event.type : values.join("|");
}

/** How snapshots and events are told apart where those of our own machines are not meant. */
export interface StepperKeys {
  readonly snapshotKey: (snapshot: AnyMachineSnapshot) => string;
  readonly eventKey: (event: EventObject) => string;
}

/**
 * Makes the door to one machine. Steps are memoised on (snapshot, event), so a session of 10,000 members costs a handful
 * of XState calls. A throw in a guard or action leaves through the caller with nothing changed and nothing remembered.
 */
export function createStepper<Snapshot extends AnyMachineSnapshot, Event extends EventObject>(
  machine: AnyStateMachine,
  { snapshotKey, eventKey }: StepperKeys = ownKeys,
): Stepper<Snapshot, Event> {
  let interned = new Map<string, Snapshot>();
  let memo = new WeakMap<Snapshot, Map<string, Step<Snapshot>>>();
  let initials = new WeakMap<object, Snapshot>();
  const { scope, collect } = pureScope(machine);

  const intern = (snapshot: Snapshot): Snapshot => {
    const key = snapshotKey(snapshot);
    const known = interned.get(key);
    if (known !== undefined) return known;
    if (interned.size >= snapshotsMax) {
      interned = new Map();
      memo = new WeakMap();
      initials = new WeakMap();
    }
    interned.set(key, snapshot);
    return snapshot;
  };
  // XState types a snapshot by its machine; here machine and snapshot type are paired by the caller's type arguments.
  const typed = (snapshot: unknown): Snapshot => snapshot as Snapshot;

  const compute = (snapshot: Snapshot, event: Event): Step<Snapshot> => {
    const { result: next, effects, transitions } = collect(() => typed(machine.transition(snapshot, event, scope)));
    if (next.status === "error") throw next.error;
    // A snapshot of another table (restored elsewhere, or kept from before this one was started anew) that doesn't move
    // stays the very same object, so that "has it moved" never depends on which table it came from.
    const stays = snapshotKey(next) === snapshotKey(snapshot);
    return { next: stays ? snapshot : intern(next), effects, handled: transitions.length > 0, transitions };
  };
  const resolve = (value: StateValue, context: Snapshot["context"]): Snapshot =>
    intern(typed(machine.resolveState({ value, context })));

  return {
    resolve,
    initial(context) {
      let snapshot = initials.get(context);
      if (snapshot === undefined) {
        const { result } = collect(() => typed(machine.getInitialSnapshot(scope, undefined)));
        // The value of any machine's snapshot is a state value; XState says `any` where the machine is not named.
        snapshot = resolve(result.value as StateValue, context);
        initials.set(context, snapshot);
      }
      return snapshot;
    },
    step(snapshot, event) {
      if (snapshot.status !== "active") return { next: snapshot, effects: [], handled: false, transitions: [] };
      const steps = memo.get(snapshot) ?? new Map<string, Step<Snapshot>>();
      const key = eventKey(event);
      const known = steps.get(key);
      if (known !== undefined) return known;
      const step = compute(snapshot, event);
      steps.set(key, step);
      memo.set(snapshot, steps);
      return step;
    },
  };
}

/** What a snapshot is known by: its state and context. */
const stateKey = ({ value, context }: AnyMachineSnapshot): string => JSON.stringify([value, context]);

/** Our machines have no history, and their events carry plain verdicts alone. */
const ownKeys: StepperKeys = { snapshotKey: stateKey, eventKey: verdictsKey };

/** The scope in which a machine steps without an actor: effects and transitions are written down, nothing runs. */
function pureScope(machine: AnyStateMachine) {
  let effects: Effect[] = [];
  let transitions: string[] = [];
  const actor = createActor(machine, {
    inspect: (inspection) => {
      if (inspection.type !== "@xstate.microstep") return;
      // XState types these loosely; every taken transition has its source node and event type.
      for (const taken of inspection._transitions as unknown as readonly TakenTransition[])
        transitions.push(transitionName(taken));
    },
  });
  const nothing = (): void => {};
  const scope: Parameters<AnyStateMachine["transition"]>[2] = {
    self: actor,
    system: actor.system,
    defer: nothing,
    id: machine.id,
    logger: nothing,
    sessionId: "",
    stopChild: nothing,
    emit: nothing,
    actionExecutor: (action) => effects.push(action.type),
  };
  const collect = <Result>(run: () => Result) => {
    effects = [];
    transitions = [];
    const result = run();
    return { result, effects, transitions };
  };
  return { scope, collect };
}
