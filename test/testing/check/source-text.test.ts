import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { expect, test } from "vitest";
import { functionText, literalText } from "../../../src/testing/check/source-text.ts";

const key = "computed";
const methods = {
  plain(n: number) {
    return n + 1;
  },
  'in "quotes"\n'(n: number) {
    return n + 1;
  },
  [key](n: number) {
    return n + 1;
  },
  "with a ]"(n: number) {
    return n + 1;
  },
  1(n: number) {
    return n + 1;
  },
  function(n: number) {
    return n + 1;
  },
  größe(n: number) {
    return n + 1;
  },
  arrow: (n: number) => n + 1,
  bare: function named(n: number) {
    return n + 1;
  },
};

test.each(Object.entries(methods))("a function is an expression again, however it was written: %j", (_name, method) => {
  const text = functionText(method);
  expect(runInNewContext(`(${text})(1)`)).toBe(2);
});

test("a bound function has no text", () => {
  expect(functionText(methods.plain.bind(null))).toBeNull();
  expect(functionText(Math.max)).toBeNull();
});

test("data is the same again, whatever its keys", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const read: unknown = runInNewContext(`(${literalText(value)})`);
      // Another context has other prototypes.
      expect(JSON.stringify(read)).toBe(JSON.stringify(value));
    }),
  );
  expect(literalText({ ["__proto__"]: Infinity, left: undefined })).toBe('{["__proto__"]:Infinity}');
});
