import fc from "fast-check";
import { expect, test } from "vitest";
import { scrub } from "../../../../src/cli/demo/lines/scrub.ts";
import type { Language } from "../../../../src/cli/demo/source-file.ts";

const bare = (text: string, language: Language) => scrub(text, language).map((line) => line.bare.trimEnd());
const code = (text: string, language: Language) => scrub(text, language).map((line) => line.code.trimEnd());

test.each<[string, Language, string[], string[]]>([
  ["a # b", "python", ["a"], ["a"]],
  ['a "# b" c', "python", ['a "   " c'], ['a "# b" c']],
  ["a '\\'' # b", "python", ["a '  '"], ["a '\\''"]],
  ['"""x\ny # z\n"""\na', "python", ['"""', "", '"""', "a"], ['"""x', "y # z", '"""', "a"]],
  ["a 'open\nb", "python", ["a '", "b"], ["a 'open", "b"]],
  ["a // b\n/* c\nd */ e", "go", ["a", "", "     e"], ["a", "", "     e"]],
  ["`a\n// b`", "go", ["`", "    `"], ["`a", "// b`"]],
  ["fn a<'b>(c: &'b str) // d", "rust", ["fn a<'b>(c: &'b str)"], ["fn a<'b>(c: &'b str)"]],
  ["echo $# a#b # c", "shell", ["echo $# a#b"], ["echo $# a#b"]],
  ["a: b#c # d", "yaml", ["a: b#c"], ["a: b#c"]],
  ["select 'it''s' -- x", "sql", ["select '  '' '"], ["select 'it''s'"]],
  ["RUN a # b\n# c", "docker", ["RUN a # b", ""], ["RUN a # b", ""]],
  ["a # b", "markdown", ["a # b"], ["a # b"]],
])("%j in %s", (text, language, expectedBare, expectedCode) => {
  expect(bare(text, language)).toEqual(expectedBare);
  expect(code(text, language)).toEqual(expectedCode);
});

test("every view of a line is as long as the line, whatever is in it", () => {
  const unit = fc.constantFrom("a", " ", "'", '"', "`", "\\", "#", "/", "*", "-", "\n", "é");
  fc.assert(
    fc.property(
      fc.string({ unit }),
      fc.constantFrom<Language>("python", "go", "shell", "sql", "php", "rust"),
      (text, language) => {
        const lines = scrub(text, language);
        expect(lines.map((line) => line.text).join("\n")).toBe(text);
        expect(
          lines.every((line) => line.code.length === line.text.length && line.bare.length === line.text.length),
        ).toBe(true);
      },
    ),
  );
});
