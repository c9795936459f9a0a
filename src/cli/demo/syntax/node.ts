import type { Node } from "oxc-parser";

export type { Expression, Node, Program, TSType } from "oxc-parser";

/** The `type` of any syntax node. */
export type NodeType = Node["type"];

/** The nodes whose `type` is, or can be, one of `T`. */
export type NodeOf<T extends NodeType> = Node extends infer N
  ? N extends { type: infer U }
    ? T extends U
      ? N
      : never
    : never
  : never;

/** Anything that a call runs: declarations, function expressions, methods' functions and arrows. */
export type FunctionLike = NodeOf<"FunctionDeclaration" | "FunctionExpression" | "ArrowFunctionExpression">;

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";

/** The nodes directly below `node`. Finds them by shape, so that the parser itself need not be loaded here. */
export const childrenOf = (node: Node): Node[] => {
  const children: Node[] = [];
  for (const key in node) {
    if (key === "parent") continue;
    // The keys of a node are those of its type, which cannot be indexed by a string.
    const value = node[key as keyof Node] as unknown;
    if (Array.isArray(value)) {
      for (const item of value) if (isNode(item)) children.push(item);
    } else if (isNode(value)) children.push(value);
  }
  return children;
};

/** `node` and all nodes below it, parents first. */
export const descendantsOf = (node: Node): Node[] => {
  const found: Node[] = [];
  const open = [node];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    found.push(next);
    open.push(...childrenOf(next).toReversed());
  }
  return found;
};

/** Whether `node` is a function with a body. */
export const isFunction = (node: Node | null): node is FunctionLike =>
  node !== null &&
  (node.type === "ArrowFunctionExpression" ||
    ((node.type === "FunctionDeclaration" || node.type === "FunctionExpression") && node.body !== null));

/** The expression inside casts, `!`, parentheses and optional chains. */
export const bare = (node: Node): Node => {
  let inner = node;
  while (
    inner.type === "TSAsExpression" ||
    inner.type === "TSSatisfiesExpression" ||
    inner.type === "TSTypeAssertion" ||
    inner.type === "TSNonNullExpression" ||
    inner.type === "TSInstantiationExpression" ||
    inner.type === "ParenthesizedExpression" ||
    inner.type === "ChainExpression"
  )
    inner = inner.expression;
  return inner;
};
