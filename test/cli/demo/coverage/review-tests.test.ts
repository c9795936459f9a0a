import { expect, test } from "vitest";
import { reviewTests } from "../../../../src/cli/demo/coverage/review-tests.ts";
import { projectOf } from "../../../support/project-of.ts";
import { shortly } from "../../../support/review-of.ts";

const CODE = "export function run() {}\n";
const MANIFEST = JSON.stringify({ name: "mine", exports: { ".": "./dist/index.js", "./b": "./dist/b.js" } });

/** What is said about a project, as `severity rule line path`. */
const saidOf = async (files: Record<string, string>): Promise<string[]> =>
  reviewTests(await projectOf(files)).findings.map((one) => `${shortly(one)} ${one.path}`);

const importing = (specifier: string, names = "run"): string =>
  `import { ${names} } from "${specifier}";\ntest("a", () => expect(${names}()).toBe(1));\n`;

test.each([
  ["by its path", { "src/a.ts": CODE, "test/a.test.ts": importing("../src/a.ts") }],
  ["with .js for .ts", { "src/a.ts": CODE, "test/a.test.ts": importing("../src/a.js") }],
  ["beside it", { "src/a.ts": CODE, "src/a.test.ts": importing("./a") }],
  [
    "through an index",
    {
      "src/a.ts": CODE,
      "src/index.ts": "export { run } from './a.ts';",
      "test/a.test.ts": importing("../src/index.ts"),
    },
  ],
  [
    "through export *",
    { "src/a.ts": CODE, "src/index.ts": "export * from './a.ts';", "test/a.test.ts": importing("../src") },
  ],
  [
    "under another name",
    {
      "src/a.ts": CODE,
      "src/index.ts": "export { run as go } from './a.ts';",
      "test/a.test.ts": importing("../src", "go") + "run;",
    },
  ],
  ["by the package's name", { "src/index.ts": CODE, "package.json": MANIFEST, "test/a.test.ts": importing("mine") }],
  [
    "by a subpath of the package",
    { "src/b.ts": CODE, "package.json": MANIFEST, "test/a.test.ts": importing("mine/b") },
  ],
  [
    "through a helper",
    {
      "src/a.ts": CODE,
      "test/help.ts": "export { run } from '../src/a.ts';",
      "test/a.test.ts": importing("./help.ts"),
    },
  ],
  [
    "by require",
    {
      "src/a.js": "exports.run = () => 1;",
      "test/a.test.js": "const { run } = require('../src/a'); test('a', () => { assert(run()); });",
    },
  ],
  [
    "by import()",
    {
      "src/a.ts": CODE,
      "test/a.test.ts":
        "test('a', async () => { const { run } = await import('../src/a.ts'); expect(run()).toBe(1); });",
    },
  ],
  [
    "as a program, by its path",
    {
      "src/a.ts": CODE,
      "test/a.test.ts": "test('a', () => { expect(spawnSync('node', ['src/a.ts', 'run'])).toBe(run); });",
    },
  ],
])("a module that a test imports %s is tested", async (_, files) => {
  const review = reviewTests(await projectOf(files));
  expect(review.findings).toEqual([]);
  expect([review.modules, review.tested]).toEqual([1, 1]);
  expect(review.hints).toEqual([]);
});

test("an index passes on only what the test takes from it", async () => {
  const files = {
    "src/a.ts": CODE,
    "src/b.ts": "export function other() {}\n",
    "src/index.ts": "export { run } from './a.ts'; export { other } from './b.ts';",
    "test/a.test.ts": importing("../src/index.ts"),
  };
  expect(await saidOf(files)).toEqual(["low untested-module 1 src/b.ts"]);
});

