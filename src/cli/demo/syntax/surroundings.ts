import { propertyName, qualifiedName, resolved } from "./names.ts";
import { bare, descendantsOf, isFunction, type FunctionLike, type Node } from "./node.ts";
import type { SourceModule } from "./source-module.ts";

/** Something that runs code again and again: a loop statement, or a callback that an array method calls per element. */
export interface Loop {
  readonly node: Node;
  /** What it goes over; null for `while` and counting loops. */
  readonly over: Node | null;
  readonly kind: "of" | "in" | "counting" | "while" | "callback";
}

const ITERATING = /^(forEach|map|flatMap|filter|some|every|find|findIndex|findLast|reduce|reduceRight|sort|toSorted)$/;

/** The innermost function around a node; null at the top level of a module. */
export const functionAround = (node: Node, module: SourceModule): FunctionLike | null => {
  let at = module.parentOf(node);
  while (at !== null && !isFunction(at)) at = module.parentOf(at);
  return at;
};

/** The loop that `parent` is for its child, or null: the head of a loop runs once, only its body and test repeat. */
const loopBetween = (parent: Node, child: Node): Loop | null => {
  switch (parent.type) {
    case "ForOfStatement":
      return parent.body === child ? { node: parent, over: parent.right, kind: "of" } : null;
    case "ForInStatement":
      return parent.body === child ? { node: parent, over: parent.right, kind: "in" } : null;
    case "ForStatement":
      return parent.init === child ? null : { node: parent, over: null, kind: "counting" };
    case "WhileStatement":
    case "DoWhileStatement":
      return { node: parent, over: null, kind: "while" };
    default:
      return null;
  }
};

/** The call that runs `fn` once per element, if `fn` is written as its callback. */
const iterationOf = (fn: FunctionLike, module: SourceModule): Loop | null => {
  const call = module.parentOf(fn);
  if (call?.type !== "CallExpression" || call.callee === fn) return null;
  if (qualifiedName(call.callee, module) === "Array.from" && call.arguments[1] === fn) {
    return { node: call, over: call.arguments[0] ?? null, kind: "callback" };
  }
  const callee = bare(call.callee);
  if (callee.type !== "MemberExpression" || call.arguments[0] !== fn) return null;
  return ITERATING.test(propertyName(callee) ?? "") ? { node: call, over: callee.object, kind: "callback" } : null;
};

/**
 * The loops that repeat a node, innermost first. Callbacks of array methods count; any other function ends the search,
 * because nothing shows how often it is called.
 */
export const loopsAround = (node: Node, module: SourceModule): Loop[] => {
  const loops: Loop[] = [];
  let child = node;
  for (let parent = module.parentOf(child); parent !== null; parent = module.parentOf(child)) {
    if (isFunction(parent)) {
      const iteration = iterationOf(parent, module);
      if (iteration === null) return loops;
      loops.push(iteration);
      child = iteration.node;
      continue;
    }
    const loop = loopBetween(parent, child);
    if (loop !== null) loops.push(loop);
    child = parent;
  }
  return loops;
};

/** Collections that are written out and this short never make a loop slow. */
const SMALL_MAX = 16;

/** Whether a collection is written out in the source, and short. */
export const isSmallConstant = (node: Node, module: SourceModule): boolean => {
  const inner = resolved(node, module);
  // By custom a name in capitals is a table that somebody wrote out.
  if (inner.type === "Identifier" && /^[A-Z][A-Z0-9_]+$/.test(inner.name)) return true;
  if (inner.type === "ArrayExpression") {
    return inner.elements.length <= SMALL_MAX && inner.elements.every((element) => element?.type !== "SpreadElement");
  }
  if (
    inner.type === "CallExpression" &&
    /^Object\.(keys|values|entries)$/.test(qualifiedName(inner.callee, module) ?? "")
  ) {
    const [object] = inner.arguments;
    return object !== undefined && isSmallConstant(object, module);
  }
  return (
    inner.type === "ObjectExpression" &&
    inner.properties.length <= SMALL_MAX &&
    inner.properties.every((property) => property.type === "Property")
  );
};

/** Whether `node` lies inside `outer`. */
export const isInside = (node: Node, outer: Node): boolean => outer.start <= node.start && node.end <= outer.end;

/** Whether the value of an expression is made anew inside `outer`: one of its names is declared there. */
export const dependsOn = (node: Node, outer: Node, module: SourceModule): boolean =>
  descendantsOf(node).some((name) => {
    const binding = module.bindingOf(name);
    return binding !== null && isInside(binding.identifier, outer) && !isInside(binding.identifier, node);
  });
