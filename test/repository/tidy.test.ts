import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { byTime, longest } from "../support/longest-first.ts";
import { commandFaults, linkFaults } from "./checks/documents.ts";
import { castFaults, docFaults, lengthFaults, stateFaults } from "./checks/house-style.ts";
import { manifestFaults } from "./checks/manifest.ts";
import { lockFaults, traceFaults } from "./checks/places.ts";
import { listRepository, readRepository, ROOT } from "./checks/source-file.ts";
import { testPlaceFaults } from "./checks/test-places.ts";
import { wordFaults } from "./checks/words.ts";

const paths = listRepository();
const repository = readRepository();
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");

/** A text that the checks of this repository must not meet in this file: the tilde goes. */
const planted = (text: string) => text.replaceAll("~", "");

/** A file of src with this text. */
const source = (text: string) => [{ path: "src/bus/memory.ts", text }];

test("no file of src is longer than 300 lines", () => {
  expect(lengthFaults(repository)).toEqual([]);
});

test("a file of 301 lines is too long and one of 300 is not", () => {
  expect(lengthFaults(source("//\n".repeat(301)))).toEqual(["src/bus/memory.ts: 301 lines (at most 300)"]);
  expect(lengthFaults(source("//\n".repeat(300)))).toEqual([]);
});

test("no text has a banned word", () => {
  expect(wordFaults(repository)).toEqual([]);
});

test.each([
  ["// TO~DO: later", "TO~DO; name an issue: the word, then (#12)"],
  ["x as~ any", "as~ any; parse it, or name its type"],
  ["// @ts-~ignore", "@ts-~ignore; @ts-expect-error with the reason"],
  ["// @ts-expect-~error", "@ts-expect-~error; write the reason behind it"],
  ["test.on~ly('a')", "test.on~ly(; run every test"],
  ["it.sk~ip('a')", "it.sk~ip(; delete it, or skipIf with what is missing"],
  ["// oxlint-dis~able-line eqeqeq", "oxlint-dis~able; write ` -- ` and the reason behind it"],
  ["export * fr~om './a.ts'", "export * fr~om; export by name"],
])("the word check sees %s", (line, fault) => {
  const text = planted(`fine\n${line}`);
  expect(wordFaults([{ path: "docs/a.md", text }])).toEqual([planted(`docs/a.md:2: ${fault}`)]);
});

test.each(["// TO~DO(#12): later", "has any", "// oxlint-dis~able-line eqeqeq -- null and undefined are one here"])(
  "the word check allows %s",
  (text) => {
    expect(wordFaults([{ path: "a.ts", text: planted(text) }])).toEqual([]);
  },
);

test("no text has a path of somebody's machine, a host of somebody's network or a credential", () => {
  expect(traceFaults(repository)).toEqual([]);
});

test.each([
  "see /wor~k/main",
  "in /ho~me/carla/x",
  "C:\\User~s\\ann",
  "../share~d/cases",
  "registr~y=https://npm.example",
  "//npm.example/:_authToke~n=abc",
  "http:~//10.0.0.7:4873/",
  "https:~//npm.corp.internal/",
])("the trace check sees %s", (text) => {
  expect(traceFaults([{ path: ".npmrc", text: planted(`fine\n${text}`) }])).toHaveLength(1);
});

test("the lock file installs from any registry: it names no host but the default one", () => {
  expect(lockFaults(read("package-lock.json"))).toEqual([]);
});

test("the lock check sees a package of another registry", () => {
  const packages = {
    "": {},
    "node_modules/a": { resolved: "https://registry.npmjs.org/a/-/a-1.0.0.tgz" },
    "node_modules/b": { resolved: "http://mirror.example/b-1.0.0.tgz" },
  };
  expect(lockFaults(JSON.stringify({ packages }))).toEqual(["node_modules/b: http://mirror.example/b-1.0.0.tgz"]);
});

test("every export and command of package.json comes from a source file", () => {
  expect(manifestFaults(read("package.json"), (path) => existsSync(join(ROOT, path)))).toEqual([]);
});

