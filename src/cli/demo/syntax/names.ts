import { heldValue } from "./bindings.ts";
import { bare, type Node, type NodeOf } from "./node.ts";
import type { SourceModule } from "./source-module.ts";

/** How many names are followed from one to the next: enough for any alias, and an end for circular ones. */
const HOPS_MAX = 8;

const GLOBAL_OBJECTS: ReadonlySet<string> = new Set(["globalThis", "window", "self", "global"]);

/** The property that a member expression takes, if it is written out: `a.b`, `a["b"]` and `a.#b` give `b`. */
export const propertyName = (member: NodeOf<"MemberExpression">): string | null => {
  const { property } = member;
  if (property.type === "PrivateIdentifier") return property.name;
  if (!member.computed) return property.type === "Identifier" ? property.name : null;
  return property.type === "Literal" && typeof property.value === "string" ? property.value : null;
};

/** The last word of a name: `c` for `a.b.c`, and for `c`. */
export const lastName = (node: Node): string | null => {
  const inner = bare(node);
  if (inner.type === "Identifier") return inner.name;
  return inner.type === "MemberExpression" ? propertyName(inner) : null;
};

/** The name of the key of a property, method or class field, if it is written out. */
export const keyName = (node: NodeOf<"Property" | "MethodDefinition" | "PropertyDefinition">): string | null => {
  const { key } = node;
  if (key.type === "PrivateIdentifier") return key.name;
  if (key.type === "Identifier") return node.computed ? null : key.name;
  return key.type === "Literal" && typeof key.value === "string" ? key.value : null;
};

/** The identifier or `this` at the root of a chain of members and calls: `a` for `a.b().c`. */
export const rootOf = (node: Node): Node => {
  let inner = bare(node);
  while (inner.type === "MemberExpression" || inner.type === "CallExpression") {
    inner = bare(inner.type === "MemberExpression" ? inner.object : inner.callee);
  }
  return inner;
};

const joined = (object: string, key: string): string => {
  if (GLOBAL_OBJECTS.has(object)) return key;
  return key === "default" ? object : `${object}.${key}`;
};

const moduleName = (specifier: Node | undefined): string | null =>
  specifier?.type === "Literal" && typeof specifier.value === "string" ? specifier.value.replace(/^node:/, "") : null;

const nameOfCall = (call: NodeOf<"CallExpression">, module: SourceModule, hops: number): string | null => {
  const callee = qualifiedName(call.callee, module, hops - 1);
  const [first] = call.arguments;
  if (callee === "require" || callee === "module.createRequire()") return moduleName(first);
  if (callee === "module.createRequire") return "module.createRequire()";
  return callee === "util.promisify" && first !== undefined ? qualifiedName(first, module, hops - 1) : null;
};

const nameOfIdentifier = (node: NodeOf<"Identifier">, module: SourceModule, hops: number): string | null => {
  const binding = module.bindingOf(node);
  if (binding === null) return node.name;
  if (binding.imported !== null) {
    const from = binding.imported.from.replace(/^node:/, "");
    return binding.imported.name === "*" ? from : joined(from, binding.imported.name);
  }
  const isAlias = binding.kind === "const" || binding.kind === "let" || binding.kind === "var";
  if (!isAlias || binding.value === null || binding.path === null || binding.loop !== null) return null;
  if (module.isReassigned(binding)) return null;
  const root = qualifiedName(binding.value, module, hops - 1);
  return root === null ? null : binding.path.reduce(joined, root);
};

/**
 * The imported or global thing that an expression names, dotted and without `node:`: `child_process.exec` for `run`
 * after `import { exec as run } from "node:child_process"`, for `cp.exec` after `const cp = require("child_process")`
 * and for `promisify(exec)`. Null for everything local.
 */
export const qualifiedName = (node: Node, module: SourceModule, hops: number = HOPS_MAX): string | null => {
  if (hops === 0) return null;
  const inner = bare(node);
  switch (inner.type) {
    case "Identifier":
      return nameOfIdentifier(inner, module, hops);
    case "MemberExpression": {
      const key = propertyName(inner);
      const object = key === null ? null : qualifiedName(inner.object, module, hops);
      return object === null || key === null ? null : joined(object, key);
    }
    case "CallExpression":
      return nameOfCall(inner, module, hops);
    case "AwaitExpression":
      return qualifiedName(inner.argument, module, hops);
    case "ImportExpression":
      return moduleName(inner.source);
    case "TSExternalModuleReference":
      return moduleName(inner.expression);
    default:
      return null;
  }
};

/** What a name that never changes stands for, followed through further such names; any other node as it is. */
export const resolved = (node: Node, module: SourceModule, hops: number = HOPS_MAX): Node => {
  const inner = bare(node);
  if (hops === 0 || inner.type !== "Identifier") return inner;
  const binding = module.bindingOf(inner);
  if (binding === null || binding.kind === "param" || module.isReassigned(binding)) return inner;
  const value = heldValue(binding);
  return value === null ? inner : resolved(value, module, hops - 1);
};
