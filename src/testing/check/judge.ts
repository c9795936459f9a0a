import { cloneSession, desiredRuns, desiredTimers, idleTimer, type SessionState } from "../../machines/index.ts";
import { JsonValue } from "../../protocol/json-value.ts";
import { badInput, kindOf, thrownText } from "../fields.ts";
import type { JudgedState, JudgedStep } from "./guarantee.ts";
import { guarantees } from "./guarantees.ts";
import { StepToJudge } from "./judged-step.ts";
import type { AnyMove } from "./move.ts";
import type { GhostState, Properties, StateProperty, Step, StepProperty } from "./properties.ts";
import { recordOf } from "./model-record.ts";
import { readSession, type SessionView } from "./session-view.ts";
import { readStep } from "./step-view.ts";
import type { ModelStep, TeamModel } from "./team-model.ts";

/** A property that doesn't hold, and what is wrong. */
export interface Problem {
  readonly property: string;
  readonly kind: "guarantee" | "protocol" | "always" | "onStep" | "quiescent" | "alwaysPossible";
  readonly text: string;
}

/** One step with the sessions around it. */
export interface TakenStep extends ModelStep {
  readonly before: SessionState;
  readonly after: SessionState;
  readonly move: AnyMove;
  /** What was remembered before it. */
  readonly ghost: unknown;
}

/** Holds states and steps against guarantees and properties. */
export class Judge {
  readonly #model: TeamModel;
  readonly #properties: Properties;
  readonly #always: readonly (readonly [string, StateProperty])[];
  readonly #onStep: readonly (readonly [string, StepProperty])[];
  readonly #quiescent: readonly (readonly [string, StateProperty])[];
  readonly #ghost: GhostState<unknown> | null;
  /** The property that named a member first, and that member's name. */
  named: { readonly property: string; readonly member: string } | null = null;
  readonly #situations = new Set<string>();
  #current = "";

  constructor(model: TeamModel, properties: Properties) {
    this.#model = model;
    this.#properties = properties;
    this.#always = Object.entries(properties.always ?? {});
    this.#onStep = Object.entries(properties.onStep ?? {});
    this.#quiescent = Object.entries(properties.quiescent ?? {});
    this.#ghost = properties.ghost ?? null;
  }

  /** What is remembered at first. */
  get initialGhost(): unknown {
    return this.#ghost === null ? null : remembered(this.#ghost.initial, "options.ghost.initial");
  }

  /** What is wrong with the steps that lead to the initial state, or null. */
  prologue(): Problem | null {
    const { kernel, prologue, facts } = this.#model;
    const session = kernel.create();
    for (const record of prologue) {
      const before = cloneSession(session);
      const applied = kernel.apply(session, record);
      const problem = this.#stepGuarantee(new StepToJudge({ before, after: session, record, applied, facts }));
      if (problem !== null) return problem;
    }
    return null;
  }

  /** What is wrong with a state, or null. */
  state(session: SessionState, ghost: unknown): Problem | null {
    return this.#stateGuarantee(session) ?? this.#first("always", this.#always, session, ghost);
  }

  /** What is wrong with a state in which nothing is due. */
  quiescent(session: SessionState, ghost: unknown): Problem | null {
    return this.#first("quiescent", this.#quiescent, session, ghost);
  }

