import { TeamError } from "../errors/index.ts";
import { nearestName } from "../protocol/names.ts";

/** Options as they come from a caller, before anything is known of them. */
export type Fields = Readonly<Record<string, unknown>>;

/** Whether this is an object of named fields. */
export const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The error for what a caller of the checks gave and that can't be used. */
export const badInput = (what: string, problem: string, cause?: unknown): TeamError =>
  new TeamError("bad_input", { what, problem }, { cause });

/** What a value is, in a word, for a sentence that refuses it. */
export function kindOf(value: unknown): string {
  if (value === null || value === undefined || typeof value === "number") return String(value);
  if (typeof value === "string") return JSON.stringify(value.slice(0, 80));
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

/** Refuses what is no object. */
export function parseFields(value: unknown, what: string): Fields {
  if (!isFields(value)) throw badInput(what, `give an object, not ${kindOf(value)}`);
  return value;
}

/** Refuses a field that nobody reads: a misspelt one would be left out in silence. */
export function knownKeys(value: Fields, known: readonly string[], what: string): void {
  for (const key of Object.keys(value)) {
    if (known.includes(key)) continue;
    const nearest = nearestName(key, known);
    const meant = nearest === null ? "" : ` (did you mean ${nearest}?)`;
    throw badInput(`${what}.${key}`, `there is no such option${meant}; known are ${known.join(", ")}`);
  }
}

/** What a throw says: anything can be thrown, even what no text can be made of. */
export function thrownText(error: unknown): string {
  if (error instanceof Error) return error.message;
  try {
    return String(error);
  } catch {
    // An object without a prototype has no text; that something was thrown is what counts.
    return "something that has no text";
  }
}
