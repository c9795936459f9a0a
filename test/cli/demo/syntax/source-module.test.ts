import { expect, test } from "vitest";
import { openModule } from "../../../../src/cli/demo/syntax/source-module.ts";
import { parseSource } from "../../../../src/cli/demo/syntax/parse-source.ts";
import { fileOf, moduleOf } from "../../../support/project-of.ts";

const identifiers = (text: string, name: string) => {
  const module = moduleOf(text);
  return { module, nodes: module.nodes("Identifier").filter((node) => node.name === name) };
};

test("lines are counted as editors do, whatever ends them and whatever stands before", () => {
  const module = moduleOf("/* 😀é */\r\nfirst;\n\rthird;\n");
  const lines = module.nodes("Identifier").map(({ name, start }) => [name, module.lineAt(start)]);
  expect(lines).toEqual([
    ["first", 2],
    ["third", 4],
  ]);
  expect(module.lineText(2)).toBe("first;");
  expect(module.lineText(9)).toBe("");
});

test.each([
  ["a block's own name", "const a = 1; { const a = 2; use(a); }", 2],
  ["a parameter", "const a = 1; function f(a: number) { use(a); }", 2],
  ["a parameter taken apart", "const a = 1; const f = ({ b: { c: a } }) => use(a);", 2],
  ["a hoisted var", "const a = 1; function f() { use(a); if (b) { var a = 2; } }", 3],
  ["a loop's name", "const a = 1; for (const a of b) use(a);", 2],
  ["a caught error", "const a = 1; try {} catch (a) { use(a); }", 2],
  ["a function's own name", "const a = 1; const f = function a() { use(a); };", 2],
])("a name means %s before an outer one", (_, text, declaredAs) => {
  const { module, nodes } = identifiers(text, "a");
  const used = nodes.find((node) => module.parentOf(node)?.type === "CallExpression");
  expect(module.bindingOf(used!)?.identifier).toBe(nodes[declaredAs - 1]);
});

test("names of properties and labels refer to nothing", () => {
  const { module, nodes } = identifiers("const a = 1; b.a; ({ a: 2 }); a: for (;;) break a; class C { a() {} }", "a");
  expect(nodes.slice(1).map((node) => module.bindingOf(node))).toEqual(nodes.slice(1).map(() => null));
});

test.each([
  ["a = 2", true],
  ["a += 2", true],
  ["a++", true],
  ["[a] = b", true],
  ["({ b: a } = c)", true],
  ["({ b: [a = 1] } = c)", true],
  ["for (a of b);", true],
  ["a.b = 2", false],
  ["b[a] = 2", false],
  ["use(a)", false],
])("after %s a name is reassigned: %s", (statement, expected) => {
  const { module, nodes } = identifiers(`let a = 1; ${statement}`, "a");
  expect(module.isReassigned(module.bindingOf(nodes[0]!)!)).toBe(expected);
});

test("source nested deeper than the analysis goes is refused, and just below is not", () => {
  const open = (depth: number) => {
    const file = fileOf("a.ts", `${"[".repeat(depth)}${"]".repeat(depth)}`);
    return openModule(file, "source", parseSource(file).program!);
  };
  expect(open(590)).not.toBeNull();
  expect(open(610)).toBeNull();
});
