import { kindOf } from "../syntax/kinds.ts";
import { lastName, propertyName } from "../syntax/names.ts";
import { bare, isFunction, type Node, type NodeOf } from "../syntax/node.ts";
import type { SourceModule } from "../syntax/source-module.ts";
import { dependsOn, isSmallConstant, type Loop } from "../syntax/surroundings.ts";
import { because, hotter, performanceRule, type PerformanceRule } from "./performance-rule.ts";

const VALUE_SCANS = /^(includes|indexOf|lastIndexOf)$/;
const TEST_SCANS = /^(find|findIndex|findLast|filter|some)$/;

/** `(x) => x.id === y.id`: a test that a map would answer at once. */
const isLookup = (fn: Node | undefined): boolean => {
  if (fn === undefined || !isFunction(fn)) return false;
  const body = fn.body?.type === "BlockStatement" ? onlyReturn(fn.body) : fn.body;
  if (body?.type !== "BinaryExpression" || (body.operator !== "===" && body.operator !== "==")) return false;
  const [parameter] = fn.params;
  return parameter?.type === "Identifier" || parameter?.type === "ObjectPattern";
};

const onlyReturn = (block: NodeOf<"BlockStatement">): Node | null => {
  const [statement] = block.body;
  return block.body.length === 1 && statement?.type === "ReturnStatement" ? statement.argument : null;
};

/** The collection that a call goes through from the front, or null when it is none or looked up otherwise. */
const scannedBy = (node: NodeOf<"CallExpression">, module: SourceModule): Node | null => {
  const callee = bare(node.callee);
  if (callee.type !== "MemberExpression") return null;
  const method = propertyName(callee) ?? "";
  const [first] = node.arguments;
  const isScan = VALUE_SCANS.test(method) ? node.arguments.length === 1 : TEST_SCANS.test(method) && isLookup(first);
  if (!isScan) return null;
  const kind = kindOf(callee.object, module);
  // An equality test in a callback is written for arrays only; a plain value may be looked for in a text.
  const isArray = kind === "array" || (kind === null && TEST_SCANS.test(method));
  return isArray && !isSmallConstant(callee.object, module) ? callee.object : null;
};

/** The loop whose every turn scans the same collection again. */
const repeatingLoop = (scanned: Node, loops: readonly Loop[], module: SourceModule): Loop | null => {
  for (const loop of loops) {
    if (dependsOn(scanned, loop.node, module)) return null;
    const isLong = loop.kind !== "while" && !(loop.over !== null && isSmallConstant(loop.over, module));
    if (isLong) return loop;
  }
  return null;
};

const quadraticScan: PerformanceRule = performanceRule("quadratic-scan", ["CallExpression"], (node, module, heat) => {
  const scanned = scannedBy(node, module);
  const loop = scanned === null ? null : repeatingLoop(scanned, heat().loops, module);
  if (scanned === null || loop === null) return null;
  const name = lastName(scanned) ?? "a collection";
  const instead = VALUE_SCANS.test(lastName(node.callee) ?? "") ? "a Set" : "a Map";
  const message = `${name} is searched from the front in every turn of a loop: the time grows with the product of both. Make ${instead} of it first.${because(heat())}`;
  return { at: node, severity: heat().loops.length > 1 ? hotter("low", heat()) : "low", message };
});

/** Searches that make a loop quadratic. */
export const scanRules: readonly PerformanceRule[] = [quadraticScan];