test("what only other modules lead to is told apart from what nothing leads to", async () => {
  const files = {
    "src/a.ts": "import { deep } from './deep.ts'; export function run() { return deep(); }\n",
    "src/deep.ts": "import { deeper } from './deeper.ts'; export function deep() { return deeper(); }\n",
    "src/deeper.ts": "export function deeper() {}\n",
    "src/alone.ts": "\nexport function alone() {}\n",
    "test/a.test.ts": importing("../src/a.ts"),
  };
  expect(await saidOf(files)).toEqual(["medium untested-module 2 src/alone.ts", "low untested-module 1 src/deeper.ts"]);
  const review = reviewTests(await projectOf(files));
  expect(review.findings[1]?.message).toContain("by way of src/deep.ts");
  expect([review.modules, review.tested]).toEqual([4, 1]);
  expect(review.hints.map(({ topic, path, line }) => [topic, path, line])).toEqual([
    ["untested", "src/alone.ts", 2],
    ["untested", "src/deep.ts", 1],
    ["untested", "src/deeper.ts", 1],
  ]);
});

test("a part of a tested module is tested with it, unless somebody says that it matters", async () => {
  const project = await projectOf({
    "src/a.ts": "import { part } from './part.ts'; export function run() { return part(); }\n",
    "src/part.ts": "export function part() {}\n",
    "test/a.test.ts": importing("../src/a.ts"),
  });
  const hints = [{ from: "Ann", topic: "hot_path", path: "src/part.ts", text: "runs for every request" } as const];
  expect(reviewTests(project).findings).toEqual([]);
  expect(reviewTests(project, { hints }).findings.map(shortly)).toEqual(["medium untested-module 1"]);
});

test("types, constants, settings and what only passes on need no test", async () => {
  const files = {
    "src/types.ts": "export interface A { b: string } export type C = A;",
    "src/limits.ts": "export const LIMIT = 3; export const NAMES = ['a'];",
    "src/index.ts": "export { run } from './a.ts';",
    "src/a.ts": CODE,
    "vite.config.ts": "export default defineConfig({});",
    "scripts/build.ts": CODE,
    "test/a.test.ts": importing("../src/a.ts"),
  };
  expect(await saidOf(files)).toEqual([]);
});

test("functions of a tested module that no test names are one finding", async () => {
  const files = {
    "src/a.ts": "export function run() {}\nexport function walk() {}\nexport const fly = () => 1;\n",
    "test/a.test.ts": importing("../src/a.ts"),
  };
  const { findings } = reviewTests(await projectOf(files));
  expect(findings.map((one) => [shortly(one), one.message])).toEqual([
    ["low untested-export 2", "Tests import this module, but none names walk, fly."],
  ]);
});

test("without any test there is one finding, and a hint for each module", async () => {
  const review = reviewTests(await projectOf({ "src/a.ts": CODE, "src/b.ts": CODE }));
  expect(review.findings.map(shortly)).toEqual(["medium no-tests 1"]);
  expect(review.hints).toHaveLength(2);
});

test("a project without anything to test needs no tests", async () => {
  expect(await saidOf({ "src/a.ts": "console.log(1);", "README.md": "# A" })).toEqual([]);
});

test("a test that does not parse can't run, and still shows what it is about", async () => {
  const files = { "src/a.ts": CODE, "test/a.test.ts": `import { run } from "../src/a.ts";\ntest("a", () => {` };
  expect(await saidOf(files)).toEqual(["high unparsable 2 test/a.test.ts"]);
});

test("an untested module that handles credentials is worse, and says who knows", async () => {
  const project = await projectOf({ "src/a.ts": CODE, "test/b.test.ts": "test('b', () => { expect(run).toBe(1); });" });
  const hints = [{ from: "Ann", topic: "auth", path: "src/a.ts", line: 12, text: "handles token" } as const];
  expect(reviewTests(project).findings.map(({ severity, related }) => [severity, related])).toEqual([
    ["medium", undefined],
  ]);
  expect(reviewTests(project, { hints }).findings.map(({ severity, related }) => [severity, related])).toEqual([
    ["high", "Ann: handles token at src/a.ts:12"],
  ]);
});
