import { expect, test } from "vitest";
import type { Finding } from "../../../../src/cli/demo/finding.ts";
import { combineFindings, countFindings } from "../../../../src/cli/demo/report/combine-findings.ts";

const finding = (severity: Finding["severity"], path: string, line = 1, more: Partial<Finding> = {}): Finding => ({
  rule: "rule",
  severity,
  path,
  line,
  message: "Bad.",
  evidence: "a",
  ...more,
});

test("findings come worst first, then by path and line, with who found them", () => {
  const combined = combineFindings([
    { name: "Ann", findings: [finding("low", "a.ts"), finding("high", "b.ts", 9)] },
    { name: "Bob", findings: [finding("high", "b.ts", 10), finding("high", "a.ts"), finding("medium", "B.ts")] },
  ]);
  expect(combined.map(({ severity, path, line, reviewer }) => `${severity} ${path}:${line} ${reviewer}`)).toEqual([
    "high a.ts:1 Bob",
    "high b.ts:9 Ann",
    "high b.ts:10 Bob",
    "medium B.ts:1 Bob",
    "low a.ts:1 Ann",
  ]);
});

test("the order of reviewers and of their findings does not matter", () => {
  const ann = { name: "Ann", findings: [finding("low", "a.ts"), finding("low", "b.ts")] };
  const bob = { name: "Bob", findings: [finding("low", "a.ts")] };
  const turned = combineFindings([bob, { ...ann, findings: ann.findings.toReversed() }]);
  expect(turned).toEqual(combineFindings([ann, bob]));
});

test("a finding that was delivered twice is kept once, as the worse", () => {
  const again = finding("high", "a.ts", 1, { related: "Bob: knows" });
  expect(combineFindings([{ name: "Ann", findings: [finding("low", "a.ts"), again, finding("low", "a.ts")] }])).toEqual(
    [{ ...again, reviewer: "Ann" }],
  );
});

test("findings are counted by severity", () => {
  expect(countFindings([finding("low", "a"), finding("high", "a"), finding("low", "b")])).toEqual({
    high: 1,
    medium: 0,
    low: 2,
  });
});
