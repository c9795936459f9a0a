import fc from "fast-check";
import { expect, test } from "vitest";
import { codeSpan, escapeText } from "../../../../src/cli/demo/report/markdown.ts";

test.each([
  ["a", "`a`"],
  ["a `b` c", "``a `b` c``"],
  ["`", "`` ` ``"],
  ["``a", "``` ``a ```"],
  ["", "(empty line)"],
  ["a\nb\tc", "`a b c`"],
])("%j is the code %s", (text, shown) => {
  expect(codeSpan(text)).toBe(shown);
});

test.each([
  ["a_b *c* `d`", "a\\_b \\*c\\* \\`d\\`"],
  ["<script>", "\\<script\\>"],
  ["[a](b)", "\\[a\\](b)"],
  ["a | b", "a \\| b"],
  ["&lt; ~~a~~ #1", "\\&lt; \\~\\~a\\~\\~ \\#1"],
])("%j means itself as %s", (text, shown) => {
  expect(escapeText(text)).toBe(shown);
});

test("characters that hide or turn text are shown as what they are not", () => {
  expect(codeSpan("a\u202Eb\u0000c\u200B")).toBe("`a\uFFFDb\uFFFDc\uFFFD`");
  expect(escapeText("a\u2066b")).toBe("a\uFFFDb");
});

/** The run of backticks at the start of a text. */
const fenceOf = (text: string): string => /^`+/.exec(text)?.[0] ?? "";

test("no text gets out of its code: the fence never occurs inside, and it stays one line", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom("`", "a", " ", "\n", "|", "é", "\u0007") }), (text) => {
      const span = codeSpan(text);
      expect(span).not.toMatch(/[\n\r]/);
      if (span === "(empty line)") return;
      const fence = fenceOf(span);
      const runs = (span.slice(fence.length, -fence.length).match(/`+/g) ?? []).map((run) => run.length);
      expect(span.endsWith(fence)).toBe(true);
      expect(runs).not.toContain(fence.length);
    }),
  );
});
