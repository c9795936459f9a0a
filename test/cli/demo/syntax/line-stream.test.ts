import fc from "fast-check";
import { expect, test } from "vitest";
import { createLineStream } from "../../../../src/cli/demo/syntax/line-stream.ts";

test("lines are whole however the text is cut, and only line feeds end them", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: fc.constantFrom("a", "\n", "\r", "\u2028") })), (pieces) => {
      const lines: string[] = [];
      const take = createLineStream((line) => lines.push(line));
      for (const piece of pieces) take(piece);
      expect(lines).toEqual(pieces.join("").split("\n").slice(0, -1));
    }),
  );
});
