import { createCounterexample, type Counterexample } from "./counterexample.ts";
import { nearestName } from "../../protocol/names.ts";
import { badInput, kindOf } from "../fields.ts";
import { assertCheckOptions } from "./assert-check-options.ts";
import { assertModel } from "./assert-model.ts";
import { runPath, type PathEnd } from "./path-run.ts";
import type { Properties } from "./properties.ts";
import type { MachineOrNone } from "./protocol.ts";
import type { TeamModel } from "./team-model.ts";

/** What came of walking one path. */
export interface PathResult {
  readonly violation: Counterexample | null;
}

/**
 * Walks one path of a model by the names of its moves and holds every state and step against the properties: what a
 * counterexample's test does. Throws `bad_input` when a move is not possible where its turn comes; `sometimes` and
 * `alwaysPossible` say nothing of one path and are not asked.
 */
export function checkPath<Ghost = unknown, Machine extends MachineOrNone = MachineOrNone>(
  model: TeamModel<Machine>,
  moves: readonly string[],
  properties: Properties<Ghost, NoInfer<Machine>> = {},
): PathResult {
  // A ghost is made and read by the same properties, so its type is theirs alone; the machine is that of the model.
  const asked = properties as Properties;
  assertModel(model);
  assertMoves(moves);
  assertCheckOptions(asked);
  const run = runPath(model, moves, asked);
  if (!("steps" in run)) throw notPossible(moves, run);
  const taken = run.steps.map(({ move }) => move.name);
  return { violation: run.problem === null ? null : createCounterexample(model, asked, run.problem, taken) };
}

function assertMoves(value: unknown): void {
  if (!Array.isArray(value)) throw badInput("moves", `give a list of names of moves, not ${kindOf(value)}`);
  // Array.isArray makes `any[]` of it.
  for (const [index, name] of (value as readonly unknown[]).entries())
    if (typeof name !== "string") throw badInput(`moves.${index}`, `give the name of a move, not ${kindOf(name)}`);
}

/** Moves that an error names. */
const shownMax = 8;

function notPossible(moves: readonly string[], { at, possible }: PathEnd): Error {
  const name = moves[at] ?? "";
  const nearest = nearestName(name, possible);
  const others = possible.filter((each) => each !== nearest);
  const shown = [...(nearest === null ? [] : [nearest]), ...others].slice(0, shownMax).map((each) => `"${each}"`);
  const more = possible.length > shown.length ? `, and ${possible.length - shown.length} more` : "";
  const instead = shown.length === 0 ? "nothing may happen" : `possible are ${shown.join(", ")}${more}`;
  return badInput(`moves.${at}`, `not a path of this model: "${name}" cannot happen here; ${instead}`);
}
