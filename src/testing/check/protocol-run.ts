import type { AnyMachineSnapshot, AnyStateMachine, EventObject } from "xstate";
import { eventLines } from "../../machines/event-lines.ts";
import {
  describeMachine,
  type Applied,
  type KernelRecord,
  type MachineDescription,
  type SessionState,
} from "../../machines/index.ts";
import { badInput, thrownText } from "../fields.ts";
import { parseEvent } from "../machine/parse-machine-options.ts";
import { ObjectNumbers, Interner } from "./interner.ts";
import { givenText } from "./parse-own-moves.ts";
import type { Protocol } from "./protocol.ts";
import { protocolKey, protocolMachine, stateName, type ProtocolMachine } from "./protocol-machine.ts";

/** One event that a protocol got, and what it did. */
export interface ProtocolStep {
  readonly event: EventObject;
  readonly before: AnyMachineSnapshot;
  readonly after: AnyMachineSnapshot;
  readonly transitions: readonly string[];
}

/** What a protocol made of a step: the events it got, and what was thrown, or null. */
export interface ProtocolSteps {
  readonly steps: readonly ProtocolStep[];
  readonly fault: string | null;
}

/** The steps of a team without a protocol. */
export const noSteps: ProtocolSteps = { steps: [], fault: null };

/** A protocol beside the sessions of a model: each session has a snapshot of it. */
export class ProtocolRun {
  readonly protocol: Protocol;
  readonly description: MachineDescription;
  readonly #machine: ProtocolMachine;
  readonly #snapshots = new WeakMap<SessionState, AnyMachineSnapshot>();
  readonly #texts = new Interner();
  readonly #numbers = new ObjectNumbers<AnyMachineSnapshot>((snapshot) => this.#texts.number(protocolKey(snapshot)));

  constructor(protocol: Protocol, machine: AnyStateMachine) {
    this.protocol = protocol;
    this.#machine = protocolMachine(machine, protocol.input);
    this.description = describeMachine(machine);
  }

  get id(): string {
    return this.description.id;
  }

  /** The protocol's snapshot beside a session. */
  of(session: SessionState): AnyMachineSnapshot {
    return this.#snapshots.get(session) ?? this.#machine.initial;
  }

  /** A number for what steers in it. */
  number(session: SessionState): number {
    return this.#numbers.number(this.of(session));
  }

  /** Puts the snapshot of one session beside its copy. */
  copy(from: SessionState, to: SessionState): void {
    this.#snapshots.set(to, this.of(from));
  }

  /** Tells the protocol what an input has done to its session. */
  hear(session: SessionState, record: KernelRecord, applied: Applied): ProtocolSteps {
    const steps: ProtocolStep[] = [];
    for (const line of eventLines(session, applied, record)) {
      let given: unknown;
      try {
        given = this.protocol.on(line);
      } catch (error) {
        return { steps, fault: `\`on\` of ${this.id} threw on ${line.event.type}: ${thrownText(error)}` };
      }
      const events = parseHeard(given, line.event.type);
      const fault = this.#take(session, events, steps);
      if (fault !== null) return { steps, fault };
    }
    return { steps, fault: null };
  }

  /** Gives the protocol one event, from outside. */
  send(session: SessionState, event: EventObject): ProtocolSteps {
    const steps: ProtocolStep[] = [];
    return { fault: this.#take(session, [event], steps), steps };
  }

  #take(session: SessionState, events: readonly EventObject[], steps: ProtocolStep[]): string | null {
    for (const event of events) {
      const before = this.of(session);
      try {
        const { next, transitions } = this.#machine.step(before, event);
        this.#snapshots.set(session, next);
        steps.push({ event, before, after: next, transitions });
      } catch (error) {
        return `${this.id} threw in ${stateName(before.value)} on ${event.type}: ${thrownText(error)}`;
      }
    }
    return null;
  }

  /** The steps of a protocol for a trace. */
  texts(steps: readonly ProtocolStep[]): string[] {
    return steps.map(({ event, before, after, transitions }) => {
      const [from, to] = [stateName(before.value), stateName(after.value)];
      if (from !== to) return `${this.id}: ${from} -> ${to}  [${event.type}]`;
      return `${this.id}: ${from}  [${event.type}]${transitions.length === 0 ? " (ignored)" : ""}`;
    });
  }

  /** Where a protocol stands, for the end of a trace. */
  text(session: SessionState): string {
    // XState says `any` where the machine is not named.
    const { value, context } = this.of(session) as { value: unknown; context: unknown };
    const shown = JSON.stringify(context);
    return `${this.id} ${stateName(value)}${shown === "{}" ? "" : ` ${shown}`}`;
  }
}

/** What `on` gave for a line, or `bad_input`: a machine would leave out in silence what is no event. */
function parseHeard(given: unknown, type: string): readonly EventObject[] {
  const what = `protocol.on(${type})`;
  if (!Array.isArray(given))
    throw badInput(what, `it gave ${givenText(given)}; give a list of events, an empty one for none`);
  // Array.isArray makes `any[]` of it.
  return (given as readonly unknown[]).map((event, index) => parseEvent(event, `${what}[${index}]`));
}
