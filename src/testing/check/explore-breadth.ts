import type { SessionState } from "../../machines/index.ts";
import type { TakenStep } from "./judge.ts";
import { Reachability } from "./reachability.ts";
import type { Search } from "./search.ts";
import { StateGraph } from "./state-graph.ts";

/** A state whose moves were not made yet. Sessions are kept for the frontier alone. */
interface Open {
  readonly state: number;
  readonly session: SessionState;
  readonly ghost: unknown;
}

/** Explores a model breadth first, so that the first violation met has a shortest path. Returns the states. */
export function exploreBreadth(search: Search): StateGraph {
  const possible = Object.entries(search.options.alwaysPossible ?? {});
  const graph = new StateGraph(search.budgets, possible.length > 0);
  const reachability = new Reachability(search, possible);
  new Breadth(search, graph, reachability).run();
  if (search.found === null && search.limitsHit.size === 0) {
    const found = reachability.violation();
    if (found !== null) search.found = { problem: found.problem, path: namesTo(search, graph, found.state) };
  }
  return graph;
}

/** Steps between two looks at the clock. */
const stepsPerLook = 256;

class Breadth {
  readonly #search: Search;
  readonly #graph: StateGraph;
  readonly #reachability: Reachability;
  #next: Open[] = [];

  constructor(search: Search, graph: StateGraph, reachability: Reachability) {
    this.#search = search;
    this.#graph = graph;
    this.#reachability = reachability;
  }

  run(): void {
    const { initial, judge, budgets } = this.#search;
    this.#meet(initial, judge.initialGhost, budgets.initial, -1, 0);
    while (this.#next.length > 0 && this.#search.found === null) {
      if (this.#search.depth >= this.#search.depthMax) {
        this.#search.limitsHit.add("depthMax");
        return;
      }
      const level: (Open | null)[] = this.#next;
      this.#next = [];
      this.#search.depth++;
      for (const [index, open] of level.entries()) {
        if (open !== null && !this.#expand(open)) return;
        // A level can be large; what is done need not be kept until its end.
        level[index] = null;
      }
    }
  }

  /** Makes every move of a state; false when the search is over. */
  #expand({ state, session, ghost }: Open): boolean {
    const search = this.#search;
    const left = this.#graph.left(state);
    const moves = search.moves(session, left);
    for (let index = 0; index < moves.length; index++) {
      const move = moves[index];
      if (move === undefined) continue;
      if (++search.transitions % stepsPerLook === 0) search.look(this.#graph.size);
      const after = search.model.copy(session);
      const taken: TakenStep = { ...search.model.step(after, move), before: session, after, move, ghost };
      search.coverage.step(taken);
      const problem = search.judge.step(taken);
      if (problem !== null) {
        search.checkNames();
        search.found = { problem, path: [...namesTo(search, this.#graph, state), move.name] };
        return false;
      }
      if (isNothing(taken) && !search.remembers) continue;
      const spent = move.budget === null ? left : search.budgets.spend(left, move.budget);
      this.#meet(after, search.judge.nextGhost(taken), spent, state, index);
      if (search.found !== null || search.limitsHit.size > 0) return false;
    }
    return true;
  }

  /** A step led to this state: looks at it, and keeps it when it is new. */
  #meet(session: SessionState, ghost: unknown, left: number, parent: number, move: number): void {
    const search = this.#search;
    search.encode(session, left, ghost);
    const state = this.#graph.add(search.encoder.cells, search.encoder.length, left, parent, move);
    if (parent >= 0) this.#reachability.edge(parent, state);
    if (!this.#graph.isNew) return;
    if (this.#graph.isNewKey) {
      const problem = search.judgeState(session, ghost);
      if (problem !== null) {
        search.checkNames();
        search.found = { problem, path: namesTo(search, this.#graph, state) };
        return;
      }
    }
    this.#reachability.state(state, session, ghost);
    if (this.#graph.size > search.statesMax) search.limitsHit.add("statesMax");
    this.#next.push({ state, session, ghost });
  }
}

/**
 * Whether a step left everything as it was, so that it leads back to where it started with less left to happen. Seen in the
 * records: a kernel that does not say what it has changed must not hide it.
 */
function isNothing({ applied, before, after, protocolSteps }: TakenStep): boolean {
  if (applied.touched.size > 0 || protocolSteps.length > 0 || before.epoch !== after.epoch) return false;
  if (before.team !== after.team || before.lead !== after.lead || before.snapshot !== after.snapshot) return false;
  if (before.members.size !== after.members.size) return false;
  for (const [token, is] of after.members) if (before.members.get(token) !== is) return false;
  return before.requests === after.requests && before.polls === after.polls && before.outside === after.outside;
}

/** The names of the moves that lead to a state, worked out by making them again. */
function namesTo(search: Search, graph: StateGraph, state: number): string[] {
  const session = search.model.initial();
  return graph.pathTo(state).map(({ left, move: index }) => {
    const move = search.moves(session, left)[index];
    if (move === undefined) throw new Error("a path cannot be walked again: moves differ for the same state");
    search.model.step(session, move);
    return move.name;
  });
}
