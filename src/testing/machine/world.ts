import type { AnyActorRef, AnyMachineSnapshot, AnyStateMachine, EventObject } from "xstate";
import { stateNodesOf } from "../../machines/state-nodes.ts";
import { actorLabel, actorNames, actorsOf } from "./actors.ts";
import { mentionedEvents } from "./alphabet.ts";
import type { ActorOutcomes, ParsedOptions } from "./machine-options.ts";
import { badInput, thrownText } from "../fields.ts";
import { parseEvent } from "./parse-machine-options.ts";
import { dueTimers, type Pending } from "./pending.ts";
import { watched } from "./watched.ts";

/** All that steers what may come: the snapshot, what waits, and the actors that have ended. */
export interface WorldState {
  readonly snapshot: AnyMachineSnapshot;
  readonly pending: Pending;
  readonly ended: ReadonlySet<AnyActorRef>;
}

/** Something that may happen. */
export interface Choice {
  readonly name: string;
  /** The event as it is shown. */
  readonly event: EventObject;
  /** The event as the machine gets it: it tells which missing fields are read. */
  readonly sent: EventObject;
  /** Whether it is one of the alphabet. */
  readonly isOfAlphabet: boolean;
  /** What waits, and who has ended, once it happens. */
  readonly pending: Pending;
  readonly ended: ReadonlySet<AnyActorRef>;
}

const textMax = 80;

function jsonText(value: unknown): string {
  try {
    const text = JSON.stringify(value) ?? String(value);
    return text.length > textMax ? `${text.slice(0, textMax)}...` : text;
  } catch {
    // A cycle or a bigint can't be written as JSON, and a name must not fail for it.
    return "...";
  }
}

const eventText = ({ type, ...payload }: EventObject): string =>
  Object.keys(payload).length === 0 ? type : `${type} ${jsonText(payload)}`;

const payloadText = (payload: unknown): string =>
  payload === undefined ? "" : ` with ${payload instanceof Error ? payload.message : jsonText(payload)}`;

/** What may happen to a machine: events from outside, timers, what it sent to itself, and what its actors do. */
export class World {
  readonly #options: ParsedOptions;
  readonly #mentioned: readonly EventObject[];
  readonly #descriptors: ReadonlySet<string>;
  readonly #timerNames = new Map<string, string>();
  /** Names of the actors that were there. */
  readonly met = new Set<string>();
  /** Fields that were read in the last step and are not given. */
  readonly missing = new Set<string>();

  constructor(machine: AnyStateMachine, options: ParsedOptions) {
    this.#options = options;
    this.#mentioned = options.events === null ? mentionedEvents(machine) : [];
    const nodes = stateNodesOf(machine);
    this.#descriptors = new Set(nodes.flatMap(({ transitions }) => [...transitions.keys()]));
    for (const { id, transitions } of nodes)
      for (const type of transitions.keys()) {
        const delay = type.startsWith("xstate.after.") && type.endsWith(`.${id}`);
        if (delay) this.#timerNames.set(type, `after ${type.slice("xstate.after.".length, -id.length - 1)} in ${id}`);
      }
  }

