import { expect, test } from "vitest";
import { constantText, isConstant } from "../../../../src/cli/demo/syntax/values.ts";
import { moduleOf } from "../../../support/project-of.ts";

/** The argument of the only call of `use` in a text. */
const argumentOf = (text: string) => {
  const module = moduleOf(text);
  const call = module
    .nodes("CallExpression")
    .find(({ callee }) => callee.type === "Identifier" && callee.name === "use");
  return { module, node: call!.arguments[0]! };
};

test.each([
  ["use('a' + `b` + 1)", "ab1"],
  ["const a = 'x'; use(`${a}-${a}`)", "x-x"],
  ["const NAMES = { a: 'x' }; use(NAMES.a)", "x"],
  ["use(['a', 'b'].join(' '))", "a b"],
  ["use(String(' a ').trim() as string)", " a "],
])("%s is written out", (text, expected) => {
  const { module, node } = argumentOf(text);
  expect(constantText(node, module)).toBe(expected);
});

test.each([
  "let a = 'x'; a = b; use(a)",
  "use('a' + b)",
  "use(`a${b}`)",
  "function f(a) { use(a) }",
  "use(process.env.A)",
  "const a = a + 1; use(a)",
])("%s is not", (text) => {
  const { module, node } = argumentOf(text);
  expect(constantText(node, module)).toBeNull();
});

test.each([
  ["use(a ? 'b' : 'c')", true],
  ["import { TABLE } from './t.ts'; use(`${TABLE}`)", true],
  ["import path from 'node:path'; use(path.join(__dirname, 'a'))", true],
  ["use([1, { a: 'b' }])", true],
  ["use(`${process.execPath} a`)", true],
  ["use(new URL('./a.ts', import.meta.url))", true],
  ["use(f())", false],
  ["use({ ...a })", false],
  ["import { table } from './t.ts'; use(table)", false],
  ["const NAMES = { a: f() }; use(NAMES.a)", false],
])("%s is the same in every run: %s", (text, expected) => {
  const { module, node } = argumentOf(text);
  expect(isConstant(node, module)).toBe(expected);
});
