import { join } from "node:path";
import { expect, test } from "vitest";
import { openProject } from "../../../src/cli/demo/project.ts";
import { readProject } from "../../../src/cli/demo/read-project.ts";
import { reviewAll } from "../../support/review-all.ts";

const FIXTURES = join(import.meta.dirname, "../../fixtures/demo");

const open = async (name: string) => {
  const { files, skipped } = await readProject(join(FIXTURES, name), { filesMax: 100, fileBytesMax: 100_000 });
  return openProject(files, { skipped });
};

const planted = await open("planted");
const clean = await open("clean");

const shortly = (tell: boolean): string[] =>
  reviewAll(planted, { tell }).findings.map(({ severity, rule, path, line }) => `${severity} ${rule} ${path}:${line}`);

test("every fault of the planted project is found at its line, and nothing else", () => {
  expect(shortly(false)).toEqual([
    "high hardcoded-secret config/app.yaml:3",
    "high hardcoded-secret src/auth.ts:4",
    "high weak-password-hash src/auth.ts:6",
    "high secret-logged src/auth.ts:9",
    "high insecure-random src/auth.ts:10",
    "high tls-unchecked src/db.ts:3",
    "high sql-injection src/db.ts:7",
    "high path-traversal src/server.ts:16",
    "high blocking-call src/server.ts:17",
    "high query-in-loop src/server.ts:23",
    "high dynamic-code src/server.ts:33",
    "high command-injection src/shell.cjs:3",
    "high command-injection src/shell.cjs:4",
    "high html-injection src/view.tsx:1",
    "high html-injection src/view.tsx:4",
    "high unsafe-deserialisation tools/job.py:7",
    "high command-injection tools/job.py:8",
    "high dynamic-code tools/job.py:9",
    "medium piped-installer scripts/install.sh:3",
    "medium untested-module src/auth.ts:8",
    "medium jwt-unverified src/auth.ts:14",
    "medium unparsable src/broken.ts:3",
    "medium untested-module src/report.ts:8",
    "medium json-clone src/report.ts:9",
    "medium copy-in-loop src/report.ts:12",
    "medium unbounded-cache src/report.ts:17",
    "medium slow-regexp src/report.ts:21",
    "medium timer-never-cleared src/report.ts:24",
    "medium cookie-readable src/server.ts:11",
    "medium open-redirect src/server.ts:12",
    "medium untested-module src/shell.cjs:3",
    "medium untested-module src/view.tsx:1",
    "medium test-without-assertion test/db.spec.ts:8",
    "low untested-export src/db.ts:10",
    "low quadratic-scan src/report.ts:11",
    "low untested-module src/server.ts:8",
    "low skipped-test test/db.spec.ts:12",
  ]);
});

test("the clean project has no finding, told or not", () => {
  expect(reviewAll(clean, { tell: false }).findings).toEqual([]);
  expect(reviewAll(clean, { tell: true }).findings).toEqual([]);
});

test("what the reviewers tell each other makes findings worse where it matters, and says why", () => {
  const untold = new Set(shortly(false));
  expect(shortly(true).filter((finding) => !untold.has(finding))).toEqual([
    "high untested-module src/auth.ts:8",
    "high jwt-unverified src/auth.ts:14",
    "high untested-module src/report.ts:8",
    "high cookie-readable src/server.ts:11",
    "high open-redirect src/server.ts:12",
    "medium untested-module src/server.ts:8",
  ]);
  const told = reviewAll(planted, { tell: true }).findings;
  const relatedTo = (rule: string, path: string) => told.find((one) => one.rule === rule && one.path === path)?.related;
  expect(relatedTo("untested-module", "src/auth.ts")).toBe(
    "PerfAnalyzer: runs for every request (POST /login at src/server.ts:10) at src/auth.ts:8; SecurityReviewer: handles jwtSecret at src/auth.ts:4; SecurityReviewer: has a secret written into it at src/auth.ts:4",
  );
  expect(relatedTo("slow-regexp", "src/report.ts")).toBe("TestReviewer: no test imports it at src/report.ts:8");
});

test("told nothing, no finding has a remark of another reviewer", () => {
  expect(reviewAll(planted, { tell: false }).findings.filter(({ related }) => related !== undefined)).toEqual([]);
});

test("the report is the same to the byte each time", async () => {
  await expect(reviewAll(planted, { tell: true }).markdown).toMatchFileSnapshot(join(FIXTURES, "planted-review.md"));
});

test("the order in which files come does not matter", async () => {
  const turned = await openProject(planted.files.toReversed());
  expect(reviewAll(turned, { tell: true }).markdown).toBe(reviewAll(planted, { tell: true }).markdown);
});

test("no secret of the project stands in the report", () => {
  const { markdown } = reviewAll(planted, { tell: true });
  expect(["k8-mQz!pL2", "s3cr3t!Val"].filter((secret) => markdown.includes(secret))).toEqual([]);
});

test("modules and tested ones are counted", () => {
  const { modules, tested } = reviewAll(planted, { tell: false }).tests;
  expect([modules, tested]).toEqual([6, 1]);
});

test("every finding points at a line of its file, and shows it", () => {
  const { findings } = reviewAll(planted, { tell: true });
  const texts = new Map(planted.files.map(({ path, text }) => [path, text.split("\n")]));
  const odd = findings.filter(({ path, line, evidence }) => {
    const shown = texts.get(path)?.[line - 1]?.trim() ?? "";
    return shown === "" || !(evidence.includes("***") || shown.startsWith(evidence.replace(/…$/, "")));
  });
  expect(odd).toEqual([]);
});
