import fc from "fast-check";
import { expect, test } from "vitest";
import { printable, printableLines } from "../../src/cli/printable.ts";

/** Whatever a terminal may obey. */
const commanding = /[\p{Cc}\p{Zl}\p{Zp}]|(?![\u200c\u200d])\p{Cf}/u;
/** Texts with many commands in them. */
const hostile = fc.string({
  unit: fc.oneof(
    fc.constantFrom("\u001B[31m", "\u009B2J", "\u202E", "\r", "\n", "\u0007", "\u007F", "\u2028", "\uD800", "\u200D"),
    fc.string({ minLength: 1, maxLength: 1, unit: "binary" }),
  ),
});

test("nothing that a terminal may obey comes through, whatever the text", () => {
  fc.assert(
    fc.property(hostile, (text) => {
      expect(printable(text)).not.toMatch(commanding);
      for (const line of printableLines(text).split("\n")) expect(line).not.toMatch(commanding);
    }),
  );
});

test("no more characters come through than allowed", () => {
  fc.assert(
    fc.property(hostile, fc.nat(40), (text, charactersMax) => {
      expect([...printable(text, { charactersMax })].length).toBeLessThanOrEqual(Math.max(1, charactersMax));
    }),
  );
});

test.each([
  ["plain words", "plain words"],
  ["项目管理 é 😀 👨‍👩‍👧", "项目管理 é 😀 👨‍👩‍👧"],
  ["two\nlines\tand  blanks ", "two lines and blanks"],
  ["\u001B[31mred\u001B[0m", "\\u{1b}[31mred\\u{1b}[0m"],
  ["abc\u202Ecba", "abc\\u{202e}cba"],
])("%j is shown as %j", (text, shown) => {
  expect(printable(text)).toBe(shown);
});

test("a text that is cut says so, and one that fits is whole", () => {
  expect(printable("abcdef", { charactersMax: 4 })).toBe("abc…");
  expect(printable("abcd", { charactersMax: 4 })).toBe("abcd");
  expect(printable("x".repeat(1_000_000), { charactersMax: 3 })).toBe("xx…");
});

test("lines stay lines", () => {
  expect(printableLines("a\r\n\tb  \u0007\nc")).toBe("a\n  b  \\u{7}\nc");
});
