import fc from "fast-check";
import { expect, test } from "vitest";
import { isExponential } from "../../../../src/cli/demo/performance/ambiguous-pattern.ts";

test.each([
  "^(a+)+$",
  "(a+)+b",
  "^(a*)*$",
  "^(a|a)*$",
  "^(\\w|\\d)+$",
  "^(\\w+\\s?)*$",
  "(x+x+)+y",
  "^(\\d{1,3})+$",
  "^(a{1,20})+$",
  "^(.*,)*$",
  "(?:\\s*\\w*)*;",
  "(?=(a+)+b)",
  "(\\r\\n|\\n|\\r)*x",
  "^(([a-z])+.)+[A-Z]([a-z])+$",
  "^(\\| ?:?-*:? ?)+\\|\\s?$",
  "^(?:[^()]+|\\([^)]*\\))*\\)",
])("%s can take exponential time", (source) => {
  expect(isExponential(source, "")).toBe(true);
});

test.each([
  "(a+)+",
  "^(a+b)+$",
  "^a*a*a*$",
  "^(a|b)*c",
  "^(?:a|ab)*$",
  "^\\s*(\\w+\\s*,\\s*)*\\w+$",
  "^[a-z]+(?:[-_.:/ ][a-z]+)+$",
  '"(?:[^"\\\\]|\\\\.)*"',
  "/\\*[^*]*\\*+(?:[^/*][^*]*\\*+)*/",
  "^(\\d{1,3}\\.){3}\\d{1,3}$",
  "^(\\d{1,2}){5,10}$",
  "^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\\.)+[a-z]{2,}$",
  "([^=]+=[^;]*;)*",
  "[\\s\\S]*?-->",
  "^(\\w+) \\1$",
  "",
])("%s can't", (source) => {
  expect(isExponential(source, "")).toBe(false);
});

test("flags count: what differs in case only is the same letter with i", () => {
  expect(isExponential("^(a|A)*$", "")).toBe(false);
  expect(isExponential("^(a|A)*$", "i")).toBe(true);
});

test("no text at all makes it throw or take long", () => {
  const part = fc.constantFrom(
    "a",
    "b",
    "(",
    ")",
    "[",
    "]",
    "*",
    "+",
    "?",
    "{2,}",
    "{1,30}",
    "|",
    "\\w",
    "\\",
    ".",
    "^",
    "$",
    "(?=",
    "-",
    "\\1",
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: "binary" }),
        fc.array(part, { maxLength: 60 }).map((all) => all.join("")),
      ),
      (source) => {
        expect([true, false]).toContain(isExponential(source, "u"));
      },
    ),
    { numRuns: 500 },
  );
});
