import { mkdirSync, mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { fingerprint } from "../../scripts/fingerprint.ts";

let root: string;
let before: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "teamchart-fingerprint-"));
  mkdirSync(join(root, "src/bus"), { recursive: true });
  writeFileSync(join(root, "src/index.ts"), "export {};");
  writeFileSync(join(root, "src/bus/memory.ts"), "// memory");
  writeFileSync(join(root, "tsconfig.json"), "{}");
  before = fingerprint(root);
});
afterEach(() => rmSync(root, { recursive: true }));

test.each<[string, () => void]>([
  ["a changed source", () => writeFileSync(join(root, "src/bus/memory.ts"), "// memorY")],
  ["a new source", () => writeFileSync(join(root, "src/bus/sqlite.ts"), "")],
  ["a deleted source", () => rmSync(join(root, "src/bus/memory.ts"))],
  ["a renamed source", () => renameSync(join(root, "src/bus/memory.ts"), join(root, "src/bus/ram.ts"))],
  ["a changed setting of the compiler", () => writeFileSync(join(root, "tsconfig.json"), "{ }")],
])("%s changes the fingerprint", (_, change) => {
  change();
  expect(fingerprint(root)).not.toBe(before);
});

test.each<[string, () => void]>([
  ["the time of a source", () => utimesSync(join(root, "src/index.ts"), new Date(0), new Date(0))],
  ["a file beside the sources", () => writeFileSync(join(root, "README.md"), "# Hello")],
])("%s does not change the fingerprint", (_, change) => {
  change();
  expect(fingerprint(root)).toBe(before);
});