  choices(state: WorldState): readonly Choice[] {
    const [first, ...mail] = state.pending.mail;
    if (first !== undefined) {
      // An actor takes what it sent to itself before anything that comes later.
      const pending = { ...state.pending, mail };
      return [this.#choice(state, { name: `${eventText(first)} to itself`, event: first, pending })];
    }
    return [
      ...this.#alphabet(state),
      ...this.#due(state),
      ...actorsOf(state.snapshot).flatMap((a) => this.#does(state, a)),
    ];
  }

  #choice(state: WorldState, choice: Partial<Choice> & Pick<Choice, "name" | "event">): Choice {
    const { pending, ended } = state;
    return { sent: choice.event, isOfAlphabet: false, pending, ended, ...choice };
  }

  readonly #note = (field: string): void => void this.missing.add(field);

  #alphabet(state: WorldState): readonly Choice[] {
    const { events } = this.#options;
    if (events === null)
      return this.#mentioned.map((event) => {
        const sent = watched(event, this.#note);
        return this.#choice(state, { name: eventText(event), event, sent, isOfAlphabet: true });
      });
    const given: unknown = typeof events === "function" ? asked("events", () => events(state.snapshot)) : events;
    if (!Array.isArray(given)) throw badInput("options.events", "the function gave no list of events");
    return given.map((each: unknown, index) => {
      const event = parseEvent(each, `options.events(...)[${index}]`);
      return this.#choice(state, { name: eventText(event), event, isOfAlphabet: true });
    });
  }

  #due(state: WorldState): readonly Choice[] {
    const { timers } = state.pending;
    return dueTimers(timers).flatMap((place) => {
      const timer = timers[place];
      if (timer === undefined) return [];
      const { event, delay } = timer;
      const name = this.#timerNames.get(event.type) ?? `${eventText(event)} after ${delay}`;
      return [this.#choice(state, { name, event, pending: { ...state.pending, timers: timers.toSpliced(place, 1) } })];
    });
  }

  #does(state: WorldState, actor: AnyActorRef): readonly Choice[] {
    const names = actorNames(actor);
    for (const name of names) this.met.add(name);
    if (state.ended.has(actor)) return [];
    const { invokes } = this.#options;
    const outcomes = names.map((name) => invokes[name]).find((each) => each !== undefined) ?? {};
    const ended = new Set([...state.ended, actor]);
    return [
      ...this.#ends(actor, "done", outcomes).map((choice) => this.#choice(state, { ...choice, ended })),
      ...this.#ends(actor, "error", outcomes).map((choice) => this.#choice(state, { ...choice, ended })),
      ...this.#shows(actor, outcomes).map((choice) => this.#choice(state, choice)),
    ];
  }

  #ends(actor: AnyActorRef, kind: "done" | "error", outcomes: ActorOutcomes): readonly ActorChoice[] {
    const field = kind === "done" ? "output" : "error";
    const verb = kind === "done" ? "is done" : "fails";
    const base = { type: `xstate.${kind}.actor.${actor.id}`, actorId: actor.id };
    const label = actorLabel(actor);
    const given = outcomes[kind];
    if (given !== undefined)
      return given.map((payload) => {
        const event = { ...base, [field]: payload };
        return { name: `${label} ${verb}${payloadText(payload)}`, event, sent: event };
      });
    const name = `${label} ${verb}`;
    if (kind === "done") {
      const event = { ...base, output: undefined };
      return [{ name, event, sent: watched(event, this.#note, ["output"]) }];
    }
    const error = new Error(`${label} failed`);
    const event = { ...base, error };
    const sent = { ...base, error: watched(error, (missing) => this.#note(`error.${missing}`)) };
    return [{ name, event, sent }];
  }

  #shows(actor: AnyActorRef, { snapshot }: ActorOutcomes): readonly ActorChoice[] {
    const base = { type: `xstate.snapshot.${actor.id}` };
    if (!this.#descriptors.has(base.type)) return [];
    const name = `${actorLabel(actor)} shows a snapshot`;
    if (snapshot !== undefined)
      return snapshot.map((payload) => {
        const event = { ...base, snapshot: payload };
        return { name: `${name}${payloadText(payload)}`, event, sent: event };
      });
    // An actor of any kind has a snapshot of any form, and XState says `any`.
    const event = { ...base, snapshot: actor.getSnapshot() as unknown };
    return [{ name, event, sent: watched(event, this.#note, ["snapshot"]) }];
  }
}

/** What a function of the options gives; what it throws is its caller's mistake. */
export function asked(name: string, ask: () => unknown): unknown {
  try {
    return ask();
  } catch (error) {
    throw badInput(`options.${name}`, `it threw: ${thrownText(error)}`, error);
  }
}

type ActorChoice = Pick<Choice, "name" | "event" | "sent">;
