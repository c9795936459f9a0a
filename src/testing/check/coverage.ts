import { nearestName } from "../../protocol/names.ts";
import { badInput } from "../fields.ts";
import {
  describeAll,
  type Applied,
  type MachineDescription,
  type SessionState,
  type TransitionDescription,
} from "../../machines/index.ts";
import type { ProtocolRun, ProtocolStep } from "./protocol-run.ts";

/** Which transitions and states of the machines a run has met. */
export interface Coverage {
  /** Transitions taken, by `source|event|index`. */
  readonly taken: readonly string[];
  /** Transitions never taken and not allowed to be. */
  readonly uncovered: readonly TransitionDescription[];
  /** States that were rested in, by id. */
  readonly reached: readonly string[];
  /** Declared states that were not. */
  readonly unreached: readonly string[];
  /** Machines of the user's own that are counted too. */
  readonly own: readonly MachineDescription[];
}

/** Refuses reasons for transitions that there are not: whoever wrote them means others, or they are over. */
function assertKnown(allow: Readonly<Record<string, string>>, machines: readonly MachineDescription[]): void {
  const known = machines.flatMap(({ transitions }) => transitions.map(({ id }) => id));
  for (const id of Object.keys(allow)) {
    if (known.includes(id)) continue;
    const nearest = nearestName(id, known);
    const meant = nearest === null ? "" : `; did you mean ${nearest}?`;
    throw badInput(`options.allow.${id}`, `no machine has the transition ${id}${meant}`);
  }
}

/** Works the coverage out from what was met; `allow` names transitions that need not be taken, each with its reason. */
function coverageOf(
  taken: ReadonlySet<string>,
  reached: ReadonlySet<string>,
  own: readonly MachineDescription[],
  allow: Readonly<Record<string, string>> = {},
): Coverage {
  const machines = [...Object.values(describeAll()), ...own];
  assertKnown(allow, machines);
  return {
    taken: [...taken].toSorted(),
    uncovered: machines
      .flatMap(({ transitions }) => transitions)
      .filter(({ id }) => !taken.has(id) && !Object.hasOwn(allow, id)),
    reached: [...reached].toSorted(),
    unreached: machines
      .flatMap(({ states }) => states)
      // A history state is a way into others and never rested in.
      .filter(({ id, type }) => type !== "history" && !reached.has(id))
      .map(({ id }) => id),
    own,
  };
}

/** The coverage of several runs together. */
export const mergeCoverage = (runs: readonly Coverage[], allow: Readonly<Record<string, string>> = {}): Coverage =>
  coverageOf(
    new Set(runs.flatMap(({ taken }) => taken)),
    new Set(runs.flatMap(({ reached }) => reached)),
    [...new Map(runs.flatMap(({ own }) => own).map((machine) => [machine.id, machine])).values()],
    allow,
  );

/** Collects what a run meets. Steps and snapshots are interned, so each is looked into once. */
export class CoverageCollector {
  readonly #steps = new Set<readonly string[]>();
  readonly #snapshots = new Map<object, string>();
  readonly #protocol: ProtocolRun | null;

  constructor(protocol: ProtocolRun | null = null) {
    this.#protocol = protocol;
  }

  /** Refuses reasons for transitions that no machine has. */
  assertKnown(allow: Readonly<Record<string, string>> = {}): void {
    assertKnown(allow, [
      ...Object.values(describeAll()),
      ...(this.#protocol === null ? [] : [this.#protocol.description]),
    ]);
  }

  /** Sees what a step took. */
  step({ applied, protocolSteps }: { applied: Applied; protocolSteps: readonly ProtocolStep[] }): void {
    for (const { transitions } of applied.steps) if (transitions.length > 0) this.#steps.add(transitions);
    for (const { transitions } of protocolSteps) if (transitions.length > 0) this.#steps.add(transitions);
  }

  /** Sees where a session rests. */
  state(session: SessionState): void {
    for (const { snapshot } of session.members.values()) this.#snapshots.set(snapshot, "member");
    this.#snapshots.set(session.snapshot, "session");
    this.#snapshots.set(session.lead.snapshot, "lead");
    if (session.team !== null) this.#snapshots.set(session.team.snapshot, "team");
    if (this.#protocol !== null) this.#snapshots.set(this.#protocol.of(session), this.#protocol.id);
  }

  coverage(allow: Readonly<Record<string, string>> = {}): Coverage {
    const reached = new Set<string>();
    const own = this.#protocol === null ? [] : [this.#protocol.description];
    const ids = new Map(
      own.flatMap(({ id, states }) => states.map((state) => [[id, ...state.path].join("."), state.id])),
    );
    for (const [snapshot, machine] of this.#snapshots) {
      // Only snapshots of machines were put in, and each has a state value.
      const { value } = snapshot as { value: unknown };
      addStates(reached, machine, value);
    }
    // A state may have an id of its own instead of its path.
    const named = new Set([...reached].map((path) => ids.get(path) ?? path));
    return coverageOf(new Set([...this.#steps].flat()), named, own, allow);
  }
}

function addStates(reached: Set<string>, id: string, value: unknown): void {
  reached.add(id);
  if (typeof value === "string") reached.add(`${id}.${value}`);
  else if (typeof value === "object" && value !== null)
    for (const [key, inner] of Object.entries(value)) addStates(reached, `${id}.${key}`, inner);
}
