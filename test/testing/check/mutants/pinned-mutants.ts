import { readFileSync, writeFileSync } from "node:fs";
import type { Kill } from "./kill.ts";

/** What `npm run check:mutants` found, as it is kept. */
export interface PinnedMutants {
  /** Names of the models that were explored. */
  readonly models: readonly string[];
  /** Mutants by how they were caught: those that are caught in the same way stand together. */
  readonly killed: readonly (Kill & { readonly mutants: readonly string[] })[];
  /** Mutants that make of every step of these models the very same. */
  readonly equivalent: readonly string[];
  /** Mutants that no property catches, each with the reason, and whether the pinned sizes of the pack tell them. */
  readonly survivors: Readonly<Record<string, { readonly reason: string; readonly isCounted: boolean }>>;
}

/** Where it is kept. */
export const pinnedFile = new URL("../mutants.json", import.meta.url);

/** Reads what was found last. */
export const readPinned = (): PinnedMutants => JSON.parse(readFileSync(pinnedFile, "utf8")) as PinnedMutants;

/** Keeps what was found. */
export const writePinned = (found: PinnedMutants): void =>
  writeFileSync(pinnedFile, `${JSON.stringify(found, null, 2)}\n`);

/** Puts mutants that were caught in the same way together. */
export function groupKills(kills: ReadonlyMap<string, Kill>): PinnedMutants["killed"] {
  const groups = new Map<string, Kill & { readonly mutants: string[] }>();
  for (const [mutant, kill] of kills) {
    const key = JSON.stringify(kill);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { ...kill, mutants: [mutant] });
    else group.mutants.push(mutant);
  }
  return [...groups.values()];
}

/** The kills, by mutant. */
export const killsOf = ({ killed }: PinnedMutants): [mutant: string, kill: Kill][] =>
  killed.flatMap(({ mutants, model, property, moves }) =>
    mutants.map((mutant): [string, Kill] => [mutant, { model, property, moves }]),
  );

/** How many of the mutants that are not equivalent a property catches, from 0 to 1. */
export function shareCaught(pinned: PinnedMutants): number {
  const caught = killsOf(pinned).length;
  return caught / (caught + Object.keys(pinned.survivors).length);
}
