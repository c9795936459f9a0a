import fc from "fast-check";
import { expect, test } from "vitest";
import { z } from "zod";
import { mapOf } from "../../src/protocol/map-of.ts";

const Numbers = mapOf(z.number());

test("any mapping read from JSON keeps every key, __proto__ and constructor included", () => {
  const keys = fc.oneof(fc.string(), fc.constantFrom("__proto__", "constructor", "toString", "0"));
  fc.assert(
    fc.property(fc.uniqueArray(fc.tuple(keys, fc.integer()), { selector: ([key]) => key }), (entries) => {
      const object: unknown = JSON.parse(JSON.stringify(Object.fromEntries(entries)));
      expect(Numbers.parse(object)).toEqual(new Map(entries));
    }),
  );
});

test("a Map is read as it is, and what was read can be read again", () => {
  const map = new Map([["__proto__", 1]]);
  expect(Numbers.parse(Numbers.parse(map))).toEqual(map);
});

test("an object without a prototype is a mapping", () => {
  expect(Numbers.parse(Object.assign(Object.create(null), { a: 1 }))).toEqual(new Map([["a", 1]]));
});

test.each([[[]], [null], ["text"], [1], [new Date(0)], [undefined]])("%j is no mapping", (value) => {
  expect(Numbers.safeParse(value).error?.issues).toMatchObject([{ path: [], message: "expected a mapping of names" }]);
});

test("the path of a fault starts with the key", () => {
  const parsed = mapOf(z.strictObject({ n: z.number() })).safeParse(JSON.parse('{"__proto__": {"n": "x"}}'));
  expect(parsed.error?.issues).toMatchObject([{ path: ["__proto__", "n"] }]);
});
