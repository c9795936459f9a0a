import { keyName, propertyName, resolved } from "../syntax/names.ts";
import { bare, isFunction, type FunctionLike, type Node, type NodeOf } from "../syntax/node.ts";
import type { SourceModule } from "../syntax/source-module.ts";

/** A call that declares a test or a group of tests. */
export interface TestCall {
  readonly node: NodeOf<"CallExpression">;
  readonly isGroup: boolean;
  readonly isSkipped: boolean;
  /** Whether it keeps all other tests of the file from running. */
  readonly isOnly: boolean;
  readonly body: FunctionLike | null;
}

const TESTS = /^[fx]?(it|test|specify|bench)$/;
const GROUPS = /^[fx]?(describe|suite|context)$/;

/** `it.skip.each([...])` as its root and the words after it. */
const chainOf = (callee: Node): { root: NodeOf<"Identifier">; words: string[] } | null => {
  const words: string[] = [];
  let at = bare(callee);
  while (at.type !== "Identifier") {
    if (at.type === "CallExpression") at = bare(at.callee);
    else if (at.type === "TaggedTemplateExpression") at = bare(at.tag);
    else if (at.type === "MemberExpression") {
      words.unshift(propertyName(at) ?? "");
      at = bare(at.object);
    } else return null;
  }
  return { root: at, words };
};

const hasOption = (call: NodeOf<"CallExpression">, name: string): boolean =>
  call.arguments.some(
    (argument) =>
      argument.type === "ObjectExpression" &&
      argument.properties.some((one) => {
        if (one.type !== "Property" || keyName(one) !== name) return false;
        const value = bare(one.value);
        return value.type === "Literal" && value.value !== false && value.value !== null;
      }),
  );

const testCall = (node: NodeOf<"CallExpression">, module: SourceModule): TestCall | null => {
  // Most calls of a test file are no tests; those have a function among their arguments.
  const chain = node.arguments.length === 0 ? null : chainOf(node.callee);
  if (chain === null || module.bindingOf(chain.root)?.kind === "param") return null;
  const { root, words } = chain;
  const name = /^(test|mocha|jest|tap)$/.test(root.name) && TESTS.test(words[0] ?? "") ? (words[0] ?? "") : root.name;
  const isGroup = GROUPS.test(name) || words.includes("describe");
  if (!isGroup && !TESTS.test(name)) return null;
  // `test.each(table)` alone declares nothing yet; the call of what it returns does.
  const body =
    node.arguments.map((argument) => resolved(argument, module)).find((argument) => isFunction(argument)) ?? null;
  if (
    body === null ||
    words.some((word) => /^(extend|beforeEach|afterEach|beforeAll|afterAll|use|step|hook|before|after)$/.test(word))
  )
    return null;
  return {
    node,
    isGroup,
    isSkipped: words.includes("skip") || name.startsWith("x") || hasOption(node, "skip"),
    isOnly: words.includes("only") || /^f(it|describe|test)$/.test(name) || hasOption(node, "only"),
    body: isFunction(body) ? body : null,
  };
};

/** The tests and groups that a test file declares, in source order. */
export const testCalls = (module: SourceModule): TestCall[] =>
  module.nodes("CallExpression").flatMap((node) => testCall(node, module) ?? []);
