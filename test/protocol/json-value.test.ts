import fc from "fast-check";
import { expect, test } from "vitest";
import { JsonValue } from "../../src/protocol/json-value.ts";

test("every value that JSON can say is accepted and kept as it came", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      // JSON has one zero.
      const json: unknown = JSON.parse(JSON.stringify(value));
      expect(JsonValue.parse(json)).toBe(json);
    }),
  );
});

test("a key named __proto__ survives", () => {
  const parsed = JsonValue.parse(JSON.parse('{"__proto__": {"a": 1}}'));
  expect(JSON.stringify(parsed)).toBe('{"__proto__":{"a":1}}');
});

test.each([
  ["undefined", undefined],
  ["a function", () => 1],
  ["NaN", { a: NaN }],
  ["a bigint", [1n]],
  ["a symbol", Symbol("s")],
  ["a date", { at: new Date(0) }],
  ["a Map", new Map()],
  ["a hidden undefined", { a: [{ b: undefined }] }],
])("%s is refused", (_name, value) => {
  expect(JsonValue.safeParse(value).success).toBe(false);
});

test("a circle is refused", () => {
  const circle: unknown[] = [];
  circle.push({ circle });
  expect(JsonValue.safeParse(circle).success).toBe(false);
});

test("one object that is used twice is no circle", () => {
  const shared = { a: 1 };
  expect(JsonValue.safeParse([shared, shared]).success).toBe(true);
});

test("a nesting too deep to be written is refused without an overflow", () => {
  let deep: unknown = 1;
  for (let depth = 0; depth < 200_000; depth += 1) deep = [deep];
  expect(JsonValue.safeParse(deep).success).toBe(false);
});
