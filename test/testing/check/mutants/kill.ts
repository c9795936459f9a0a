import { checkModel, checkPath, teamModel } from "../../../../src/testing/index.ts";
import { isTeamError } from "../../../../src/errors/index.ts";
import type { Size } from "../pack.ts";
import { packCases, type PackCase } from "../pack-cases.ts";
import { mutantKernel, type MachineMutant } from "./machine-mutants.ts";

/** How a mutant was caught. */
export interface Kill {
  readonly model: string;
  readonly property: string;
  readonly moves: readonly string[];
}

/** The property of a model that could not even be made. */
export const notCreated = "a team can be created";

/** What came of trying a mutant on a model: how it was caught, or how large the model is with it. */
export type Trial = { readonly kill: Kill } | { readonly kill: null; readonly size: Size };

/** Whether a mutant violates the same property on the same path as it did when it was caught. */
export function isStillCaught(mutant: MachineMutant, { model, property, moves }: Kill): boolean {
  const team = packCases.find(([name]) => name === model)?.[1];
  if (team === undefined || property === notCreated) return false;
  try {
    return checkPath(teamModel({ ...team, kernel: mutantKernel(mutant) }), moves).violation?.property === property;
  } catch (error) {
    // The machines were changed since: a move of the path is none any more, or the team can't be made.
    if (error instanceof RangeError || isTeamError(error)) return false;
    throw error;
  }
}

/** Explores a model with a mutant until a property is violated. */
export function tryMutant(mutant: MachineMutant, [model, team, options]: PackCase): Trial {
  const kernel = mutantKernel(mutant);
  try {
    const limits = { statesMax: 5_000_000, ms: 3_600_000 };
    const { violation, states, transitions } = checkModel(teamModel({ ...team, kernel }), { ...options, limits });
    if (violation === null) return { kill: null, size: [states, transitions] };
    return { kill: { model, property: violation.property, moves: violation.moves } };
  } catch (error) {
    if (!isTeamError(error, "bad_input")) throw error;
    return { kill: { model, property: notCreated, moves: [] } };
  }
}