  /** Whether nothing is due: see `Properties.quiescent`. */
  isQuiescent(session: SessionState): boolean {
    const { facts } = this.#model;
    if (this.#model.isProtocolDue(session)) return false;
    if (desiredTimers(session).length > 0 || desiredRuns(session, facts).length > 0) return false;
    for (const member of session.members.values()) if (idleTimer(session, member, facts) !== null) return false;
    return true;
  }

  get hasQuiescent(): boolean {
    return this.#quiescent.length > 0;
  }

  /** What is wrong with a step, or null. */
  step(taken: TakenStep): Problem | null {
    const { record, fault } = taken;
    const wrong =
      record === null ? null : this.#stepGuarantee(new StepToJudge({ ...taken, record, facts: this.#model.facts }));
    if (wrong !== null) return wrong;
    if (fault !== null) return { property: `${this.#model.protocol?.id} never throws`, kind: "protocol", text: fault };
    if (this.#onStep.length === 0) return null;
    const [before, shown, after] = this.#views(taken);
    for (const [property, holds] of this.#onStep) {
      const text = this.#ask(property, () => holds(before, shown, after, taken.ghost));
      if (text !== null) return { property, kind: "onStep", text };
    }
    return null;
  }

  /** What is remembered after a step. */
  nextGhost(taken: TakenStep): unknown {
    if (this.#ghost === null) return null;
    this.#current = "ghost";
    const what = "options.ghost.next";
    let ghost: unknown;
    try {
      ghost = this.#ghost.next(taken.ghost, ...this.#views(taken));
    } catch (error) {
      throw badInput(what, `it threw on "${taken.move.name}": ${thrownText(error)}`, error);
    }
    return remembered(ghost, what);
  }

  /** Whether a property is true in a state; a throw is a no. */
  isTrue(property: string, holds: StateProperty, session: SessionState, ghost: unknown): boolean {
    return this.#ask(property, () => truth(holds(this.#view(session), ghost))) === null;
  }

  #stepGuarantee(judged: JudgedStep): Problem | null {
    if (this.#properties.guarantees === false) return null;
    for (const { name, step } of guarantees) {
      const text = step?.(judged) ?? null;
      if (text !== null) return { property: name, kind: "guarantee", text };
    }
    return null;
  }

  #stateGuarantee(session: SessionState): Problem | null {
    if (this.#properties.guarantees === false) return null;
    const { facts } = this.#model;
    const probe: JudgedState["probe"] = (input) => {
      const copy = cloneSession(session);
      const record = recordOf(copy, input);
      return { session: copy, step: { record, applied: this.#model.kernel.apply(copy, record) } };
    };
    const judged = { session, facts, probe, isNew: this.#isNew };
    for (const { name, state } of guarantees) {
      const text = state?.(judged) ?? null;
      if (text !== null) return { property: name, kind: "guarantee", text };
    }
    return null;
  }

  #first(
    kind: Problem["kind"],
    properties: readonly (readonly [string, StateProperty])[],
    session: SessionState,
    ghost: unknown,
  ): Problem | null {
    if (properties.length === 0) return null;
    const view = this.#view(session);
    for (const [property, holds] of properties) {
      const text = this.#ask(property, () => holds(view, ghost));
      if (text !== null) return { property, kind, text };
    }
    return null;
  }

  /** What a property has to say: null when it holds. */
  #ask(property: string, holds: () => unknown): string | null {
    this.#current = property;
    let answer: unknown;
    try {
      answer = holds();
    } catch (error) {
      // Whatever a property throws is its way to say no.
      return thrownText(error);
    }
    refuseLater(answer, `the property "${property}"`);
    return answer === false ? "it does not hold" : null;
  }

  readonly #isNew = (situation: string): boolean =>
    !this.#situations.has(situation) && this.#situations.add(situation).size > 0;

  readonly #noteName = (member: string): void => void (this.named ??= { property: this.#current, member });

  #view(session: SessionState): SessionView {
    const view = readSession(session, this.#model.facts, this.#noteName);
    const { protocol } = this.#model;
    return protocol === null ? view : Object.assign(view, { protocol: protocol.of(session) });
  }

  #views(taken: TakenStep): [SessionView, Step, SessionView] {
    return [this.#view(taken.before), readStep(taken, this.#noteName), this.#view(taken.after)];
  }
}

/** Refuses the answer of an asynchronous function: it comes when the search is over, and whatever it says counts for nothing. */
function refuseLater(answer: unknown, what: string): void {
  if (typeof answer !== "object" || answer === null || !("then" in answer)) return;
  // What it will say, or throw, is nobody's any more.
  Promise.resolve(answer).catch(() => {});
  throw badInput(what, "it answers later (a promise); make it answer at once, without `async`");
}

/** Only `true` makes something true; a promise stays what it is, to be refused. */
const truth = (answer: unknown): unknown =>
  typeof answer === "object" && answer !== null && "then" in answer ? answer : answer === true;

/** What is remembered, as a copy of its own: `next` would change the past of other states by changing what it was given. */
function remembered(ghost: unknown, what: string): unknown {
  if (typeof ghost !== "object" || ghost === null) {
    if (ghost === undefined || JsonValue.safeParse(ghost).success) return ghost;
    throw badInput(what, `${kindOf(ghost)} is no JSON, so states could not be told apart`);
  }
  refuseLater(ghost, what);
  if (!JsonValue.safeParse(ghost).success)
    throw badInput(
      what,
      "it is no JSON, so states could not be told apart; write maps and sets as lists, and leave out what is undefined",
    );
  return frozen(JSON.parse(JSON.stringify(ghost)));
}

function frozen(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  for (const each of Object.values(value)) frozen(each);
  return Object.freeze(value);
}
