import fc from "fast-check";
import { expect, test } from "vitest";
import { renderReview, type ReviewReport } from "../../../../src/cli/demo/report/render-review.ts";
import type { ReviewedFinding } from "../../../../src/cli/demo/report/combine-findings.ts";
import { projectOf } from "../../../support/project-of.ts";

const finding: ReviewedFinding = {
  rule: "hardcoded-secret",
  severity: "high",
  path: "src/a b.ts",
  line: 12,
  message: "x_y is written *here*.",
  evidence: "const a = `***`; // | </code>",
  related: "Bob: knows <it>",
  reviewer: "Ann",
};

const report = async (more: Partial<ReviewReport> = {}): Promise<ReviewReport> => ({
  title: "shop",
  project: await projectOf({ "src/a b.ts": "a;" }),
  findings: [finding],
  stats: { modules: 3, tested: 1 },
  hints: [],
  reviewers: [{ name: "Ann" }, { name: "Bob" }],
  ...more,
});

test("a finding stands with its place, its line of code and what others know, and nothing of it is Markdown", async () => {
  expect(renderReview(await report())).toContain(
    [
      "## High (1)",
      "",
      "- `src/a b.ts:12` x\\_y is written \\*here\\*. (hardcoded-secret, Ann)",
      "  - ``const a = `***`; // | </code>``",
      "  - Related: Bob: knows \\<it\\>",
    ].join("\n"),
  );
});

test("the table counts by reviewer and severity", async () => {
  const findings = [finding, { ...finding, severity: "low", reviewer: "Bob" } as const, { ...finding, line: 13 }];
  const text = renderReview(await report({ findings }));
  expect(text).toContain(
    [
      "| Reviewer | High | Medium | Low | All |",
      "| --- | ---: | ---: | ---: | ---: |",
      "| Ann | 2 | 0 | 0 | 2 |",
      "| Bob | 0 | 0 | 1 | 1 |",
      "| **All** | 2 | 0 | 1 | 3 |",
    ].join("\n"),
  );
  expect(text).toContain("Tests import 1 of 3 modules that export something to test.");
});

test("a reviewer that did not deliver is named with the reason", async () => {
  const reviewers = [{ name: "Ann" }, { name: "Bob", failure: "timeout | late" }];
  const text = renderReview(await report({ reviewers, stats: null }));
  expect(text).toContain("| Bob: did not deliver (timeout \\| late) | - | - | - | - |");
  expect(text).toContain("Tests were not reviewed.");
});

test("without findings it says what was read, and that no model read it", async () => {
  const text = renderReview(await report({ findings: [] }));
  expect(text).not.toContain("## High");
  expect(text).toContain("1 file read: 1 parsed, 0 looked at line by line, 0 not analysed. 0 files skipped.");
  expect(text).toContain("No language model has read this code.");
});

test("what was skipped, unparsable, looked at line by line or not at all is listed", async () => {
  const project = await projectOf({ "a.ts": "const = ;", "b.py": "a", "x.d.ts": "export type A = 1;" });
  const skipped = Array.from({ length: 23 }, (_, i) => ({
    path: `big${String(i).padStart(2, "0")}.ts`,
    reason: "too large",
  }));
  const text = renderReview(await report({ project: { ...project, skipped } }));
  expect(text).toContain("## Could not be parsed (1)\n\n- `a.ts:1` Unexpected token\n");
  expect(text).toContain("- too large (23): `big00.ts`, ");
  expect(text).toContain("`big19.ts` and 3 more\n");
  expect(text).toContain("- type declarations only (1): `x.d.ts`\n");
  expect(text).toContain("secrets and a few dangerous calls: python (1): `b.py`\n");
});

test("what the reviewers told each other is counted by topic", async () => {
  const hint = { from: "Ann", topic: "hot_path", path: "a.ts", text: "x" } as const;
  const text = renderReview(await report({ hints: [hint, hint, { ...hint, topic: "auth" }] }));
  expect(text).toContain("## What the reviewers told each other\n\n- Ann: 1 auth, 2 hot path\n");
});

test("no path, message or evidence adds a line, a heading or a table to the report", async () => {
  const base = await report();
  const lines = renderReview(base).split("\n");
  fc.assert(
    fc.property(
      fc.string({ unit: "binary" }),
      fc.string({ unit: "binary" }),
      fc.string({ unit: "binary" }),
      (path, message, evidence) => {
        const odd = renderReview({
          ...base,
          findings: [{ ...finding, path, message, evidence, related: message }],
        }).split("\n");
        expect(odd).toHaveLength(lines.length);
        expect(odd.filter((line) => /^(#|\|)/.test(line))).toEqual(lines.filter((line) => /^(#|\|)/.test(line)));
      },
    ),
  );
});
