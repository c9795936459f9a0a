import { expect } from "vitest";
import {
  budgetKinds,
  dagShapes,
  type Budget,
  type CheckOptions,
  type CheckResult,
  type ModelMember,
  type TeamModelOptions,
} from "../../../src/testing/index.ts";
import { testing } from "./native-testing.ts";

/** What leads where something else leads, or to too many states: it has cases of its own. */
const apart: ReadonlySet<Budget> = new Set(["outside", "interrupt"]);

/** One of everything that may be done to a team. */
export const oneOfEach = Object.fromEntries(budgetKinds.map((kind) => [kind, apart.has(kind) ? 0 : 1]));

/** How many states and transitions a check has. */
export type Size = readonly [states: number, transitions: number];

/** A graph in a few characters: `A, B, C<-A+B`. */
const shapeText = (members: readonly ModelMember[]): string =>
  members
    .map(({ name, dependsOn = [] }) => (dependsOn.length === 0 ? name : `${name}<-${dependsOn.join("+")}`))
    .join(", ");

/** Every graph of this many members, with what it is called. */
export const shapesOf = (count: number): [string, readonly ModelMember[]][] =>
  dagShapes(count).map((members) => [shapeText(members), members]);

/** Checks a model whole, and prints what that took. */
export function check(what: string, model: TeamModelOptions, options: CheckOptions): CheckResult {
  const limits = { statesMax: 5_000_000, ms: 3_600_000 };
  const result = testing.checkModel(testing.teamModel(model), { ...options, limits });
  const { states, transitions, seconds, bytesPerState, coverage } = result;
  const text = `${states} states, ${transitions} transitions, ${seconds.toFixed(1)} s, ${bytesPerState} B a state`;
  process.stdout.write(`${what}: ${text}, ${coverage.taken.length} kinds of transitions taken\n`);
  return result;
}

/** Expects that a model holds, in exactly so many states and transitions. */
export function expectPinned({ violation, verdict, states, transitions }: CheckResult, pinned: Size | undefined): void {
  expect(violation?.toString() ?? null).toBeNull();
  expect(verdict).toBe("holds");
  expect([states, transitions]).toEqual(pinned);
}
