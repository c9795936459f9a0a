import { expect, test } from "vitest";
import { kindOf } from "../../../../src/cli/demo/syntax/kinds.ts";
import { moduleOf } from "../../../support/project-of.ts";

test.each([
  ["const a: readonly string[] = b; use(a)", "array"],
  ["function f(a: Array<string> | null) { use(a) }", "array"],
  ["const a = b.split(','); use(a)", "array"],
  ["use(Object.keys(b))", "array"],
  ["const f = (...a) => use(a)", "array"],
  ["const f = (a = []) => use(a)", "array"],
  ["use(b as string[])", "array"],
  ["use(b.c.map(d))", "array"],
  ["const a = new Set<string>(); use(a)", "set"],
  ["const a = new Map(); use(a)", "map"],
  ["const a = b.trim(); use(a)", "string"],
  ["function f(a: string) { use(a) }", "string"],
  ["use('a' + b)", "string"],
  ["const a = 'b,c'; use(a.slice(1))", "string"],
  ["use(new Foo())", "other"],
  ["use(b)", null],
  ["for (const a of b) use(a)", null],
])("%s: %s", (text, kind) => {
  const module = moduleOf(text);
  const call = module
    .nodes("CallExpression")
    .find(({ callee }) => callee.type === "Identifier" && callee.name === "use");
  expect(kindOf(call!.arguments[0]!, module)).toBe(kind);
});
