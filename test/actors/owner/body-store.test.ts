import fc from "fast-check";
import { expect, test } from "vitest";
import { BodyStore, canonicalJson } from "../../../src/actors/owner/body-store.ts";

/** The same value with the keys of every object in another order. */
function turned(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(turned);
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, inner]) => [key, turned(inner)]),
  );
}

test("canonical JSON says the same of a value however its keys are ordered", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(canonicalJson(turned(value))).toBe(canonicalJson(value));
    }),
  );
});

test("canonical JSON is JSON of the value", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});

test("a key named __proto__ is part of the digest", () => {
  const value: unknown = JSON.parse('{"b":1,"__proto__":{"a":2}}');
  expect(canonicalJson(value)).toBe('{"__proto__":{"a":2},"b":1}');
});

test("what nothing refers to is dropped once many bodies have come together, and the rest is kept", () => {
  const store = new BodyStore();
  const refs = Array.from({ length: 1_500 }, (_, index) => store.hold({ index }));
  const kept = new Set(refs.slice(0, 10).map(({ digest }) => digest));
  store.sweep(() => kept);
  expect(store.size).toBe(10);
  expect(store.get(refs[3]?.digest ?? "")).toEqual({ index: 3 });
});
