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

/**
 * Walks a path by the names of its moves, holding every state and step against the properties, up to the first that is
 * violated. Null when a move of that name is not possible where its turn comes.
 */
export function runPath(model: TeamModel, moves: readonly string[], properties: Properties): PathRun | null {
  const judge = new Judge(model, properties);
  const steps: TakenStep[] = [];
  let session = model.initial();
  let ghost = judge.initialGhost;
  const stateProblem = (): Problem | null =>
    judge.state(session, ghost) ??
    (judge.hasQuiescent && judge.isQuiescent(session) ? judge.quiescent(session, ghost) : null);
  let problem = judge.prologue() ?? stateProblem();
  for (const name of moves) {
    if (problem !== null) break;
    const move = model.moves(session).find((each) => each.name === name);
    if (move === undefined) return null;
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
