import { StateMachine, type AnyStateMachine, type EventObject } from "xstate";
import { badInput, isFields, kindOf, knownKeys } from "../fields.ts";
import type { ActorOutcomes, MachineLimits, ParsedOptions } from "./machine-options.ts";

const defaults: Required<MachineLimits> = {
  statesMax: 20_000,
  depthMax: 1_000,
  ms: Number.POSITIVE_INFINITY,
  microstepsMax: 1_000,
  pendingMax: 16,
};
const keysOfOptions = ["input", "events", "invokes", "key", "limits", "allow"];
const keysOfOutcomes = ["done", "error", "snapshot"];

/** A state machine of XState 5, or `bad_input`. */
export function parseMachine(value: unknown, what = "machine"): AnyStateMachine {
  if (value instanceof StateMachine) return value;
  if (isFields(value) && value["__xstatenode"] === true) {
    // Made by another copy of XState: the same shape, marked as XState itself marks its machines.
    return value as unknown as AnyStateMachine;
  }
  const problem = isFields(value)
    ? "transition" in value && "getInitialSnapshot" in value
      ? "this is the logic of an actor, but no state machine: take what `createMachine` of XState 5 makes"
      : "logic" in value && "getSnapshot" in value
        ? "this is a running actor: give its machine (`actor.logic`)"
        : "take what `createMachine` of XState 5 makes, not its config"
    : `it is ${value === null ? "null" : typeof value}: take what \`createMachine\` of XState 5 makes`;
  throw badInput(what, problem);
}

/** An event with a type that may be sent from outside, or `bad_input`. */
export function parseEvent(value: unknown, what: string): EventObject {
  if (!isFields(value)) throw badInput(what, "an event is an object with a `type`");
  const { type } = value;
  if (typeof type !== "string" || type === "") throw badInput(what, "its `type` is not a text");
  if (type === "*") throw badInput(what, "`*` is a wildcard, and no event has it as its type");
  // The lines above checked what makes an event.
  return value as unknown as EventObject;
}

/** Options in the form in which they are used, or `bad_input`. */
export function parseMachineOptions(value: unknown): ParsedOptions {
  if (!isFields(value)) throw badInput("options", "give an object");
  knownKeys(value, keysOfOptions, "options");
  const { input, events, key, invokes, limits, allow } = value;
  if (key !== undefined && typeof key !== "function") throw badInput("options.key", "it is not a function");
  return {
    input,
    events: parseEvents(events),
    invokes: parseInvokes(invokes),
    // What it gives is checked where it is called.
    key: key === undefined ? null : (key as (snapshot: unknown) => unknown),
    limits: parseLimits(limits),
    allow: parseAllow(allow),
  };
}

function parseEvents(events: unknown): ParsedOptions["events"] {
  if (events === undefined) return null;
  // What it gives is checked where it is called.
  if (typeof events === "function") return events as (snapshot: unknown) => unknown;
  if (!Array.isArray(events)) throw badInput("options.events", "give a list of events, or a function that gives one");
  return events.map((event: unknown, index) => parseEvent(event, `options.events[${index}]`));
}

function parseInvokes(invokes: unknown = {}): Readonly<Record<string, ActorOutcomes>> {
  if (!isFields(invokes))
    throw badInput("options.invokes", "give an object of outcomes by the id or `src` of an actor");
  for (const [name, outcomes] of Object.entries(invokes)) {
    const what = `options.invokes.${name}`;
    if (!isFields(outcomes)) throw badInput(what, "give an object, such as { done: [1], error: [] }");
    knownKeys(outcomes, keysOfOutcomes, what);
    for (const [kind, list] of Object.entries(outcomes))
      if (list !== undefined && !Array.isArray(list)) throw badInput(`${what}.${kind}`, "give a list");
  }
  // The loop checked every entry.
  return invokes as Readonly<Record<string, ActorOutcomes>>;
}

function parseLimits(limits: unknown = {}): Required<MachineLimits> {
  if (!isFields(limits)) throw badInput("options.limits", "give an object");
  knownKeys(limits, Object.keys(defaults), "options.limits");
  for (const [name, limit] of Object.entries(limits)) {
    // With no step whatever is taken would seem never to settle, and with no state nothing is looked at.
    const least = name === "microstepsMax" || name === "statesMax" ? 1 : 0;
    if (limit !== undefined && !(typeof limit === "number" && limit >= least))
      throw badInput(`options.limits.${name}`, `give a number from ${least} on, not ${kindOf(limit)}`);
  }
  const given = Object.entries(limits).filter(([, limit]) => limit !== undefined);
  return { ...defaults, ...Object.fromEntries(given) };
}

function parseAllow(allow: unknown = {}): Readonly<Record<string, string>> {
  if (!isFields(allow)) throw badInput("options.allow", "give an object of reasons by id");
  for (const [id, reason] of Object.entries(allow))
    if (typeof reason !== "string" || reason.trim() === "") throw badInput(`options.allow.${id}`, "give the reason");
  // The loop checked every entry.
  return allow as Readonly<Record<string, string>>;
}
