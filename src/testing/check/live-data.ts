import type { Limits } from "../../protocol/limits.ts";
import type { BudgetTable } from "./budgets.ts";

/**
 * Which counts can still steer anything. A count that nothing to come will ask for is left out of a state's key: hops of a
 * chain once nobody can write any more, losses once no run can be lost, turns when they can't reach their limit.
 */
export interface LiveData {
  readonly messages: boolean;
  readonly losses: boolean;
  readonly turns: boolean;
  readonly owners: boolean;
  /** How often hooks have kept a member from idling. */
  readonly hooks: boolean;
  /** Which plan changed a member last: asked for by plans that say on which revision they were made. */
  readonly revisions: boolean;
}

/** How much of a session steers, from what may still happen. Equal answers are one object. */
export type LiveDataOf = (budgets: number) => LiveData;

/** Reads what is left of the budgets; with moves of the user's own everything may still matter. */
export function createLiveDataOf(
  table: BudgetTable,
  limits: Limits,
  { ownMoves, revisions, depthMax }: { ownMoves: boolean; revisions: boolean; depthMax: number },
): LiveDataOf {
  // A turn takes at least one input, so no path within `depthMax` has more.
  const turns = limits.turnsMax <= depthMax;
  const known = new Map<number, LiveData>();
  const distinct = new Map<string, LiveData>();
  const workOut = (budgets: number): LiveData => {
    const live = {
      messages: ownMoves || table.left(budgets, "message") > 0,
      losses: ownMoves || table.left(budgets, "lost") > 0,
      owners: ownMoves || table.left(budgets, "owner") > 0,
      hooks: ownMoves || table.left(budgets, "hook") > 0,
      turns,
      revisions: revisions && table.left(budgets, "replan") > 0,
    };
    const text = JSON.stringify(live);
    const same = distinct.get(text) ?? live;
    distinct.set(text, same);
    return same;
  };
  return (budgets) => {
    let live = known.get(budgets);
    if (live === undefined) known.set(budgets, (live = workOut(budgets)));
    return live;
  };
}

/** Everything matters that a move of the model may ask for; no such move was made on a revision. */
export const allLive: LiveData = {
  messages: true,
  losses: true,
  turns: true,
  owners: true,
  hooks: true,
  revisions: false,
};
