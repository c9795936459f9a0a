import { createCounterexample, type Counterexample } from "./counterexample.ts";
import { assertCheckOptions } from "./assert-check-options.ts";
import { runPath } from "./path-run.ts";
import type { Properties } from "./properties.ts";
import type { MachineOrNone } from "./protocol.ts";
import type { TeamModel } from "./team-model.ts";

/** What came of walking one path. */
export interface PathResult {
  readonly violation: Counterexample | null;
}

/**
 * Walks one path of a model by the names of its moves and holds every state and step against the properties: what a
 * counterexample's test does. Throws a RangeError when a move is not possible where its turn comes; `sometimes` and
 * `alwaysPossible` say nothing of one path and are not asked.
 */
export function checkPath<Ghost = unknown, Machine extends MachineOrNone = MachineOrNone>(
  model: TeamModel<Machine>,
  moves: readonly string[],
  properties: Properties<Ghost, NoInfer<Machine>> = {},
): PathResult {
  // A ghost is made and read by the same properties, so its type is theirs alone; the machine is that of the model.
  const asked = properties as Properties;
  assertCheckOptions(asked);
  const run = runPath(model, moves, asked);
  if (run === null) throw new RangeError(`not a path of this model: ${moves.join(", ")}`);
  const taken = run.steps.map(({ move }) => move.name);
  return { violation: run.problem === null ? null : createCounterexample(model, asked, run.problem, taken) };
}
