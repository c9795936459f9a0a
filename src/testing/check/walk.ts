import type { SessionState } from "../../machines/index.ts";
import type { TakenStep } from "./judge.ts";
import type { AnyMove } from "./move.ts";
import { runPath } from "./path-run.ts";
import type { Found, Search } from "./search.ts";
import { StateGraph } from "./state-graph.ts";

/** A stream of numbers below 1 that a seed decides. */
function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Steps between two looks at the clock: one walk can be long. */
const stepsPerLook = 256;

/** Walks a model at random: a move is picked first and only that one is made. Returns the states that were met. */
export function walkModel(search: Search, { walks, seed }: { walks: number; seed: number }): StateGraph {
  const graph = new StateGraph(search.budgets, true);
  for (let walk = 0; walk < walks && search.found === null; walk++) {
    const found = walkOnce(search, graph, createRandom(Math.imul(seed, 0x9e3779b1) ^ walk));
    if (found !== null) search.found = shortened(search, found);
    search.look(graph.size);
    if (search.limitsHit.has("ms")) break;
  }
  search.limitsHit.add("walks");
  return graph;
}

function walkOnce(search: Search, graph: StateGraph, random: () => number): Found | null {
  const { judge, budgets, model } = search;
  const path: string[] = [];
  let session: SessionState = model.copy(search.initial);
  let left = budgets.initial;
  let ghost = judge.initialGhost;
  for (;;) {
    const isNew = meet(search, graph, session, left, ghost);
    const problem = isNew ? search.judgeState(session, ghost) : null;
    if (problem !== null) return { problem, path };
    const moves = path.length < search.depthMax ? search.moves(session, left) : [];
    const move: AnyMove | undefined = moves[Math.floor(random() * moves.length)];
    if (move === undefined) return null;
    const after = model.copy(session);
    const taken: TakenStep = { ...model.step(after, move), before: session, after, move, ghost };
    path.push(move.name);
    search.transitions++;
    search.depth = Math.max(search.depth, path.length);
    search.coverage.step(taken);
    const wrong = judge.step(taken);
    if (wrong !== null) return { problem: wrong, path };
    ghost = judge.nextGhost(taken);
    if (move.budget !== null) left = budgets.spend(left, move.budget);
    session = after;
    if (search.transitions % stepsPerLook === 0) search.look(graph.size);
    if (search.limitsHit.has("ms")) return null;
  }
}

/** Counts a state; true when it is looked at for the first time. Beyond the limit states are looked at, not counted. */
function meet(search: Search, graph: StateGraph, session: SessionState, left: number, ghost: unknown): boolean {
  if (graph.size >= search.statesMax) return true;
  search.encode(session, left, ghost);
  graph.add(search.encoder.cells, search.encoder.length, left, -1, 0);
  return graph.isNewKey;
}

/** The path without the moves that it can do without: what is left still violates the same property. */
function shortened(search: Search, found: Found): Found {
  let best = found;
  for (let size = Math.ceil(found.path.length / 2); size >= 1; size = Math.floor(size / 2)) {
    for (let at = best.path.length - size; at >= 0; at -= size) {
      const path = [...best.path.slice(0, at), ...best.path.slice(at + size)];
      const run = runPath(search.model, path, search.options);
      if (!("steps" in run) || run.problem?.property !== found.problem.property) continue;
      best = { problem: run.problem, path: run.steps.map(({ move }) => move.name) };
      at = Math.min(at, best.path.length);
    }
  }
  return best;
}
