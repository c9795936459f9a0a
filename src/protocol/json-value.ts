import { z } from "zod";

/** Anything that JSON can say. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };

const isContainer = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value);
  return Array.isArray(value) || prototype === Object.prototype || prototype === null;
};

/** Whether JSON has this value's kind; of a list or an object, its shell only. */
const isJsonShell = (value: unknown): boolean => {
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value === "object") return value === null || isContainer(value);
  return typeof value === "string" || typeof value === "boolean";
};

/** Walks with a list of its own instead of the call stack, so that depth costs memory and never an overflow. */
const hasOnlyJsonKinds = (root: unknown): boolean => {
  const seen = new Set<unknown>();
  const open = [root];
  while (open.length > 0) {
    const value = open.pop();
    if (!isJsonShell(value)) return false;
    if (typeof value !== "object" || value === null || seen.has(value)) continue;
    seen.add(value);
    for (const item of Object.values(value)) open.push(item);
  }
  return true;
};

/** A circle, or a nesting that no JSON writer survives, shows itself only in the writing. */
const isWritable = (value: unknown): boolean => {
  try {
    return JSON.stringify(value) !== undefined;
  } catch {
    // The verdict is the answer; what the writer says about it adds nothing.
    return false;
  }
};

/** Any JSON value, kept as it came: no copy is made, so that even a key named `__proto__` survives. */
export const JsonValue = z.custom<JsonValue>((value) => hasOnlyJsonKinds(value) && isWritable(value), {
  error: "expected a JSON value",
});
