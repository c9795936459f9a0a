import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { MAY_IMPORT } from "./checks/layers.ts";
import { ROOT } from "./checks/source-file.ts";

/** Lints files with this repository's settings and returns `path: rule` of every finding. */
function lint(files: Readonly<Record<string, string>>): readonly string[] {
  const dir = mkdtempSync(join(tmpdir(), "teamchart-lint-"));
  try {
    cpSync(join(ROOT, ".oxlintrc.json"), join(dir, ".oxlintrc.json"));
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(dir, path)), { recursive: true });
      writeFileSync(join(dir, path), text);
    }
    const oxlint = join(ROOT, "node_modules/oxlint/bin/oxlint");
    const { stdout } = spawnSync(process.execPath, [oxlint, "--type-aware", "--format=json"], {
      cwd: dir,
      encoding: "utf8",
    });
    const { diagnostics } = JSON.parse(stdout) as { diagnostics: { filename: string; code: string }[] };
    return diagnostics.map(({ filename, code }) => `${filename}: ${code}`).toSorted();
  } finally {
    rmSync(dir, { recursive: true });
  }
}

// How deep a file stands decides whether "../index.ts" is the index of the package or of its folder, and a lint rule
// sees the text only; the layer test judges the index.
const folders = Object.keys(MAY_IMPORT).filter((layer) => layer !== "index");
const pairs = folders.flatMap((from) => folders.map((to) => ({ from, to })));

test("the editor draws the same lines between the layers as the layer test", () => {
  const files = pairs.flatMap(({ from, to }) => [
    [`src/${from}/to-${to}.ts`, `export { a } from "../${to}/a.ts";\n`],
    [`src/${from}/deep/to-${to}.ts`, `export { a } from "../../${to}/a.ts";\n`],
  ]);
  const forbidden = pairs.filter(({ from, to }) => from !== to && !MAY_IMPORT[from]?.includes(to));
  const expected = forbidden.flatMap(({ from, to }) => [
    `src/${from}/deep/to-${to}.ts: eslint(no-restricted-imports)`,
    `src/${from}/to-${to}.ts: eslint(no-restricted-imports)`,
  ]);
  expect(lint(Object.fromEntries(files))).toEqual(expected.toSorted());
});

/** One planted fault each: the rule that must find it, the file, its text. */
const planted: readonly (readonly [rule: string, path: string, text: string])[] = [
  ["eslint(no-restricted-globals)", "src/machines/clock.ts", "export const at = Date.now();"],
  ["eslint(no-restricted-properties)", "src/machines/chance.ts", "export const at = Math.random();"],
  ["eslint(no-restricted-imports)", "src/protocol/node.ts", `export { sep } from "node:path";`],
  ["eslint(no-restricted-imports)", "src/actors/self.ts", `export { a } from "teamchart/protocol";`],
  ["eslint(no-restricted-imports)", "src/index.ts", `export { a } from "./testing/a.ts";`],
  ["eslint(no-console)", "src/actors/print.ts", "console.log(1);"],
  ["import(no-default-export)", "src/cli/default.ts", "export default 1;"],
  ["unicorn(filename-case)", "src/bus/badName.ts", "export const a = 1;"],
  ["typescript(no-non-null-assertion)", "src/bus/bang.ts", "export const a = (b?: string) => b!;"],
  ["typescript(no-explicit-any)", "src/bus/loose.ts", "export const a = (b: any) => String(b);"],
  ["typescript(no-explicit-any)", "test/bus/loose.test.ts", "export const a = (b: any) => String(b);"],
  [
    "typescript(no-floating-promises)",
    "src/bus/floating.ts",
    "export const a = (b: Promise<void>) => {\n  void b;\n};",
  ],
  [
    "typescript(no-floating-promises)",
    "test/bus/floating.test.ts",
    "export const a = (b: Promise<void>) => {\n  b;\n};",
  ],
  ["eslint(eqeqeq)", "src/bus/equal.ts", "export const a = (b: number) => b == 1;"],
  ["eslint(no-empty)", "src/bus/swallow.ts", "export const a = () => {\n  try {\n    a();\n  } catch {}\n};"],
  ["eslint(max-lines)", "src/bus/long.ts", `export const a = 1;${"\n".repeat(301)}`],
  ["eslint(max-lines-per-function)", "src/bus/deep.ts", `export const a = () => {${"\n".repeat(60)}};`],
  ["react(no-danger)", "src/cli/html.tsx", `export const A = () => <div dangerouslySetInnerHTML={{ __html: "" }} />;`],
  ["vitest(expect-expect)", "test/bus/empty.test.ts", `import { test } from "vitest";\n\ntest("a", () => {});`],
];

const findings = lint({
  "tsconfig.json": JSON.stringify({ compilerOptions: { strict: true, module: "nodenext", target: "es2024" } }),
  ...Object.fromEntries(planted.map(([, path, text]) => [path, `${text}\n`])),
});

test.each(planted)("lint finds %s in %s", (rule, path) => {
  expect(findings).toContain(`${path}: ${rule}`);
});

test("the command line may print, and a settings file may export its default", () => {
  expect(lint({ "src/cli/a.ts": "console.log(1);\n", "vite.config.ts": "export default {};\n" })).toEqual([]);
});
