import { and, not, or, stateIn } from "xstate";

/** What stands for a guard or an action that has no name. */
export const INLINE = "inline";

/** A guard built by `and`, `or`, `not` or `stateIn`: a function whose parts are its properties. */
interface Composed {
  readonly check: unknown;
  readonly guards?: readonly unknown[];
  readonly stateValue?: unknown;
}

// XState types what these return as predicates only; `check` is told apart by identity, since a bundler renames functions.
const checkOf = (guard: unknown): unknown => (guard as Composed).check;
const checks = { and: checkOf(and([])), or: checkOf(or([])), not: checkOf(not("")), stateIn: checkOf(stateIn("")) };

const asComposed = (guard: unknown): Composed | null =>
  typeof guard === "function" && "check" in guard ? guard : null;

/** How a guard is made of others, or of a state; null for a name, a reference or a plain function. */
export function composition(guard: unknown): {
  readonly kind: "and" | "or" | "not" | "stateIn";
  readonly parts: readonly unknown[];
  readonly stateValue: unknown;
} | null {
  const composed = asComposed(guard);
  if (composed === null) return null;
  for (const kind of ["and", "or", "not", "stateIn"] as const)
    if (composed.check === checks[kind]) return { kind, parts: composed.guards ?? [], stateValue: composed.stateValue };
  return null;
}

/** Names that a function gets from the place where it is written inline, not from its author. */
const accidental = new Set(["", "guard", "actions", "entry", "exit", "cond"]);

/** The name of a function, `inline` when nobody gave it one. */
export const functionName = ({ name }: { readonly name: string }): string => (accidental.has(name) ? INLINE : name);

/** A `{ type, params }` reference, written `type` or `type({"max":3})`. */
export function referenceText({ type, params }: { readonly type: string; readonly params?: unknown }): string {
  if (params === undefined) return type;
  return `${type}(${typeof params === "function" ? INLINE : jsonText(params)})`;
}

function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? INLINE;
  } catch {
    // A cycle or a bigint: it cannot be written down, and a chart must not fail for it.
    return INLINE;
  }
}

/** Whether this is a reference with a type. */
export const isReference = (value: unknown): value is { readonly type: string; readonly params?: unknown } =>
  typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";

/**
 * A guard as a person reads it: `isPersistent and not (hasMail or in presence.shutdown)`. Named guards by name, functions
 * by their own name, and `inline` for what has none.
 */
export const guardText = (guard: unknown): string => textOf(guard, null);

/** The word around a part; brackets stand where another word meets it. */
type Context = "or" | "and" | "not" | null;

function textOf(guard: unknown, within: Context): string {
  if (typeof guard === "string") return guard;
  if (isReference(guard)) return referenceText(guard);
  const composed = asComposed(guard);
  if (composed === null) return typeof guard === "function" ? functionName(guard) : INLINE;
  const parts = composed.guards ?? [];
  if (composed.check === checks.stateIn) return `in ${stateText(composed.stateValue)}`;
  if (composed.check === checks.not) return `not ${textOf(parts[0], "not")}`;
  if (composed.check === checks.and) return joined(parts, "and", within);
  if (composed.check === checks.or) return joined(parts, "or", within);
  return INLINE;
}

function joined(parts: readonly unknown[], word: "and" | "or", within: Context): string {
  if (parts.length === 0) return word === "and" ? "always" : "never";
  if (parts.length === 1) return textOf(parts[0], within);
  const text = parts.map((part) => textOf(part, word)).join(` ${word} `);
  return within === null || within === word ? text : `(${text})`;
}

/** A state value as paths: `presence.shutdown`, several joined by `+`. */
function stateText(value: unknown): string {
  if (typeof value !== "object" || value === null) return String(value);
  const paths = Object.entries(value).map(([key, inner]) => {
    const below = stateText(inner);
    return below === "" ? key : `${key}.${below}`;
  });
  return paths.join("+");
}

/** The guards that a guard is built from, itself first: for looking up every name in it. */
export function guardParts(guard: unknown): readonly unknown[] {
  const parts = asComposed(guard)?.guards ?? [];
  return [guard, ...parts.flatMap(guardParts)];
}
