import type { SessionState } from "../../machines/index.ts";
import { Judge, type Problem, type TakenStep } from "./judge.ts";
import type { Properties } from "./properties.ts";
import type { TeamModel } from "./team-model.ts";

/** A path, walked again. */
export interface PathRun {
  readonly steps: readonly TakenStep[];
  readonly session: SessionState;
  /** The first thing that is wrong on it, or null. */
  readonly problem: Problem | null;
}

/** Where a path ends that is none: the place of the move that is not possible, and the names of those that are. */
export interface PathEnd {
  readonly at: number;
  readonly possible: readonly string[];
}

/**
 * Walks a path by the names of its moves, holding every state and step against the properties, up to the first that is
 * violated. When a move of that name is not possible where its turn comes, what is.
 */
export function runPath(model: TeamModel, moves: readonly string[], properties: Properties): PathRun | PathEnd {
  const judge = new Judge(model, properties);
  const steps: TakenStep[] = [];
  let session = model.initial();
  let ghost = judge.initialGhost;
  const stateProblem = (): Problem | null =>
    judge.state(session, ghost) ??
    (judge.hasQuiescent && judge.isQuiescent(session) ? judge.quiescent(session, ghost) : null);
  let problem = judge.prologue() ?? stateProblem();
  for (const [at, name] of moves.entries()) {
    if (problem !== null) break;
    const possible = model.moves(session);
    const move = possible.find((each) => each.name === name);
    if (move === undefined) return { at, possible: possible.map((each) => each.name) };
    const after = model.copy(session);
    const taken: TakenStep = { ...model.step(after, move), before: session, after, move, ghost };
    steps.push(taken);
    problem = judge.step(taken);
    ghost = judge.nextGhost(taken);
    session = after;
    problem ??= stateProblem();
  }
  return { steps, session, problem };
}
