import {
  StateMachine,
  initialTransition,
  transition,
  type AnyMachineSnapshot,
  type AnyStateMachine,
  type EventObject,
} from "xstate";
import { TeamError } from "../../errors/index.ts";
import {
  createStepper,
  stateNodesOf,
  transitionsFrom,
  type StateNodeShape,
  type Step,
  type Stepper,
  type StepperKeys,
} from "../../machines/index.ts";
import { JsonValue } from "../../protocol/json-value.ts";
import { thrownText } from "../fields.ts";
import { frozen } from "./frozen.ts";

/** Ids that traces and coverage use for Teamchart's own machines, and the one of a machine without an id. */
const takenIds = new Set(["member", "team", "lead", "session", "", "(machine)"]);

/** Microsteps of one event, unless the machine says otherwise: without an end an `always` cycle would hang the check. */
const microstepsMax = 1_000;

const refuse = (problem: string): never => {
  throw new TeamError("bad_input", { what: "protocol.machine", problem });
};

/** Refuses a machine that the checker can't step as a pure function, and names the state. */
function refuseImpure(machine: AnyStateMachine): void {
  if (takenIds.has(machine.id))
    refuse(`the id "${machine.id}" is no name of its own; give the machine another \`id\`, such as "publication"`);
  const known: Readonly<Record<string, unknown>> = machine.implementations.actions;
  for (const node of stateNodesOf(machine)) {
    if (node.invoke.length > 0)
      refuse(`the state "${node.id}" invokes an actor; let the host run it and tell the machine by an event`);
    const transitions = transitionsFrom(node);
    if (transitions.some(({ event }) => event.startsWith("xstate.after.")))
      refuse(`the state "${node.id}" has \`after\`; let the host run the timer and tell the machine by an event`);
    for (const action of [...entryActions(node), ...transitions.flatMap((each) => each.node.actions)]) {
      const what = impurityOf(action, known);
      if (what !== null) refuse(`an action of the state "${node.id}" ${what}`);
    }
  }
}

const entryActions = ({ entry, exit, initial, type }: StateNodeShape): readonly unknown[] => [
  ...entry,
  ...exit,
  ...(type === "compound" ? initial.actions : []),
];

/** Why an action can't be a step of a pure machine, or null. */
function impurityOf(action: unknown, known: Readonly<Record<string, unknown>>): string | null {
  const name = typeof action === "string" ? action : typeOf(action);
  const meant = name !== null && Object.hasOwn(known, name) ? known[name] : action;
  switch (typeOf(meant)) {
    case "xstate.spawnChild":
      return "spawns an actor; let the host run it and tell the machine by an event";
    case "xstate.sendTo":
      return "sends to another actor, which a model does not have; let the host do it";
    case "xstate.raise":
      return isDelayed(meant) ? "raises an event after a delay; let the host run the timer" : null;
    default:
      return null;
  }
}

const typeOf = (action: unknown): string | null =>
  (typeof action === "function" || (typeof action === "object" && action !== null)) &&
  "type" in action &&
  typeof action.type === "string"
    ? action.type
    : null;

const isDelayed = (action: unknown): boolean =>
  typeof action === "function" && "delay" in action && action.delay !== undefined;

/** A protocol's machine as pure steps, with its initial snapshot. */
export interface ProtocolMachine {
  readonly initial: AnyMachineSnapshot;
  /** Throws what the machine throws, and for an event that is raised later. */
  step(snapshot: AnyMachineSnapshot, event: EventObject): Step<AnyMachineSnapshot>;
}

/** Makes the steps of a machine, which must be pure: throws `bad_input` otherwise. */
export function protocolMachine(given: AnyStateMachine, input: unknown): ProtocolMachine {
  refuseImpure(given);
  const { options } = given.config;
  // XState says `any` where the machine is not named.
  const { context } = given.config as { readonly context?: unknown };
  const limited = {
    ...given.config,
    // What a check makes read-only is its own: the machine runs elsewhere too.
    context: JsonValue.safeParse(context).success ? structuredClone(context) : context,
    options: { ...options, maxIterations: options?.maxIterations ?? microstepsMax },
  };
  const machine: AnyStateMachine = new StateMachine(limited, given.implementations);
  const first = startOf(machine, input);
  const stepper: Stepper<AnyMachineSnapshot, EventObject> = createStepper(machine, protocolKeys(machine.id));
  return {
    initial: readOnly(first),
    step(snapshot, event) {
      const step = stepper.step(snapshot, event);
      readOnly(step.next);
      // An effect is a name alone; whether its event comes later stands in the action.
      if (step.effects.includes("xstate.raise")) assertNoTimers(transition(machine, snapshot, event)[1]);
      return step;
    },
  };
}

/** Everybody who looks at a state sees the same context: whoever changed it would change other states. */
function readOnly(snapshot: AnyMachineSnapshot): AnyMachineSnapshot {
  frozen(snapshot.context);
  return snapshot;
}

/** Throws for an event that is raised later: what `enqueueActions` does is seen when it is run, not before. */
function assertNoTimers(actions: readonly { readonly type: string; readonly params?: unknown }[]): void {
  for (const { type, params } of actions)
    if (type === "xstate.raise" && typeof params === "object" && params !== null && "delay" in params)
      if (params.delay !== undefined) throw new Error("it raises an event after a delay; let the host run the timer");
}

/** The snapshot that a machine starts with, or `bad_input` when it has none that can be told apart. */
function startOf(machine: AnyStateMachine, input: unknown): AnyMachineSnapshot {
  try {
    const [first, actions] = initialTransition(machine, input);
    assertNoTimers(actions);
    if (first.status === "error") throw first.error;
    assertPlain(first, machine.id);
    return first;
  } catch (error) {
    const problem = `${machine.id} cannot start: ${thrownText(error)}`;
    throw new TeamError("bad_input", { what: "protocol.machine", problem }, { cause: error });
  }
}

/** Exact keys: two snapshots or events share one only when nothing can tell them apart. */
const protocolKeys = (id: string): StepperKeys => ({
  eventKey: (event) => JSON.stringify(event),
  snapshotKey(snapshot) {
    assertPlain(snapshot, id);
    return protocolKey(snapshot);
  },
});

/** What steers in a protocol's snapshot, as a text: its state, context and what history states remember. */
export function protocolKey({ value, context, status, output, historyValue }: AnyMachineSnapshot): string {
  const remembered = Object.entries(historyValue).map(([id, nodes]) => [id, nodes.map((node) => node.id)]);
  return JSON.stringify([value, context, status, output, remembered]);
}

/** Throws for a snapshot that its JSON does not tell apart from others. */
function assertPlain(snapshot: AnyMachineSnapshot, id: string): void {
  // XState says `any` where the machine is not named; both are objects by name.
  const { value, context, children } = snapshot as Record<"value" | "context" | "children", object>;
  const [child] = Object.keys(children);
  if (child !== undefined) throw new Error(`${id} has spawned the actor "${child}" in ${stateName(value)}`);
  for (const [key, part] of Object.entries(context))
    if (!JsonValue.safeParse(part).success)
      throw new Error(
        `the context of ${id} has no JSON in "${key}" in ${stateName(value)}: states could not be told apart`,
      );
}

/** A state value as people write it: `reviewing`, `open.waiting`, `draft.ready, review.busy`. */
export function stateName(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value !== "object" || value === null) return String(value);
  return Object.entries(value)
    .map(([key, inner]) => {
      const within = stateName(inner);
      return within === "" ? key : within.includes(", ") ? `${key}.(${within})` : `${key}.${within}`;
    })
    .join(", ");
}
