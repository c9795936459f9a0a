import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { importsOf } from "../repository/checks/imports.ts";

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
    "scripts/live-view.config.ts",
    "scripts/inspector.config.ts",
  ]) {
    cpSync(join(ROOT, path), join(project, path));
  }
  symlinkSync(join(ROOT, "node_modules"), join(project, "node_modules"));
  mkdirSync(join(project, "src/cli/live-view"), { recursive: true });
  mkdirSync(join(project, "apps/inspector"), { recursive: true });
  write("apps/inspector/index.html", `<!doctype html><script type="module" src="./main.tsx"></script>\n`);
  write("apps/inspector/main.tsx", `document.title = "page";\n`);
  write("src/index.ts", "export const one = 1;\n");
  write(
    "src/cli/live-view/start-live.tsx",
    `import { Text, render } from "ink";\nexport const startLive = () => render(<Text>hello</Text>);\n`,
  );
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

test("the live view is one file that needs no package, and nothing else of it is built", () => {
  expect(build()).toBe(0);
  const text = readFileSync(join(project, "dist/cli/live-view.js"), "utf8");
  const names = importsOf({ path: "live-view.js", text }).map(({ specifier }) => specifier ?? "");
  expect(names.filter((name) => !name.startsWith("node:"))).toEqual([]);
  expect(readdirSync(join(project, "dist/cli"))).toEqual(["live-view.js"]);
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
