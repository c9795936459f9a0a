import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { openProject } from "../../../src/cli/demo/project.ts";
import { languageOf, type SourceFile } from "../../../src/cli/demo/source-file.ts";
import { parseHere } from "../../support/project-of.ts";
import { reviewAll } from "../../support/review-all.ts";

const PATHS = [
  "src/a.ts",
  "src/b.tsx",
  "src/c.cjs",
  "test/a.test.ts",
  "a.py",
  "a.go",
  "a.rs",
  "a.php",
  "a.rb",
  "a.sh",
  "a.sql",
  "a.yml",
  "a.json",
  ".env",
  "Dockerfile",
  "a.md",
  "A.java",
  "a.c",
  "package.json",
  "tsconfig.json",
  "odd name\n`|<b>.ts",
  "__proto__.ts",
  "x/constructor.js",
];

const FRAGMENTS = [
  "import { exec as run } from 'child_process';",
  "const",
  "a",
  "=",
  "(req, res) =>",
  "{",
  "}",
  "(",
  ")",
  "[",
  "]",
  ";",
  "\n",
  "`${",
  "}`",
  "'",
  '"',
  "eval(",
  "db.query(",
  "password",
  ":",
  "'hunter2!'",
  "for (const x of y)",
  "await",
  "async",
  "function f(a = 1, { b, ...c })",
  "class A { #b = 1 }",
  "/(a+)+$/",
  "reduce((a, b) => [...a, b], [])",
  "module.exports =",
  "export default",
  "export * from './a.ts'",
  "test('a', () => {",
  "#",
  "//",
  "/*",
  "*/",
  '"""',
  "<a>{",
  "</a>",
  "new Map()",
  "cache.set(k, v)",
  "process.env.SECRET ??",
  "=>",
  "?",
  "-----BEGIN PRIVATE KEY-----",
  "\u2028",
  "😀",
  "\u0000",
  "...",
];

const text = () =>
  fc.oneof(
    fc.string({ unit: "binary", maxLength: 200 }),
    fc.array(fc.constantFrom(...FRAGMENTS), { maxLength: 60 }).map((parts) => parts.join(" ")),
    fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes).toString("utf8")),
  );

const files = (): fc.Arbitrary<SourceFile[]> =>
  fc
    .uniqueArray(fc.record({ path: fc.constantFrom(...PATHS), text: text() }), {
      selector: ({ path }) => path,
      maxLength: 8,
    })
    .map((all) => all.map((file) => ({ ...file, language: languageOf(file.path, file.text) })));

test("no text in any file makes a review throw, and the order of files never matters", async () => {
  await fc.assert(
    fc.asyncProperty(files(), async (all) => {
      const [project, turned] = await Promise.all([
        openProject(all, { parse: parseHere }),
        openProject(all.toReversed(), { parse: parseHere }),
      ]);
      expect(reviewAll(turned, { tell: true }).markdown).toBe(reviewAll(project, { tell: true }).markdown);
    }),
    { numRuns: 300 },
  );
});

const SAMPLE = ["planted/src/server.ts", "planted/src/report.ts", "planted/src/auth.ts", "clean/src/db.ts"].map(
  (path) => readFileSync(new URL(`../../fixtures/demo/${path}`, import.meta.url), "utf8"),
);

test("source that was cut and joined anywhere never makes a review throw", async () => {
  const cut = () =>
    fc
      .tuple(fc.constantFrom(...SAMPLE), fc.constantFrom(...SAMPLE), fc.nat(2_000), fc.nat(2_000))
      .map(([head, tail, from, to]) => head.slice(0, from) + tail.slice(to));
  await fc.assert(
    fc.asyncProperty(cut(), async (broken) => {
      const project = await openProject([{ path: "src/a.ts", text: broken, language: "typescript" }], {
        parse: parseHere,
      });
      const { findings } = reviewAll(project, { tell: true });
      expect(findings.every(({ line }) => line >= 1 && line <= broken.split("\n").length)).toBe(true);
    }),
    { numRuns: 200 },
  );
});

/** Sources that repeat one thing so often that looking at everything again for each would take minutes. */
const REPEATED: Readonly<Record<string, (times: number) => string>> = {
  timers: (times) => `function f() { ${"x = setInterval(f, 1);".repeat(times)} }`,
  files: (times) =>
    `import fs from "fs"; app.get("/", (req, res) => { ${"fs.readFile(req.query.a, b);".repeat(times)} });`,
  tokens: (times) => `import jwt from "jsonwebtoken"; function f() { ${"jwt.decode(a);".repeat(times)} }`,
  awaits: (times) => `export async function f() { for (const a of b) { ${"await g(a);".repeat(times)} } }`,
  statements: (times) => `let s = "select a from b"; ${"s += x;".repeat(times)} ${"db.query(s);".repeat(times)}`,
};

test.each(Object.entries(REPEATED))(
  "a file full of %s is reviewed in a time that grows with its length",
  async (_, repeat) => {
    const project = await openProject([{ path: "src/a.ts", text: repeat(4_000), language: "typescript" }], {
      parse: parseHere,
    });
    expect(reviewAll(project, { tell: true }).findings.length).toBeGreaterThan(0);
  },
);
