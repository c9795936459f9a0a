import { budgetKinds, type Budget, type Budgets } from "../../testing/index.ts";
import type { Stage, StageDone } from "./stage.ts";

/** What a plan is made for. */
export interface PlanOptions {
  readonly members: number;
  /** How many of them are persistent: these wake whenever somebody writes. */
  readonly persistent: number;
  /** Whether their lead has turns of its own. */
  readonly isHosted: boolean;
  readonly hasBoard: boolean;
  /** Whether everything is wanted, however long it takes. */
  readonly deep: boolean;
  /** The most interventions that a stage has. */
  readonly interventionsMax: number;
  /** Transitions that a check may take where not everything is wanted: about half a minute's worth. */
  readonly transitionsMax: number;
}

/** What comes next, and what was left out for its size. */
export interface Plan {
  readonly next: Stage | null;
  readonly left: readonly string[];
}

/** Nobody is invited to the teams of a check, no host has hooks there, and nobody touches tasks where there is no board. */
export const kindsOf = (hasBoard: boolean): readonly Budget[] =>
  budgetKinds.filter((kind) => kind !== "invite" && kind !== "hook" && (hasBoard || kind !== "task"));

const oneOfEach = (hasBoard: boolean): Budgets => Object.fromEntries(kindsOf(hasBoard).map((kind) => [kind, 1]));
const words = ["nothing", "any one", "any two", "any three"] as const;

/** States of a search that need not be spared; those of one that must be done in a minute are a third of a gigabyte. */
const deepStatesMax = 20_000_000;
/** Cells of all states of the first stage together: it has as many transitions a state as there are members, or more. */
const firstCellsMax = 1_000_000;
/** Larger teams may have a first stage that never ends, so it has a time. */
const smallMax = 5;
const firstMs = 20_000;

/**
 * How many transitions one intervention of a kind multiplies a check by, at most: measured on shapes of up to 5 members of
 * each lifetime, without and with a hosted lead, and rounded up. A stage whose estimate is too large is not begun.
 */
const growth: Readonly<Record<Budget, (members: number, isHosted: boolean) => number>> = {
  outcomes: (members) => 2 * members + 2,
  late: (members) => 3 * members,
  duplicate: () => 4,
  message: (members) => 6 * members ** 2 + 8,
  replan: (members) => 10 * members,
  dissolve: () => 30,
  // A lead asks too, of its own and whenever it is asked.
  permission: (_, isHosted) => (isHosted ? 15 : 5),
  owner: () => 6,
  lost: () => 5,
  timer: () => 3,
  interrupt: (members) => members + 1,
  task: (members) => 20 * members ** 2,
  outside: () => 5,
  // No stage has them.
  invite: () => 1,
  hook: () => 1,
};

/**
 * Persistent members that one message, or what it causes, may wake: each is awake or not while the others are anywhere. How
 * often the graph lets them work hardly matters, so a chain grows most. First and each further member of a chain, and the
 * transitions of a chain that nobody interferes with, for each of its members.
 */
const woken = { none: { first: 90, each: 9.8, base: 7 }, hosted: { first: 3_000, each: 11.5, base: 110 } } as const;

/** Transitions of a stage with one intervention of a kind, at most. */
function estimateOf(kind: Budget, base: number, { members, persistent, isHosted }: PlanOptions): number {
  const estimate = base * growth[kind](members, isHosted);
  if (kind !== "message" || persistent === 0) return estimate;
  const { first, each, base: ofChain } = isHosted ? woken.hosted : woken.none;
  const wider = Math.max(1, base / (ofChain * persistent)) ** 0.55;
  return Math.max(estimate, first * each ** (persistent - 1) * wider);
}

/** Any `count` interventions of different kinds. */
const anyStage = (count: number, statesMax: number, hasBoard: boolean): Stage => ({
  name: words[count] ?? "each once",
  interventions: count,
  kind: null,
  options: {
    budgets: count === 0 ? {} : oneOfEach(hasBoard),
    interventionsMax: count,
    limits: { statesMax },
  },
});

