import type { SessionState } from "../../machines/index.ts";
import { BudgetTable } from "./budgets.ts";
import { CoverageCollector } from "./coverage.ts";
import { Interner } from "./interner.ts";
import { Judge, type Problem } from "./judge.ts";
import { createLiveDataOf, type LiveData } from "./live-data.ts";
import type { AnyMove } from "./move.ts";
import type { CheckOptions } from "./properties.ts";
import { Orders } from "./orders.ts";
import { StateEncoder } from "./state-encoder.ts";
import { Symmetry } from "./symmetry.ts";
import type { TeamModel } from "./team-model.ts";

/** A property told interchangeable members apart: what was found so far says nothing. */
export class NamedMember extends Error {}

/** What a search found. */
export interface Found {
  readonly problem: Problem;
  /** Names of the moves that lead there, the last one that of a violated step included. */
  readonly path: readonly string[];
}

/** What every strategy needs: the model, its properties, and what is counted. */
export class Search {
  readonly model: TeamModel;
  readonly options: CheckOptions;
  readonly judge: Judge;
  readonly budgets: BudgetTable;
  readonly symmetry: Symmetry;
  readonly encoder: StateEncoder;
  readonly coverage: CoverageCollector;
  readonly statesMax: number;
  readonly depthMax: number;
  readonly deadline: number;
  readonly initial: SessionState;
  transitions = 0;
  depth = 0;
  found: Found | null = null;
  readonly limitsHit = new Set<"statesMax" | "depthMax" | "ms" | "walks">();
  readonly #isSymmetric: boolean;
  readonly #ghosts = new Interner();
  readonly #beside = new Interner();
  readonly #open: Map<string, NonNullable<CheckOptions["sometimes"]>[string]>;
  readonly #liveOf: (budgets: number) => LiveData;

  constructor(
    model: TeamModel,
    options: CheckOptions,
    { isSymmetric, depthMax }: { isSymmetric: boolean; depthMax: number },
  ) {
    this.model = model;
    this.options = options;
    this.#isSymmetric = isSymmetric;
    this.symmetry = new Symmetry(isSymmetric);
    this.judge = new Judge(model, options, isSymmetric ? new Orders(this.symmetry) : null);
    this.coverage = new CoverageCollector(model.protocol);
    this.budgets = new BudgetTable(options.budgets ?? {}, options.interventionsMax);
    this.initial = this.#begin();
    const problem = this.judge.prologue();
    if (problem !== null) this.found = { problem, path: [] };
    this.encoder = new StateEncoder(this.symmetry);
    const { statesMax = 1_000_000, ms = 60_000 } = options.limits ?? {};
    this.statesMax = statesMax;
    this.depthMax = depthMax;
    this.deadline = performance.now() + ms;
    const ownMoves = model.options.world !== undefined || model.protocol !== null;
    const revisions = model.options.replans?.some(({ revision }) => revision !== undefined) ?? false;
    this.#liveOf = createLiveDataOf(this.budgets, model.limits, { ownMoves, revisions, depthMax });
    this.#open = new Map(Object.entries(options.sometimes ?? {}));
  }

  /** Whether a step that changes nothing may lead to another state all the same. */
  get remembers(): boolean {
    return this.options.ghost !== undefined || this.options.alwaysPossible !== undefined;
  }

  /** The initial state; the steps that lead to it are covered too. */
  #begin(): SessionState {
    this.coverage.state(this.model.kernel.create());
    return this.model.initial((step) => this.coverage.step(step));
  }

  /** Names of `sometimes` that were not true anywhere yet. */
  get unreached(): readonly string[] {
    return [...this.#open.keys()];
  }

  /** The moves of a state that can be paid for. */
  moves(session: SessionState, left: number): AnyMove[] {
    return this.model.moves(session, (budget) => this.budgets.left(left, budget) > 0);
  }

  /** Puts the key of a state into the encoder. */
  encode(session: SessionState, left: number, ghost: unknown): void {
    this.encoder.encode(session, this.#liveOf(left), this.#besideNumber(session, ghost));
  }

  /** A number for what stands beside a session in a state: the protocol, and what a property remembers. */
  #besideNumber(session: SessionState, ghost: unknown): number {
    const { protocol } = this.model;
    const remembered = this.options.ghost === undefined ? 0 : this.#ghosts.number(JSON.stringify(ghost) ?? "");
    return protocol === null ? remembered : this.#beside.number(`${protocol.number(session)},${remembered}`);
  }

  /** Looks at a state that was not met before. */
  judgeState(session: SessionState, ghost: unknown): Problem | null {
    this.coverage.state(session);
    const problem = this.judge.state(session, ghost);
    if (problem !== null) return problem;
    for (const [name, holds] of this.#open) if (this.judge.isTrue(name, holds, session, ghost)) this.#open.delete(name);
    if (this.judge.hasQuiescent && this.judge.isQuiescent(session)) return this.judge.quiescent(session, ghost);
    this.checkNames();
    return null;
  }

  /** Gives up when a property told members apart that symmetry takes for each other. */
  checkNames(): void {
    const { named } = this.judge;
    if (named === null || !this.#isSymmetric) return;
    const who = named.property === null ? "`options.ghost.next`" : `the property "${named.property}"`;
    throw new NamedMember(`${who} ${named.by}`);
  }

  /** Looks at the clock, and tells how far the search is. */
  look(states: number): void {
    if (performance.now() > this.deadline) this.limitsHit.add("ms");
    this.options.onProgress?.({ states, transitions: this.transitions });
  }
}
