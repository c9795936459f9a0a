import type { Budgets, TeamModelOptions } from "../../../../src/testing/index.ts";

/** One place of the sources made wrong. The text to be found stands there exactly once. */
export interface Patch {
  /** Path within src. */
  readonly file: string;
  readonly find: string;
  readonly replace: string;
}

/** A fault that the kernel could have, put into a copy of the sources, and how it is caught. */
export interface PlantedFault {
  /** What the kernel does wrong. */
  readonly name: string;
  readonly patches: readonly Patch[];
  readonly model: TeamModelOptions;
  readonly budgets: Budgets;
  /** The guarantee that is violated, and what is said to be wrong. */
  readonly guarantee: string;
  readonly problem: string;
  /** The shortest way there. */
  readonly moves: readonly string[];
}

/** A patch of a file of the kernel. */
export const kernel = (file: string, find: string, replace: string): Patch => ({
  file: `machines/kernel/${file}`,
  find,
  replace,
});

export const one = [{ name: "A" }];
export const chain = [{ name: "A" }, { name: "B", dependsOn: ["A"] }];
