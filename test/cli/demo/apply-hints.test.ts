import { expect, test } from "vitest";
import { applyHints } from "../../../src/cli/demo/apply-hints.ts";
import type { Finding } from "../../../src/cli/demo/finding.ts";
import type { Hint } from "../../../src/cli/demo/hint.ts";

const finding = (path: string, severity: Finding["severity"] = "low"): Finding => ({
  rule: "rule",
  severity,
  path,
  line: 3,
  message: "Bad.",
  evidence: "a",
});
const hint = (path: string, more: Partial<Hint> = {}): Hint => ({
  from: "Ann",
  topic: "auth",
  path,
  line: 7,
  text: "handles token",
  ...more,
});

test("without hints findings stay as they are", () => {
  expect(applyHints([finding("a.ts")], [], () => ({ auth: "raises" }))).toEqual([finding("a.ts")]);
});

test("a hint about another file, and one without an effect, changes nothing", () => {
  const hints = [hint("b.ts"), hint("a.ts", { topic: "secret" })];
  expect(applyHints([finding("a.ts")], hints, () => ({ auth: "raises" }))).toEqual([finding("a.ts")]);
});

test.each([
  ["low", "medium"],
  ["medium", "high"],
  ["high", "high"],
] as const)("hints that raise make %s %s, however many they are", (before, after) => {
  const hints = [hint("a.ts"), hint("a.ts", { topic: "hot_path", from: "Bob", text: "serves requests" })];
  const [judged] = applyHints([finding("a.ts", before)], hints, () => ({ auth: "raises", hot_path: "raises" }));
  expect(judged).toMatchObject({
    severity: after,
    related: "Ann: handles token at a.ts:7; Bob: serves requests at a.ts:7",
  });
});

test("a hint that only relates is quoted and raises nothing", () => {
  const [judged] = applyHints([finding("a.ts")], [hint("a.ts", { line: undefined })], () => ({ auth: "relates" }));
  expect(judged).toEqual({ ...finding("a.ts"), related: "Ann: handles token at a.ts" });
});

test("the first of a reviewer's hints on a topic speaks for the rest, in whatever order they came", () => {
  const hints = [hint("a.ts", { line: 9 }), hint("a.ts", { line: 2 }), hint("a.ts", { line: 5 })];
  const judge = (all: Hint[]) => applyHints([finding("a.ts")], all, () => ({ auth: "relates" }));
  expect(judge(hints)[0]?.related).toBe("Ann: handles token at a.ts:2");
  expect(judge(hints.toReversed())).toEqual(judge(hints));
});
