import type { Binding } from "./bindings.ts";
import { propertyName, qualifiedName } from "./names.ts";
import { bare, type Node, type NodeOf, type TSType } from "./node.ts";
import type { SourceModule } from "./source-module.ts";

/** What kind of value an expression has, as far as the code around it shows. */
export type Kind = "array" | "string" | "set" | "map" | "object" | "number" | "other";

const KIND_OF_TYPE: Readonly<Record<string, Kind>> = {
  Array: "array",
  ReadonlyArray: "array",
  Set: "set",
  ReadonlySet: "set",
  WeakSet: "set",
  Map: "map",
  ReadonlyMap: "map",
  WeakMap: "map",
  Record: "object",
};

const ARRAY_METHODS = /^(map|filter|flatMap|flat|sort|toSorted|reverse|toReversed|splice|toSpliced|fill|toArray)$/;
const STRING_METHODS =
  /^(trim|trimEnd|trimStart|toLowerCase|toUpperCase|replace|replaceAll|substring|substr|padStart|padEnd|repeat|join|toString|toFixed|charAt|normalize)$/;
const ARRAY_CALLS: ReadonlySet<string> = new Set([
  "Object.keys",
  "Object.values",
  "Object.entries",
  "Array.from",
  "Array.of",
  "Array",
  "fs.readdirSync",
]);

const kindOfType = (type: TSType): Kind | null => {
  switch (type.type) {
    case "TSArrayType":
    case "TSTupleType":
      return "array";
    case "TSTypeOperator":
      return kindOfType(type.typeAnnotation);
    case "TSStringKeyword":
      return "string";
    case "TSNumberKeyword":
      return "number";
    case "TSTypeReference":
      return type.typeName.type === "Identifier" ? (KIND_OF_TYPE[type.typeName.name] ?? "other") : "other";
    case "TSUnionType": {
      const kinds = new Set(type.types.map(kindOfType).filter((kind) => kind !== null));
      return kinds.size === 1 ? ([...kinds][0] ?? null) : null;
    }
    default:
      return null;
  }
};

const kindOfCall = (node: NodeOf<"CallExpression">, module: SourceModule, hops: number): Kind | null => {
  if (ARRAY_CALLS.has(qualifiedName(node.callee, module) ?? "")) return "array";
  const callee = bare(node.callee);
  if (callee.type !== "MemberExpression") return null;
  const method = propertyName(callee) ?? "";
  if (method === "split") return "array";
  if (method === "slice" || method === "concat") return kindOf(callee.object, module, hops - 1);
  if (STRING_METHODS.test(method)) return "string";
  return ARRAY_METHODS.test(method) && kindOf(callee.object, module, hops - 1) !== "other" ? "array" : null;
};

const kindOfBinding = (binding: Binding, module: SourceModule, hops: number): Kind | null => {
  const { identifier, value, path, loop } = binding;
  const annotation = identifier.type === "Identifier" ? identifier.typeAnnotation : null;
  if (annotation !== null && annotation !== undefined) return kindOfType(annotation.typeAnnotation);
  const parent = module.parentOf(identifier);
  if (parent?.type === "RestElement") return "array";
  if (parent?.type === "AssignmentPattern" && parent.left === identifier) return kindOf(parent.right, module, hops - 1);
  return value === null || path?.length !== 0 || loop !== null ? null : kindOf(value, module, hops - 1);
};

/** The kind of value of an expression, or null when the code doesn't show it. */
export const kindOf = (node: Node, module: SourceModule, hops: number = 6): Kind | null => {
  if (hops === 0) return null;
  const type = node.type === "TSAsExpression" ? kindOfType(node.typeAnnotation) : null;
  if (type !== null) return type;
  const inner = bare(node);
  switch (inner.type) {
    case "ArrayExpression":
      return "array";
    case "TemplateLiteral":
      return "string";
    case "Literal":
      return typeof inner.value === "string" ? "string" : typeof inner.value === "number" ? "number" : "other";
    case "ObjectExpression":
      return "object";
    case "BinaryExpression":
      return inner.operator === "+" && [inner.left, inner.right].some((side) => kindOf(side, module, 2) === "string")
        ? "string"
        : null;
    case "NewExpression":
      return KIND_OF_TYPE[qualifiedName(inner.callee, module) ?? ""] ?? "other";
    case "AwaitExpression":
      return null;
    case "CallExpression":
      return kindOfCall(inner, module, hops);
    case "LogicalExpression":
    case "ConditionalExpression":
      return kindOf(inner.type === "LogicalExpression" ? inner.right : inner.consequent, module, hops - 1);
    case "Identifier": {
      const binding = module.bindingOf(inner);
      return binding === null ? null : kindOfBinding(binding, module, hops);
    }
    default:
      return null;
  }
};
