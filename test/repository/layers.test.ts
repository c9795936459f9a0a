import { expect, test } from "vitest";
import { importsOf } from "./checks/imports.ts";
import { insideFaults, layerFaults, pageFaults } from "./checks/layers.ts";
import { purityFaults } from "./checks/purity.ts";
import { readRepository } from "./checks/source-file.ts";

const repository = readRepository();

test("imports point only downwards", () => {
  expect(layerFaults(repository)).toEqual([]);
});

test("machines know no clock, no chance and no I/O, and start nothing", () => {
  expect(purityFaults(repository)).toEqual([]);
});

test("examples and the bench's adapter use the package from outside", () => {
  expect(insideFaults(repository)).toEqual([]);
});

test("the inspector's page uses what runs in a browser, by the package's own name", () => {
  expect(pageFaults(repository)).toEqual([]);
});

test.each([
  "../../src/machines/index.ts",
  "../../../src/index.ts",
  "teamchart",
  "teamchart/testing",
  "node:fs",
  "rxjs",
])("the page may not use %s", (specifier) => {
  const file = { path: "apps/inspector/fold/a.ts", text: `import { a } from "${specifier}";` };
  expect(pageFaults([file])).toEqual([`apps/inspector/fold/a.ts:1: the page may not use ${specifier}`]);
});

test.each([
  ["a static import", `import { a } from "../bus/memory.ts";`],
  ["a type import", `import type { A } from "../bus/memory.ts";`],
  ["a side-effect import", `import "../bus/memory.ts";`],
  ["a re-export", `export { a } from "../bus/memory.ts";`],
  ["a star re-export", `export * from "../bus/memory.ts";`],
  ["a dynamic import", `const a = await import("../bus/memory.ts");`],
  ["a dynamic import of a template", "const a = await import(`../bus/memory.ts`);"],
  ["an import type", `type A = import("../bus/memory.ts").A;`],
  ["an import assignment", `import a = require("../bus/memory.ts");`],
  ["a require", `const a = require("../bus/memory.ts");`],
  ["a resolved path", `const a = import.meta.resolve("../bus/memory.ts");`],
])("the layer check sees %s", (_, line) => {
  const file = { path: "src/machines/member.ts", text: `// One line above.\n${line}\n` };
  expect(layerFaults([file])).toEqual(["src/machines/member.ts:2: machines may not import bus"]);
});

test.each([
  ["src/errors/a.ts", "../protocol/b.ts", "errors may not import protocol"],
  ["src/protocol/a.ts", "../machines/b.ts", "protocol may not import machines"],
  ["src/bus/sqlite/a.ts", "../../machines/b.ts", "bus may not import machines"],
  ["src/tools/a.ts", "../actors/b.ts", "tools may not import actors"],
  ["src/actors/a.ts", "../testing/b.ts", "actors may not import testing"],
  ["src/actors/a.ts", "../index.ts", "actors may not import index"],
  ["src/testing/a.ts", "../cli/b.ts", "testing may not import cli"],
  ["src/react/card.tsx", "../actors/b.ts", "react may not import actors"],
  ["src/react/card.tsx", "react-dom", "react may not use react-dom"],
  ["src/index.ts", "./testing/b.ts", "index may not import testing"],
  ["src/protocol/a.ts", "node:crypto", "protocol may not use node:crypto"],
  ["src/machines/a.ts", "rxjs", "machines may not use rxjs"],
  ["src/bus/a.ts", "teamchart/protocol", "src imports itself by relative paths only"],
  ["src/cli/a.ts", "../../package.json", "../../package.json leaves src"],
])("%s may not import %s", (path, specifier, fault) => {
  expect(layerFaults([{ path, text: `import "${specifier}";` }])).toEqual([`${path}:1: ${fault}`]);
});

test.each([
  ["src/bus/sqlite/a.ts", "../index.ts"],
  ["src/machines/member/a.ts", "../../protocol/b.ts"],
  ["src/machines/a.ts", "xstate"],
  ["src/actors/a.ts", "../bus/memory.ts"],
  ["src/index.ts", "./actors/system.ts"],
  ["src/cli/demo/a.ts", "../../index.ts"],
  ["src/cli/a.ts", "../testing/replay.ts"],
  ["src/bus/a.ts", "node:fs"],
])("%s may import %s", (path, specifier) => {
  expect(layerFaults([{ path, text: `import "${specifier}";` }])).toEqual([]);
});

test("a folder that is no layer is a fault, and so is a computed import outside the command line", () => {
  const text = "const a = await import(name);";
  const files = ["src/utils/a.ts", "src/actors/a.ts", "src/cli/a.ts"].map((path) => ({ path, text }));
  expect(layerFaults(files)).toEqual([
    "src/utils/a.ts: stands in no known layer",
    "src/actors/a.ts:1: a computed import hides its layer",
  ]);
});

test("a word in a comment or a string is no import", () => {
  const text = `// import "../bus/memory.ts"\nexport const a = 'from "../bus/memory.ts"';\n`;
  expect(importsOf({ path: "src/machines/a.ts", text })).toEqual([]);
});

test.each([
  ["Date.now()", "Date is not pure"],
  ["new Date()", "Date is not pure"],
  ["Math.random()", "Math.random is chance"],
  ["performance.now()", "performance is not pure"],
  ["crypto.randomUUID()", "crypto is not pure"],
  ["setTimeout(() => {}, 1)", "setTimeout is not pure"],
  ["globalThis.fetch", "globalThis is not pure"],
  ["process.env", "process is not pure"],
  ["console.log(1)", "console is not pure"],
  ["{ fetch }", "fetch is not pure"],
  [`{ invoke: { src: "run" } }`, "invoke starts something by itself"],
  ["{ after: { 1000: {} } }", "after starts something by itself"],
  ["({ spawn }) => ({})", "spawn starts something by itself"],
])("the purity check sees %s", (expression, fault) => {
  const file = { path: "src/machines/member.ts", text: `const a = (${expression});` };
  expect(purityFaults([file]).join("\n")).toContain(`src/machines/member.ts:1: ${fault}`);
});

test("a key, a member's name and a difference are not impure", () => {
  const text = `
    type A = { process: string; fetch(): void };
    export const a = { crypto: 1, process: b.performance, change: { before, after } };
  `;
  expect(purityFaults([{ path: "src/machines/member.ts", text }])).toEqual([]);
});

test.each([
  ["examples/embed/main.ts", "../../src/index.ts"],
  ["bench/adapter.ts", "../dist/index.js"],
])("%s may not reach into %s", (path, specifier) => {
  const fault = `${path}:1: ${specifier} is the inside of the package`;
  expect(insideFaults([{ path, text: `import "${specifier}";` }])).toEqual([fault]);
});
