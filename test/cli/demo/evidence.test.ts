import fc from "fast-check";
import { expect, test } from "vitest";
import { EVIDENCE_LENGTH_MAX, evidenceOf, oneLine } from "../../../src/cli/demo/evidence.ts";

test("evidence is trimmed, on one line, and without what can't be seen", () => {
  expect(evidenceOf("  a\t\u0000b\u202E  ", [])).toBe("a \uFFFDb\uFFFD");
});

test("evidence is at most 160 characters, cut between letters", () => {
  expect(evidenceOf("x".repeat(160), [])).toBe("x".repeat(160));
  expect(evidenceOf("x".repeat(161), [])).toBe(`${"x".repeat(159)}…`);
  expect(oneLine("ab😀", 3)).toBe("ab…");
});

test("evidence never exceeds its limit, whatever the line", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 400 }), (line) => {
      const evidence = evidenceOf(line, []);
      expect(evidence.length).toBeLessThanOrEqual(EVIDENCE_LENGTH_MAX);
      expect(evidence.isWellFormed()).toBe(true);
    }),
  );
});
