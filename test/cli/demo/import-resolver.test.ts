import { expect, test } from "vitest";
import { createImportResolver } from "../../../src/cli/demo/import-resolver.ts";
import { fileOf } from "../../support/project-of.ts";

const resolver = (paths: readonly string[], texts: Readonly<Record<string, unknown>> = {}) =>
  createImportResolver([
    ...paths.map((path) => fileOf(path, "")),
    ...Object.entries(texts).map(([path, value]) =>
      fileOf(path, typeof value === "string" ? value : JSON.stringify(value)),
    ),
  ]);

test.each([
  ["./a.ts", "src/a.ts"],
  ["./a.js", "src/a.ts"],
  ["./a", "src/a.ts"],
  ["./c.js", "src/c.tsx"],
  ["./m.mjs", "src/m.mts"],
  ["./d", "src/d/index.ts"],
  ["./d/", "src/d/index.ts"],
  ["..", "index.ts"],
  ["./a.ts?raw", "src/a.ts"],
  ["./gone", null],
  ["left-pad", null],
  ["node:fs", null],
])("%s in src/x.ts is %s", (specifier, expected) => {
  const paths = ["index.ts", "src/a.ts", "src/c.tsx", "src/m.mts", "src/d/index.ts"];
  expect(resolver(paths)(specifier, "src/x.ts")).toBe(expected);
});

const manifest = {
  name: "mine",
  exports: {
    ".": { source: "./src/index.ts", default: "./dist/index.js" },
    "./tools": { types: "./dist/tools/index.d.ts", default: "./dist/tools/index.js" },
    "./rules/*": "./dist/rules/*.js",
  },
  imports: { "#inner/*": "./src/inner/*.ts" },
};

test.each([
  ["mine", "src/index.ts"],
  ["mine/tools", "src/tools/index.ts"],
  ["mine/rules/a", "src/rules/a.ts"],
  ["mine/other", null],
  ["mineral", null],
  ["#inner/a", "src/inner/a.ts"],
])("a package finds itself by its name: %s is %s", (specifier, expected) => {
  const paths = ["src/index.ts", "src/tools/index.ts", "src/rules/a.ts", "src/inner/a.ts"];
  expect(resolver(paths, { "package.json": manifest })(specifier, "test/a.test.ts")).toBe(expected);
});

test("packages of one repository find each other", () => {
  const resolve = resolver(["packages/a/src/index.ts", "packages/b/lib/deep.ts"], {
    "packages/a/package.json": { name: "@x/a", main: "dist/index.js" },
    "packages/b/package.json": { name: "@x/b" },
  });
  expect(resolve("@x/a", "packages/b/lib/deep.ts")).toBe("packages/a/src/index.ts");
  expect(resolve("@x/b/lib/deep", "packages/a/src/index.ts")).toBe("packages/b/lib/deep.ts");
});

test("aliases of tsconfig.json are followed, comments in it or not", () => {
  const tsconfig = `{ // the usual\n "compilerOptions": { "baseUrl": ".", "paths": { "@/*": ["src/*"], "~": ["src/index.ts"], }, } }`;
  const resolve = resolver(["src/a/b.ts", "src/index.ts"], { "tsconfig.json": tsconfig });
  expect(resolve("@/a/b", "test/x.ts")).toBe("src/a/b.ts");
  expect(resolve("~", "test/x.ts")).toBe("src/index.ts");
});

test.each(["{", "[]", "null", '{"name":1,"exports":7}', '{"name":"mine","exports":{"__proto__":{}}}'])(
  "a package.json of %s resolves nothing and throws nothing",
  (text) => {
    expect(resolver(["src/a.ts"], { "package.json": text })("mine/x", "src/a.ts")).toBeNull();
  },
);
