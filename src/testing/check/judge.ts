import { cloneSession, desiredRuns, desiredTimers, idleTimer, type SessionState } from "../../machines/index.ts";
import { JsonValue } from "../../protocol/json-value.ts";
import { isDeepStrictEqual } from "node:util";
import { badInput, kindOf, thrownText } from "../fields.ts";
import { UnknownStateError } from "./state-names.ts";
import { frozen } from "./frozen.ts";
import type { Guarantee, JudgedStep } from "./guarantee.ts";
import { guarantees } from "./guarantees.ts";
import { StateToJudge, Tried } from "./judged-state.ts";
import { StepToJudge } from "./judged-step.ts";
import type { AnyMove } from "./move.ts";
import type { Order, Orders } from "./orders.ts";
import type { GhostState, Properties, StateProperty, Step, StepProperty } from "./properties.ts";
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
  /** The property that told members apart first, null for the ghost, and by what. */
  named: { readonly property: string | null; readonly by: string } | null = null;
  readonly #orders: Orders | null;
  readonly #tried: Tried;
  /** The property that is asked; null = the ghost. */
  #current: string | null = null;

  /** `orders` are those that must not matter to a property, where there are any. */
  constructor(model: TeamModel, properties: Properties, orders: Orders | null = null) {
    this.#model = model;
    this.#tried = new Tried(model.facts);
    this.#orders = orders;
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
    const { record, fault, applied } = taken;
    if (record !== null) {
      const { facts } = this.#model;
      const judged = new StepToJudge({ before: taken.before, after: taken.after, record, applied, facts });
      const wrong = this.#stepGuarantee(judged);
      if (wrong !== null) return wrong;
    }
    if (fault !== null) return { property: `${this.#model.protocol?.id} never throws`, kind: "protocol", text: fault };
    if (this.#onStep.length === 0) return null;
    const [before, shown, after] = this.#views(taken);
    for (const [property, holds] of this.#onStep) {
      const text = this.#ask(property, () => holds(before, shown, after, taken.ghost));
      this.#compare(taken.before, (order) => {
        const views = this.#views(taken, order);
        return (this.#ask(property, () => holds(...views, taken.ghost)) === null) === (text === null);
      });
      if (text !== null) return { property, kind: "onStep", text };
    }
    return null;
  }

  /** What is remembered after a step. */
  nextGhost(taken: TakenStep): unknown {
    if (this.#ghost === null) return null;
    this.#current = null;
    const ghost = this.#nextGhost(this.#ghost, taken);
    this.#compare(taken.before, (order) => isDeepStrictEqual(this.#nextGhost(this.#ghost, taken, order), ghost));
    return ghost;
  }

  #nextGhost(ghost: GhostState<unknown> | null, taken: TakenStep, order?: Order): unknown {
    const what = "options.ghost.next";
    let next: unknown;
    try {
      next = ghost?.next(taken.ghost, ...this.#views(taken, order));
    } catch (error) {
      throw badInput(what, `it threw on "${taken.move.name}": ${thrownText(error)}`, error);
    }
    return remembered(next, what);
  }

  /** Whether a property is true in a state; a throw is a no. */
  isTrue(property: string, holds: StateProperty, session: SessionState, ghost: unknown): boolean {
    const isTrueIn = (order?: Order): boolean =>
      this.#ask(property, () => truth(holds(this.#view(session, order), ghost))) === null;
    const answer = isTrueIn();
    this.#compare(session, (order) => isTrueIn(order) === answer);
    return answer;
  }

  /** Notes a property that answers otherwise when interchangeable members stand in another order. */
  #compare(session: SessionState, isSame: (order: Order) => boolean): void {
    if (this.#orders === null || this.named !== null) return;
    const property = this.#current;
    for (const order of this.#orders.of(session))
      if (!isSame(order)) this.named ??= { property, by: "asks for the order of members" };
  }

  #stepGuarantee(judged: JudgedStep): Problem | null {
    if (this.#properties.guarantees === false) return null;
    return firstWrong(ofSteps, judged) ?? firstWrong(ofTold, judged);
  }

  #stateGuarantee(session: SessionState): Problem | null {
    if (this.#properties.guarantees === false) return null;
    const judged = new StateToJudge(session, this.#model, this.#tried);
    return firstWrong(ofStates, judged) ?? firstWrong(ofTrials, judged);
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
      this.#compare(session, (order) => {
        const other = this.#view(session, order);
        return (this.#ask(property, () => holds(other, ghost)) === null) === (text === null);
      });
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
      // What is written wrongly says nothing of the team.
      if (error instanceof UnknownStateError || error instanceof ReferenceError)
        throw badInput(`the property "${property}"`, error.message, error);
      // Whatever else a property throws is its way to say no.
      return thrownText(error);
    }
    refuseAnswer(answer, `the property "${property}"`);
    return answer === false ? "it does not hold" : null;
  }

  readonly #noteName = (member: string): void =>
    void (this.named ??= { property: this.#current, by: `names ${member}` });

  /** Frozen: several properties are shown the same one. */
  #view(session: SessionState, order?: Order): SessionView {
    const view = readSession(session, this.#model.facts, this.#noteName, order);
    const { protocol } = this.#model;
    return Object.freeze(protocol === null ? view : Object.assign(view, { protocol: protocol.of(session) }));
  }

  #views(taken: TakenStep, order?: Order): [SessionView, Step, SessionView] {
    return [this.#view(taken.before, order), readStep(taken, this.#noteName), this.#view(taken.after, order)];
  }
}

type Says<About> = (about: About) => string | null;

/** What guarantees have to say, by their names; most say nothing about most. Sorted out once: it is asked of every step. */
const ofSteps = said(({ step }) => step);
const ofTold = said(({ told }) => told);
const ofStates = said(({ state }) => state);
const ofTrials = said(({ tried }) => tried);

function said<About>(
  pick: (guarantee: Guarantee) => Says<About> | undefined,
): readonly { readonly property: string; readonly says: Says<About> }[] {
  return guarantees.flatMap((guarantee) => {
    const says = pick(guarantee);
    return says === undefined ? [] : [{ property: guarantee.name, says }];
  });
}

/** The first guarantee that has something to say. */
function firstWrong<About>(all: ReturnType<typeof said<About>>, about: About): Problem | null {
  for (const { property, says } of all) {
    const text = says(about);
    if (text !== null) return { property, kind: "guarantee", text };
  }
  return null;
}

/** Refuses the answer of an asynchronous function: it comes when the search is over, and whatever it says counts for nothing. */
function refuseLater(answer: unknown, what: string): void {
  if (typeof answer !== "object" || answer === null || !("then" in answer)) return;
  // What it will say, or throw, is nobody's any more.
  Promise.resolve(answer).catch(() => {});
  throw badInput(what, "it answers later (a promise); make it answer at once, without `async`");
}

/**
 * Refuses an answer that is none: a number or null would hold without having said so, and so would a generator, whose body is
 * never run. What an assertion gives back is an object, and says nothing more.
 */
function refuseAnswer(answer: unknown, what: string): void {
  if (typeof answer === "boolean" || answer === undefined) return;
  refuseLater(answer, what);
  if (typeof answer === "object" && answer !== null && "next" in answer)
    throw badInput(what, "it is a generator, whose body is never run; make it a plain function");
  if (typeof answer !== "object" || answer === null)
    throw badInput(what, `it answered ${kindOf(answer)}; make it answer true or false, or nothing where it throws`);
}

/** Only `true` makes something true; what is no answer stays what it is, to be refused. */
const truth = (answer: unknown): unknown => (answer === undefined ? false : answer);

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
