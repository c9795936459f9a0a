import { expect, test } from "vitest";
import { dependsOn, isSmallConstant, loopsAround } from "../../../../src/cli/demo/syntax/surroundings.ts";
import { moduleOf } from "../../../support/project-of.ts";

const useIn = (text: string) => {
  const module = moduleOf(text);
  const call = module
    .nodes("CallExpression")
    .find(({ callee }) => callee.type === "Identifier" && callee.name === "use");
  return { module, call: call! };
};

test.each([
  ["for (const a of b) use(a)", ["of"]],
  ["for (const a of use(b)) c(a)", []],
  ["for (let i = use(); i < 3; i++) c()", []],
  ["for (let i = 0; i < use(); i++) c()", ["counting"]],
  ["while (use()) c()", ["while"]],
  ["a.map((b) => use(b))", ["callback"]],
  ["use(a).map((b) => b)", []],
  ["for (const a of b) a.filter((c) => use(c))", ["callback", "of"]],
  ["Array.from(a, (b) => use(b))", ["callback"]],
  ["for (const a of b) c.on('d', () => use(a))", []],
  ["function f() { use() }", []],
])("%s: %j", (text, kinds) => {
  const { module, call } = useIn(text);
  expect(loopsAround(call, module).map(({ kind }) => kind)).toEqual(kinds);
});

test.each([
  ["for (const a of b) use(a.c)", true],
  ["for (const a of b) { const d = f(a); use(d) }", true],
  ["const d = 1; for (const a of b) use(d)", false],
  ["for (const a of b) use(c)", false],
  ["for (const a of b) use((a) => a)", false],
])("%s depends on its loop: %s", (text, expected) => {
  const { module, call } = useIn(text);
  const [loop] = loopsAround(call, module);
  expect(dependsOn(call.arguments[0]!, loop!.node, module)).toBe(expected);
});

test.each([
  ["use(['a', 'b'])", true],
  ["const A = ['a'] as const; use(A)", true],
  ["use(Object.keys({ a: 1 }))", true],
  ["use([...a])", false],
  ["use(a)", false],
  [`use([${"1, ".repeat(17)}])`, false],
])("%s is written out and short: %s", (text, expected) => {
  const { module, call } = useIn(text);
  expect(isSmallConstant(call.arguments[0]!, module)).toBe(expected);
});
