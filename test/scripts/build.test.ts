import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "../..");
let project: string;

beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), "teamchart-build-"));
  for (const path of [
    "package.json",
    "tsconfig.json",
    "tsconfig.build.json",
    "scripts/build.ts",
    "scripts/fingerprint.ts",
  ]) {
    cpSync(join(ROOT, path), join(project, path));
  }
  symlinkSync(join(ROOT, "node_modules"), join(project, "node_modules"));
  mkdirSync(join(project, "src"));
  write("src/index.ts", "export const one = 1;\n");
});
afterEach(() => rmSync(project, { recursive: true }));

const write = (path: string, text: string) => writeFileSync(join(project, path), text);
const has = (path: string) => existsSync(join(project, path));
const build = (...args: string[]) =>
  spawnSync(process.execPath, ["scripts/build.ts", ...args], { cwd: project }).status;

test("a missing dist is built, with the files that package.json promises for a source", () => {
  expect(build("--if-stale")).toBe(0);
  expect(["dist/index.js", "dist/index.d.ts", "dist/index.js.map"].filter(has)).toHaveLength(3);
});

test("a fresh dist is left alone, and a stale one is built anew without what has no source any more", () => {
  expect(build()).toBe(0);
  write("dist/leftover.js", "");
  expect(build("--if-stale")).toBe(0);
  expect(has("dist/leftover.js")).toBe(true);
  write("src/index.ts", "export const two = 2;\n");
  expect(build("--if-stale")).toBe(0);
  expect(has("dist/leftover.js")).toBe(false);
});

test("a build that fails says so, and is not taken for fresh afterwards", () => {
  write("src/index.ts", `export const one: number = "one";\n`);
  expect(build("--if-stale")).toBe(1);
  expect(build("--if-stale")).toBe(1);
});
