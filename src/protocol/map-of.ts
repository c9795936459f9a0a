import { z } from "zod";

const isPlainObject = (value: unknown): value is Readonly<Record<string, unknown>> => {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
};

/**
 * A schema for a mapping whose keys are users' names: a plain object's own entries, or a Map, read into a Map.
 *
 * An object is no safe home for such keys (`z.record` drops the name `__proto__`), a Map keeps every one. Each value is
 * parsed by `valueSchema`; a fault's path starts with its key.
 */
export const mapOf = <Value extends z.ZodType>(valueSchema: Value): z.ZodType<Map<string, z.output<Value>>> =>
  z.preprocess(
    (value) => (isPlainObject(value) ? new Map(Object.entries(value)) : value),
    z.map(z.string(), valueSchema, { error: "expected a mapping of names" }),
  );
