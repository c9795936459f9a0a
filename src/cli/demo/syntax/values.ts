import { lastName, propertyName, qualifiedName, resolved } from "./names.ts";
import { bare, type Node, type NodeOf } from "./node.ts";
import type { SourceModule } from "./source-module.ts";

/** A piece of a text that code builds: what is written out, or the expression whose value is put in. */
export type TextPart = string | Node;

const HOPS_MAX = 6;

const literalText = (node: Node): string | null => {
  if (node.type === "Literal") {
    const { value } = node;
    return typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? String(value) : null;
  }
  if (node.type === "TemplateLiteral" && node.expressions.length === 0) return node.quasis[0]?.value.cooked ?? null;
  return null;
};

/** The text of a string or number that is written out, directly or under a name that never changes; else null. */
export const constantText = (node: Node, module: SourceModule): string | null => {
  const parts = textParts(node, module);
  return parts.every((part) => typeof part === "string") ? parts.join("") : null;
};

const templateParts = (node: NodeOf<"TemplateLiteral">, module: SourceModule, hops: number): TextPart[] =>
  node.quasis.flatMap((quasi, i) => {
    const expression = node.expressions[i];
    const text = quasi.value.cooked ?? quasi.value.raw;
    return expression === undefined ? [text] : [text, ...textParts(expression, module, hops - 1)];
  });

/** `["a", b].join(" ")`, `a.concat(b)`, `String(a)` and `a.trim()` are built from the same pieces. */
const callParts = (node: NodeOf<"CallExpression">, module: SourceModule, hops: number): TextPart[] | null => {
  const callee = bare(node.callee);
  const [first] = node.arguments;
  if (callee.type === "Identifier" && callee.name === "String" && first !== undefined) {
    return textParts(first, module, hops - 1);
  }
  if (callee.type !== "MemberExpression") return null;
  const method = propertyName(callee);
  if (method === "trim") return textParts(callee.object, module, hops - 1);
  const list = resolved(callee.object, module);
  if (method !== "join" || list.type !== "ArrayExpression") return null;
  const separator = first === undefined ? "," : (literalText(bare(first)) ?? "");
  return list.elements.flatMap((element, i) => {
    const parts = element === null ? [] : textParts(element, module, hops - 1);
    return i === 0 ? parts : [separator, ...parts];
  });
};

/** The pieces of the text that an expression builds by `+`, a template, `join` or names that hold such texts. */
export const textParts = (node: Node, module: SourceModule, hops: number = HOPS_MAX): TextPart[] => {
  const inner = bare(node);
  const text = literalText(inner);
  if (text !== null) return [text];
  if (hops === 0) return [inner];
  switch (inner.type) {
    case "TemplateLiteral":
      return templateParts(inner, module, hops);
    case "BinaryExpression":
      return inner.operator === "+"
        ? [...textParts(inner.left, module, hops), ...textParts(inner.right, module, hops)]
        : [inner];
    case "CallExpression":
      return callParts(inner, module, hops) ?? [inner];
    case "Identifier": {
      const value = resolved(inner, module);
      const parts = value === inner ? [inner] : textParts(value, module, hops - 1);
      // A name that holds anything but a text stays a name: what it is called tells more than where it comes from.
      return parts.some((part) => typeof part === "string") ? parts : [inner];
    }
    case "MemberExpression":
      return memberParts(inner, module, hops);
    default:
      return [inner];
  }
};

/** `NAMES.first` of a constant object that is written out here. */
const memberParts = (node: NodeOf<"MemberExpression">, module: SourceModule, hops: number): TextPart[] => {
  const key = propertyName(node);
  const object = resolved(node.object, module);
  if (key === null || object.type !== "ObjectExpression" || object === bare(node.object)) return [node];
  for (const property of object.properties) {
    if (property.type === "Property" && !property.computed && lastNameOfKey(property.key) === key) {
      return textParts(property.value, module, hops - 1);
    }
  }
  return [node];
};

const lastNameOfKey = (key: Node): string | null =>
  key.type === "Identifier" ? key.name : key.type === "Literal" ? String(key.value) : null;

const CONSTANT_CALLS: ReadonlySet<string> = new Set([
  "path.join",
  "path.resolve",
  "path.dirname",
  "url.fileURLToPath",
  "require.resolve",
  "JSON.stringify",
  "Object.freeze",
  "String.raw",
]);

const CONSTANT_NAMES =
  /^(__dirname|__filename|process\.(execPath|platform|arch|version|pid)|import\.meta\..*|os\.EOL)$/;

/** `LIMIT` and `TABLES.users`: by custom, names in capitals never change. */
const isShouted = (node: Node): boolean => {
  const name = lastName(node) ?? "";
  if (/^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/.test(name) && name.length > 1) return true;
  return node.type === "MemberExpression" && isShouted(bare(node.object));
};

/** Whether an expression has the same value in every run, whoever calls: written out, or put together from such. */
export const isConstant = (node: Node, module: SourceModule, hops: number = HOPS_MAX): boolean => {
  const inner = resolved(node, module);
  if (literalText(inner) !== null) return true;
  if (hops === 0) return false;
  const known = inner.type === "MemberExpression" ? memberParts(inner, module, hops) : [inner];
  if (known[0] !== inner) return known.every((part) => typeof part === "string" || isConstant(part, module, hops - 1));
  if (isShouted(inner)) return true;
  const all = (nodes: readonly (Node | null)[]): boolean =>
    nodes.every((one) => one === null || isConstant(one, module, hops - 1));
  switch (inner.type) {
    case "Literal":
    case "ThisExpression":
    case "MetaProperty":
      return inner.type !== "ThisExpression";
    case "TemplateLiteral":
      return all(inner.expressions);
    case "BinaryExpression":
      return all([inner.left, inner.right]);
    case "LogicalExpression":
      return all([inner.left, inner.right]);
    case "ConditionalExpression":
      return all([inner.consequent, inner.alternate]);
    case "ArrayExpression":
      return all(inner.elements);
    case "SpreadElement":
    case "UnaryExpression":
    case "AwaitExpression":
      return all([inner.argument]);
    case "ObjectExpression":
      return inner.properties.every((property) => property.type === "Property" && all([property.value]));
    case "NewExpression":
      return qualifiedName(inner.callee, module) === "URL" && all(inner.arguments);
    case "CallExpression":
      return isConstantCall(inner, module) && all(inner.arguments);
    case "Identifier":
    case "MemberExpression":
      return isConstantName(inner, module);
    default:
      return false;
  }
};

const isConstantCall = (node: NodeOf<"CallExpression">, module: SourceModule): boolean => {
  const name = qualifiedName(node.callee, module) ?? "";
  const callee = bare(node.callee);
  return (
    CONSTANT_CALLS.has(name) ||
    (callee.type === "MemberExpression" &&
      /^(join|trim|toString|toLowerCase|toUpperCase|replace|concat|slice)$/.test(propertyName(callee) ?? "") &&
      isConstant(callee.object, module, 2))
  );
};

/** Files that a bundler makes constants of: pictures, styles, data. */
const ASSET =
  /\.(svg|png|jpe?g|gif|webp|avif|ico|css|scss|less|json|html|txt|md|sql|graphql|wasm)(\?.*)?$|\?(raw|url|inline)$/;

const isConstantName = (node: NodeOf<"Identifier" | "MemberExpression">, module: SourceModule): boolean =>
  CONSTANT_NAMES.test(qualifiedName(node, module) ?? "") ||
  ASSET.test(module.bindingOf(node)?.imported?.from ?? "") ||
  (node.type === "MemberExpression" && bare(node.object).type === "MetaProperty");