test("the export check sees a missing source, a wrong target, a wrong order and a missing command", () => {
  const manifest = {
    bin: { teamchart: "./dist/cli/main.js" },
    exports: {
      "./a": { "@teamchart/source": "./src/a.ts", types: "./dist/a.d.ts", default: "./dist/a.js" },
      "./b": { "@teamchart/source": "./src/b.ts", types: "./dist/b.d.ts", default: "./dist/c.js" },
      "./d": { types: "./dist/d.d.ts", "@teamchart/source": "./src/d.ts", default: "./dist/d.js" },
    },
  };
  expect(manifestFaults(JSON.stringify(manifest), (path) => /[bd]\.ts$/.test(path))).toEqual([
    `exports "./a": ./src/a.ts does not exist`,
    `exports "./b": ./src/b.ts is built to ./dist/b.js`,
    `exports "./d": not @teamchart/source, types, default`,
    `bin "teamchart": ./src/cli/main.ts does not exist`,
  ]);
});

test("every test mirrors a source file or stands in a folder with a meaning of its own", () => {
  expect(testPlaceFaults(paths)).toEqual([]);
});

test("a test mirrors a file, a folder or an aspect of it", () => {
  const sources = ["src/bus/memory.ts", "src/machines/member/machine.ts", "scripts/require-node.mjs"];
  const good = [
    "bus/memory",
    "bus/memory-limits",
    "machines/member",
    "machines/member/orders",
    "scripts/require-node",
    "repository/anything",
  ];
  const bad = ["bus/nats", "machines/lead/orders", "memory", "utils/a"];
  const tests = [...good, ...bad].map((name) => `test/${name}.test.ts`);
  expect(testPlaceFaults([...sources, ...tests])).toEqual(
    bad.map((name) => `test/${name}.test.ts: mirrors nothing in src`),
  );
});

test("every cast of src has its reason above", () => {
  expect(castFaults(repository)).toEqual([]);
});

test("the cast check sees a bare cast and neither a reasoned nor a const one", () => {
  const bare = "const a = 1;\nconst b = a as unknown;\n";
  const reasoned = "// It is a number by the schema.\nconst a = [\n  1,\n  b as number,\n];\n";
  expect(castFaults(source(bare))).toEqual(["src/bus/memory.ts:2: a cast without its reason above"]);
  expect(castFaults(source(reasoned))).toEqual([]);
  expect(castFaults(source("const a = [1] as const;"))).toEqual([]);
});

test("every export of src has a doc comment", () => {
  expect(docFaults(repository)).toEqual([]);
});

test("the doc check sees a bare export, and a type shares the comment of its schema", () => {
  const shared = "/** A spec. */\nexport const Spec = z.string();\nexport type Spec = string;\n";
  expect(docFaults(source("// No doc.\nexport function run() {}"))).toEqual([
    "src/bus/memory.ts:2: run has no doc comment",
  ]);
  expect(docFaults(source(shared))).toEqual([]);
});

test("no module of src has state of its own", () => {
  expect(stateFaults(repository)).toEqual([]);
});

test("the state check sees a variable of the module and none of a function", () => {
  const text = "let count = 0;\nexport const next = () => {\n  let own = count;\n  return own;\n};\n";
  expect(stateFaults(source(text))).toEqual(["src/bus/memory.ts:1: module-level state"]);
});

test("every relative link of a document leads somewhere", () => {
  expect(linkFaults(repository, paths)).toEqual([]);
});

test("the link check sees a dead link and follows a live one", () => {
  const text = "[a](errors.md#x) [b](../README.md) [c](gone.md) [d](https://a.example) [e](#here) [f](guides/)";
  expect(linkFaults([{ path: "docs/a.md", text }], ["docs/errors.md", "README.md", "docs/guides/x.md"])).toEqual([
    "docs/a.md: gone.md does not exist",
  ]);
});

test("every npm script that a document names exists", () => {
  const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
  expect(commandFaults(repository, Object.keys(scripts))).toEqual([]);
});

test("the command check sees a script that does not exist", () => {
  expect(commandFaults([{ path: "a.md", text: "`npm run lint` `npm run lnt`" }], ["lint"])).toEqual([
    `a.md: there is no script "lnt"`,
  ]);
});

test("the test files that are started first are there, each once", () => {
  expect(longest.filter((path) => !paths.includes(path))).toEqual([]);
  expect(new Set(longest).size).toBe(longest.length);
});

test("what takes longest is started first, and the others keep their order", () => {
  const [first = "", second = ""] = longest;
  expect(byTime(["b", second, "a", first], (path) => path)).toEqual([first, second, "b", "a"]);
});
