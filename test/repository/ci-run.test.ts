import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ROOT } from "./checks/source-file.ts";

let checkout: string;

beforeEach(() => {
  checkout = mkdtempSync(join(tmpdir(), "teamchart-ci-"));
  for (const path of [".ci/run", "scripts/test-summary.mjs"]) cpSync(join(ROOT, path), join(checkout, path));
});
afterEach(() => rmSync(checkout, { recursive: true }));

const report = (passed: number, failed: number) => ({
  numPassedTests: passed,
  numFailedTests: failed,
  testResults: [],
});

/** An environment whose npm answers each command by a line of shell; whatever it isn't told succeeds. */
function withNpm(commands: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const bin = join(checkout, "bin");
  mkdirSync(bin);
  const cases = Object.entries(commands).map(([command, shell]) => `  "${command}") ${shell} ;;`);
  writeFileSync(join(bin, "npm"), ["#!/bin/sh", "echo ran npm $*", `case "$*" in`, ...cases, "esac", ""].join("\n"));
  chmodSync(join(bin, "npm"), 0o755);
  return { ...process.env, PATH: [bin, dirname(process.execPath), process.env.PATH].join(delimiter) };
}

/** Runs .ci/run to its end, with somebody who types. */
function ci(commands: Readonly<Record<string, string>>) {
  const options = { cwd: checkout, encoding: "utf8", env: withNpm(commands), input: "yes\n" } as const;
  const { status, stdout } = spawnSync("bash", [".ci/run"], options);
  const lines = stdout.trimEnd().split("\n");
  return { status, last: lines.at(-1), ran: lines.filter((line) => line.startsWith("ran ")), stdout };
}

const writes = (content: object) => `echo '${JSON.stringify(content)}' > .vitest-results.json`;

test("a clean checkout is set up, tested and verified, and the last line counts the tests", () => {
  const { status, last, ran } = ci({ test: writes(report(12, 0)) });
  expect({ status, last }).toEqual({ status: 0, last: "12 passed, 0 failed" });
  expect(ran).toEqual(["ran npm ci", "ran npm test", "ran npm run verify"]);
});

test("a failed test fails the run, which verifies all the same", () => {
  const { status, last, ran } = ci({ test: `${writes(report(11, 1))}; exit 1` });
  expect({ status, last }).toEqual({ status: 1, last: "11 passed, 1 failed" });
  expect(ran).toContain("ran npm run verify");
});

test("a failed test of the report fails the run even when npm test does not", () => {
  expect(ci({ test: writes(report(11, 1)) })).toMatchObject({ status: 1, last: "11 passed, 1 failed" });
});

test("an npm test that fails beside its tests fails the run", () => {
  expect(ci({ test: `${writes(report(12, 0))}; exit 1` })).toMatchObject({ status: 1, last: "12 passed, 0 failed" });
});

test("a file of tests that could not be loaded counts as failed", () => {
  const broken = { ...report(3, 0), testResults: [{ status: "failed", assertionResults: [] }] };
  expect(ci({ test: writes(broken) })).toMatchObject({ status: 1, last: "3 passed, 1 failed" });
});

test("a failed verify fails the run and is named", () => {
  const { status, last, stdout } = ci({ test: writes(report(12, 0)), "run verify": "exit 3" });
  expect({ status, last }).toEqual({ status: 1, last: "12 passed, 0 failed" });
  expect(stdout).toContain("Failed: npm run verify (exit 3)\n");
});

test("a run without a test fails", () => {
  expect(ci({ test: writes(report(0, 0)) })).toMatchObject({ status: 1, last: "0 passed, 0 failed" });
});

test("a missing report fails the run, and the report of an earlier run does not count", () => {
  writeFileSync(join(checkout, ".vitest-results.json"), JSON.stringify(report(12, 0)));
  expect(ci({})).toMatchObject({ status: 1, last: "0 passed, 0 failed" });
});

test("a broken report fails the run", () => {
  expect(ci({ test: "echo '{' > .vitest-results.json" })).toMatchObject({ status: 1, last: "0 passed, 0 failed" });
});

test("a failed npm ci ends the run at once", () => {
  const { status, last, ran } = ci({ ci: "exit 1" });
  expect({ status, last, ran }).toEqual({ status: 1, last: "0 passed, 0 failed", ran: ["ran npm ci"] });
});

test("nothing waits for somebody to type", () => {
  expect(ci({ test: `read -r line && exit 1; ${writes(report(1, 0))}` })).toMatchObject({ status: 0 });
});

// A crowded machine takes its time to start half a dozen processes; the step itself would take longer than all of it.
test("a run that is told to stop ends its step and still counts", { timeout: 120_000 }, async () => {
  const child = spawn("bash", [".ci/run"], { cwd: checkout, env: withNpm({ test: "exec sleep 600" }) });
  let stdout = "";
  let isTold = false;
  child.stdout.on("data", (chunk: Buffer) => {
    stdout += chunk.toString();
    // The line comes in any pieces, and more may follow it.
    if (isTold || !stdout.includes("ran npm test\n")) return;
    isTold = child.kill("SIGTERM");
  });
  // The output ends when nobody holds it any more: neither the run nor its step.
  await once(child, "close");
  expect(child.exitCode).toBe(143);
  expect(stdout).toMatch(/\n0 passed, 0 failed\n$/);
});
