import { expect, test } from "vitest";
import { qualifiedName } from "../../../../src/cli/demo/syntax/names.ts";
import { moduleOf } from "../../../support/project-of.ts";

/** What the callee of the last call in a text names. */
const lastCallee = (text: string): string | null => {
  const module = moduleOf(text);
  const call = module.nodes("CallExpression").findLast((node) => {
    const parent = module.parentOf(node)?.type;
    return parent === "ExpressionStatement" || parent === "ChainExpression";
  });
  return qualifiedName(call!.callee, module);
};

test.each([
  `import { exec } from "node:child_process"; exec(a);`,
  `import { exec as run } from "child_process"; run(a);`,
  `import * as cp from "node:child_process"; cp.exec(a);`,
  `import cp from "node:child_process"; cp.exec(a);`,
  `const cp = require("node:child_process"); cp.exec(a);`,
  `const { exec } = require("child_process"); exec(a);`,
  `const { exec: run } = require("child_process"); run(a);`,
  `const run = require("child_process").exec; run(a);`,
  `import cp = require("child_process"); cp["exec"](a);`,
  `import cp from "node:child_process"; const { exec: run } = cp; const again = run; again(a);`,
  `import { promisify } from "node:util"; import { exec } from "node:child_process"; const run = promisify(exec); run(a);`,
  `const cp = await import("node:child_process"); cp.exec(a);`,
  `import { createRequire } from "node:module"; const require = createRequire(import.meta.url); const { exec } = require("child_process"); exec(a);`,
  `import * as cp from "node:child_process"; cp?.exec!(a);`,
])("%s runs child_process.exec", (text) => {
  expect(lastCallee(text)).toBe("child_process.exec");
});

test.each([
  `const exec = (a) => a; exec(a);`,
  `function f(exec) { exec(a); }`,
  `let exec = require("child_process").exec; exec = b; exec(a);`,
  `const { ...cp } = require("child_process"); cp.exec(a);`,
  `for (const exec of [b]) { exec(a); }`,
])("%s runs something of its own", (text) => {
  expect(lastCallee(text)).toBeNull();
});

test.each([
  ["/a/.exec(b);", null],
  ["globalThis.eval(a);", "eval"],
  ["window.document.write(a);", "document.write"],
  ["const a = b; const b = a; a();", null],
])("%s names %s", (text, name) => {
  expect(lastCallee(text)).toBe(name);
});
