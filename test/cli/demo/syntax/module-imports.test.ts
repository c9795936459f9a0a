import { expect, test } from "vitest";
import { moduleImports } from "../../../../src/cli/demo/syntax/module-imports.ts";
import { moduleOf } from "../../../support/project-of.ts";

test.each([
  ["import a, { b as c, type D } from './x';", ["./x default,b"]],
  ["import * as a from './x';", ["./x *"]],
  ["import './x';", ["./x "]],
  ["import type { A } from './x'; import { type B } from './y';", []],
  ["export { a } from './x'; export * from './y';", ["./y *", "./x a"]],
  ["const a = await import('./x'); const b = require(`./y`);", ["./x *", "./y *"]],
  ["new Worker(new URL('./w.ts', import.meta.url));", ["./w.ts *"]],
  ["require(name); import(name);", []],
])("%s uses %j", (text, expected) => {
  expect(moduleImports(moduleOf(text)).map(({ specifier, names }) => `${specifier} ${names.join(",")}`)).toEqual(
    expected,
  );
});
