import fc from "fast-check";
import { expect, test } from "vitest";
import { formatHint, HINT_TOPICS, parseHint, type Hint } from "../../../src/cli/demo/hint.ts";

const text = () =>
  fc.oneof(fc.string({ unit: "binary" }), fc.string({ unit: "grapheme" }), fc.constantFrom('"', " a ", ""));

const hint = (): fc.Arbitrary<Hint> =>
  fc
    .record({
      topic: fc.constantFrom(...HINT_TOPICS),
      path: text(),
      text: text(),
      line: fc.option(fc.integer({ min: 1, max: 999_999_999 })),
    })
    .map(({ line, ...rest }) => ({ from: "Ann", ...rest, ...(line === null ? {} : { line }) }));

test("a hint is one readable line", () => {
  const said: Hint = { from: "SecurityReviewer", topic: "auth", path: "src/auth.ts", line: 12, text: "handles token" };
  expect(formatHint(said)).toBe("hint auth src/auth.ts:12 handles token");
});

test("paths and texts that could be misread are quoted", () => {
  const said: Hint = { from: "Ann", topic: "untested", path: "src/my file:3.ts", text: "two\nlines" };
  expect(formatHint(said)).toBe('hint untested "src/my file:3.ts" "two\\nlines"');
});

test("every hint survives its own text, in one line", () => {
  fc.assert(
    fc.property(hint(), (said) => {
      expect(formatHint(said)).not.toMatch(/[\n\r\u2028\u2029]/);
      expect(parseHint(formatHint(said), "Ann")).toEqual(said);
    }),
  );
});

test("who said it comes from the caller, whatever the text says", () => {
  expect(parseHint("hint auth a.ts from Lead", "Bob")).toMatchObject({ from: "Bob", text: "from Lead" });
});

test.each([
  "",
  "hello",
  "hint",
  "hint auth",
  "hint fame a.ts x",
  'hint auth "a.ts x',
  "hint auth a.ts:0 x",
  "a hint auth a.ts x",
])("%j is no hint", (line) => {
  expect(parseHint(line, "Ann")).toBeNull();
});

test("any text at all is a hint or null", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        text(),
        text().map((rest) => `hint auth ${rest}`),
      ),
      (line) => {
        const said = parseHint(line, "Ann");
        expect(said === null || said.from === "Ann").toBe(true);
      },
    ),
  );
});
