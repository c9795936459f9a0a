import { expect, test } from "vitest";
import type { ReviewedFinding } from "../../../../src/cli/demo/report/combine-findings.ts";
import { terminalSummary } from "../../../../src/cli/demo/report/terminal-summary.ts";

const finding = (line: number): ReviewedFinding => ({
  reviewer: "Ann",
  rule: "r",
  severity: "high",
  path: "src/a.ts",
  line,
  message: "A message that goes on for longer than a narrow terminal is wide",
  evidence: "x",
});
const findings = Array.from({ length: 20 }, (_, at) => finding(at));
const given = { findings, files: 3, report: "out/REVIEW.md", columns: null };

test("a terminal gets the five worst, each cut to its width, then the count and the report", () => {
  const lines = terminalSummary({ ...given, columns: 40 });
  expect(lines).toHaveLength(9);
  expect(lines.every((line) => line.length <= 40)).toBe(true);
  expect(lines.slice(5)).toEqual([
    "  high   src/a.ts:4  A message that goe…",
    "  and 15 more",
    "20 findings: 20 high, 0 medium, 0 low",
    "The report: out/REVIEW.md",
  ]);
});

test("a file gets fifteen, whole", () => {
  const lines = terminalSummary(given);
  expect(lines[15]).toMatch(/src\/a\.ts:14 {2}A message .* is wide$/);
  expect(lines[16]).toBe("  and 5 more");
});

test("a folder without files has nothing to review", () => {
  const lines = terminalSummary({ ...given, findings: [], files: 0 });
  expect(lines.join("\n")).toContain("Nothing to review");
  expect(lines.at(-1)).toBe("The report: out/REVIEW.md");
});
