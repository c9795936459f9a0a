import { propertyName, qualifiedName, resolved } from "./names.ts";
import { bare, type Node, type NodeOf } from "./node.ts";
import type { SourceModule } from "./source-module.ts";

const REQUEST_NAMES = /^_?(req|request|ctx|context|c|event|evt)$/;
const INPUT_PROPERTIES =
  /^(params|query|body|headers|cookies|url|originalUrl|path|hash|file|files|queryStringParameters|pathParameters|searchParams)$/;
const INPUT_METHODS = /^(param|query|header|json|text|formData|parseBody|get|getAll)$/;

/** Calls that leave nothing of a text that could reach beyond its place. */
const CLEANERS =
  /^(Number|parseInt|parseFloat|Boolean|BigInt|String\.fromCharCode|path\.basename|encodeURIComponent|Number\.\w+)$/;
const CLEANER_NAMES = /(sanitiz|sanitis|escape|validate|purify|allow|whitelist|slug|parse$|safe)/i;

/** A parameter that a handler gets a request in, by what it is called. */
const isRequest = (node: Node, module: SourceModule): boolean => {
  const inner = bare(node);
  if (inner.type === "MemberExpression") {
    // Koa and Hono keep the request in their context: `ctx.request`, `c.req`.
    return /^(req|request)$/.test(propertyName(inner) ?? "") && isRequest(inner.object, module);
  }
  if (inner.type !== "Identifier" || !REQUEST_NAMES.test(inner.name)) return false;
  return module.bindingOf(inner)?.kind === "param";
};

/** A parameter that is the address of a request: its type says URL, or its name does. */
const isRequestUrl = (node: Node, module: SourceModule): boolean => {
  const binding = node.type === "Identifier" ? module.bindingOf(node) : null;
  if (binding?.kind !== "param" || binding.identifier.type !== "Identifier") return false;
  const type = binding.identifier.typeAnnotation?.typeAnnotation;
  if (type?.type !== "TSTypeReference") return type === undefined && /^(url|requestUrl)$/.test(binding.name);
  return type.typeName.type === "Identifier" && type.typeName.name === "URL";
};

const isInputMember = (node: NodeOf<"MemberExpression">, module: SourceModule, hops: number): boolean => {
  const name = propertyName(node) ?? "";
  if (isRequest(node.object, module)) return INPUT_PROPERTIES.test(name);
  // An address made of a request's own leads where the request went; what follows the host is the client's choice.
  if (/^(searchParams|search|pathname|hash)$/.test(name)) {
    const object = resolved(node.object, module);
    if (isRequestUrl(object, module)) return true;
    const [address] = object.type === "NewExpression" ? object.arguments : [];
    return address !== undefined && isRequestInput(address, module, hops);
  }
  return name !== "length" && isRequestInput(node.object, module, hops);
};

const isInputCall = (node: NodeOf<"CallExpression">, module: SourceModule, hops: number): boolean => {
  const callee = bare(node.callee);
  const called = qualifiedName(callee, module) ?? "";
  if (CLEANERS.test(called)) return false;
  if (called === "String" || called === "decodeURIComponent" || /^path\.(join|resolve|normalize)$/.test(called)) {
    return node.arguments.some((argument) => isRequestInput(argument, module, hops));
  }
  if (callee.type !== "MemberExpression") return false;
  const method = propertyName(callee) ?? "";
  if (CLEANER_NAMES.test(method)) return false;
  if (isRequest(callee.object, module)) return INPUT_METHODS.test(method);
  return /^(get|toString|trim|replace|slice|split|at|concat|toLowerCase)$/.test(method)
    ? isRequestInput(callee.object, module, hops)
    : false;
};

const isInputName = (node: NodeOf<"Identifier">, module: SourceModule, hops: number): boolean => {
  const binding = module.bindingOf(node);
  if (binding === null || binding.loop !== null) return false;
  if (binding.kind === "param") {
    // `({ params }) =>` and `({ query: { id } }, res) =>` take a request apart in the parameter itself.
    const [first, ...rest] = binding.path ?? [];
    const isTakenApart = binding.owner?.params.length === 2 && rest.length + (first === undefined ? 0 : 1) > 0;
    return isTakenApart && /^(params|query|body)$/.test(first ?? "");
  }
  if (binding.value === null || binding.path === null) return false;
  const [first] = binding.path;
  if (first !== undefined && isRequest(binding.value, module)) return INPUT_PROPERTIES.test(first);
  return isRequestInput(binding.value, module, hops);
};

/**
 * Whether an expression carries what a client sent: `req.params.id`, `c.req.query("q")`, a name that holds such, or a
 * text built from such. Numbers, encoded texts, base names and whatever went through a validator do not count.
 */
export const isRequestInput = (node: Node, module: SourceModule, hops: number = 5): boolean => {
  if (hops === 0) return false;
  const inner = bare(node);
  const any = (nodes: readonly Node[]): boolean => nodes.some((one) => isRequestInput(one, module, hops - 1));
  switch (inner.type) {
    case "MemberExpression":
      return isInputMember(inner, module, hops);
    case "CallExpression":
      return isInputCall(inner, module, hops - 1);
    case "Identifier":
      return isInputName(inner, module, hops - 1);
    case "TemplateLiteral":
      return any(inner.expressions);
    case "BinaryExpression":
      return inner.operator === "+" && any([inner.left, inner.right]);
    case "LogicalExpression":
      return any([inner.left, inner.right]);
    case "ConditionalExpression":
      return any([inner.consequent, inner.alternate]);
    case "AwaitExpression":
      return any([inner.argument]);
    default:
      return false;
  }
};
