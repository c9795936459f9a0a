import fc from "fast-check";
import { expect, test } from "vitest";
import { jsonLine } from "../../src/cli/json-line.ts";

test("a line says the same as its value, ends once and holds nothing that a terminal obeys", () => {
  const units = fc.constantFrom("\u001B[2J", "\u009B31m", "\u007F", "\u2028", "\u202E", "a", '"', "\\", "\n", "中");
  fc.assert(
    fc.property(fc.jsonValue(), fc.string({ unit: units }), (value, text) => {
      const line = jsonLine({ value, text });
      expect(JSON.parse(line)).toEqual(JSON.parse(JSON.stringify({ value, text })));
      expect(line.slice(0, -1)).not.toMatch(/[\p{Cc}\u2028-\u202E]/u);
      expect(line.at(-1)).toBe("\n");
    }),
  );
});
