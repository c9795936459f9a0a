import { badInput, kindOf, knownKeys, parseFields, type Fields } from "../fields.ts";
import { budgetKinds } from "./budgets.ts";
import type { CheckOptions } from "./properties.ts";

const propertyKinds = ["always", "onStep", "sometimes", "quiescent", "alwaysPossible"] as const;
const optionKeys = [
  ...propertyKinds,
  "ghost",
  "guarantees",
  "budgets",
  "interventionsMax",
  "limits",
  "symmetry",
  "strategy",
  "walks",
  "seed",
  "allow",
  "onProgress",
] as const satisfies readonly (keyof CheckOptions)[];
const limitKeys = ["statesMax", "depthMax", "ms"] as const;

/**
 * Refuses what a check can't be made with, with `bad_input`. A budget that is misspelt or a property that is none would
 * otherwise be left out, and the check would hold for what it has not looked at.
 */
export function assertCheckOptions(value: unknown): void {
  const options = parseFields(value, "options");
  knownKeys(options, optionKeys, "options");
  for (const kind of propertyKinds) assertFunctions(options[kind], `options.${kind}`);
  assertGhost(options["ghost"]);
  for (const name of ["guarantees", "symmetry"]) assertFlag(options[name], `options.${name}`);
  assertCounts(options["budgets"], budgetKinds, "options.budgets");
  assertCount(options["interventionsMax"], "options.interventionsMax");
  assertLimits(options["limits"]);
  const { strategy, seed, allow, onProgress } = options;
  if (strategy !== undefined && strategy !== "exhaustive" && strategy !== "walk")
    throw badInput("options.strategy", `give "exhaustive" or "walk", not ${kindOf(strategy)}`);
  assertCount(options["walks"], "options.walks", 1);
  if (seed !== undefined && !Number.isSafeInteger(seed))
    throw badInput("options.seed", `give a whole number, not ${kindOf(seed)}`);
  assertReasons(allow);
  if (onProgress !== undefined && typeof onProgress !== "function")
    throw badInput("options.onProgress", `give a function, not ${kindOf(onProgress)}`);
}

function assertFunctions(value: unknown, what: string): void {
  if (value === undefined) return;
  for (const [name, property] of Object.entries(parseFields(value, what)))
    if (typeof property !== "function")
      throw badInput(`${what}.${name}`, `a property is a function, not ${kindOf(property)}`);
}

function assertGhost(value: unknown): void {
  if (value === undefined) return;
  const ghost = parseFields(value, "options.ghost");
  knownKeys(ghost, ["initial", "next"], "options.ghost");
  if (!("initial" in ghost)) throw badInput("options.ghost.initial", "say what is remembered at first");
  if (typeof ghost["next"] !== "function")
    throw badInput("options.ghost.next", `give a function, not ${kindOf(ghost["next"])}`);
}

function assertFlag(value: unknown, what: string): void {
  if (value !== undefined && typeof value !== "boolean")
    throw badInput(what, `give true or false, not ${kindOf(value)}`);
}

function assertCounts(value: unknown, known: readonly string[], what: string): void {
  if (value === undefined) return;
  const counts = parseFields(value, what);
  knownKeys(counts, known, what);
  for (const [name, count] of Object.entries(counts)) assertCount(count, `${what}.${name}`);
}

/** Without an end is a count too: another limit ends such a search. */
function assertCount(value: unknown, what: string, least = 0): void {
  if (value === undefined || value === Infinity) return;
  if (!Number.isSafeInteger(value) || Number(value) < least)
    throw badInput(what, `give a whole number from ${least} on, not ${kindOf(value)}`);
}

function assertLimits(value: unknown): void {
  if (value === undefined) return;
  const limits: Fields = parseFields(value, "options.limits");
  knownKeys(limits, limitKeys, "options.limits");
  const { ms } = limits;
  if (ms !== undefined && !(typeof ms === "number" && ms >= 0))
    throw badInput("options.limits.ms", `give a number from 0 on, not ${kindOf(ms)}`);
  assertCount(limits["depthMax"], "options.limits.depthMax");
  // The first state is one, so that 0 would be a search that looks at nothing.
  assertCount(limits["statesMax"], "options.limits.statesMax", 1);
}

function assertReasons(value: unknown): void {
  if (value === undefined) return;
  for (const [id, reason] of Object.entries(parseFields(value, "options.allow")))
    if (typeof reason !== "string") throw badInput(`options.allow.${id}`, `give the reason, not ${kindOf(reason)}`);
}