const kindStage = (kind: Budget): Stage => ({
  name: `one ${kind}`,
  interventions: 1,
  kind,
  options: { budgets: { [kind]: 1 }, limits: { statesMax: deepStatesMax } },
});

/** What comes after the stages that are done; none of them was cut off, but perhaps the first. */
export function planNext(done: readonly StageDone[], options: PlanOptions): Plan {
  const [first] = done;
  if (first === undefined) return { next: firstStage(options), left: [] };
  const last = done.at(-1) ?? first;
  if (last.stage.interventions === null || last.result.verdict === "violated") return { next: null, left: [] };
  if (last.result.verdict === "inconclusive") {
    const isFirst = done.length === 1 && !options.deep;
    return { next: isFirst ? walkStage(options) : null, left: [] };
  }
  if (options.deep) return { next: nextDeep(last.stage, options), left: [] };
  return nextThatFits(done, first, options);
}

function firstStage({ members, hasBoard, deep }: PlanOptions): Stage {
  if (deep) return anyStage(0, deepStatesMax, hasBoard);
  const stage = anyStage(0, Math.ceil(firstCellsMax / Math.max(1, members)), hasBoard);
  const { options } = stage;
  if (members <= smallMax) return stage;
  return { ...stage, options: { ...options, limits: { ...options.limits, ms: firstMs } } };
}

/** Walks of a large team are fewer, and nobody interferes where every member could write to every other. */
function walkStage({ members, hasBoard }: PlanOptions): Stage {
  const walks = Math.min(500, Math.max(10, Math.round(20_000 / members)));
  const budgets = members <= 100 ? oneOfEach(hasBoard) : {};
  const options = { budgets, strategy: "walk", walks, limits: { ms: firstMs } } as const;
  return { name: `${walks} walks`, interventions: null, kind: null, options };
}

/** Deep: one more each time, then all that there are. */
function nextDeep({ interventions }: Stage, { interventionsMax, hasBoard }: PlanOptions): Stage | null {
  const more = (interventions ?? 0) + 1;
  const count = more < words.length ? more : kindsOf(hasBoard).length;
  return count > interventionsMax || interventions === count ? null : anyStage(count, deepStatesMax, hasBoard);
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);

function nextThatFits(done: readonly StageDone[], first: StageDone, options: PlanOptions): Plan {
  const { hasBoard, transitionsMax } = options;
  const room = transitionsMax - sum(done.map(({ result }) => result.transitions));
  const base = first.result.transitions;
  const estimates = kindsOf(hasBoard).map((kind) => ({ kind, estimate: estimateOf(kind, base, options) }));
  const all = sum(estimates.map(({ estimate }) => estimate));
  const isSplit = done.some(({ stage }) => stage.kind !== null);
  if (done.length === 1 && all <= room) return { next: anyStage(1, deepStatesMax, hasBoard), left: [] };
  if (done.length === 1 || isSplit) {
    const open = estimates.filter(({ kind }) => !done.some(({ stage }) => stage.kind === kind));
    const [least] = open.toSorted((a, b) => a.estimate - b.estimate);
    if (least !== undefined && least.estimate <= room) return { next: kindStage(least.kind), left: [] };
    return {
      next: null,
      left: open.length === 0 ? ["any two"] : [...open.map(({ kind }) => `one ${kind}`), "any two"],
    };
  }
  const [before, last] = [done.at(-2) ?? first, done.at(-1) ?? first];
  const count = (last.stage.interventions ?? 0) + 1;
  const name = words[count];
  if (name === undefined) return { next: null, left: [] };
  const estimate = last.result.transitions ** 2 / Math.max(1, before.result.transitions);
  return estimate <= room ? { next: anyStage(count, deepStatesMax, hasBoard), left: [] } : { next: null, left: [name] };
}
