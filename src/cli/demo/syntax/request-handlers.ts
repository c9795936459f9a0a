import { keyName, lastName, propertyName, qualifiedName, resolved, rootOf } from "./names.ts";
import { bare, isFunction, type FunctionLike, type Node, type NodeOf } from "./node.ts";
import type { SourceModule } from "./source-module.ts";
import { constantText } from "./values.ts";

/** A function that runs once per request, and what says so. */
export interface RequestHandler {
  readonly fn: FunctionLike;
  readonly label: string;
}

const ROUTE_METHODS = /^(get|post|put|patch|delete|del|all|head|options|use|route)$/;
const ROUTERS = /(app|router|server|api|routes?|fastify|hono|koa|express)$/i;
const VERBS = /^(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)$/;
const REQUEST_TYPES = /^(\w*Request|IncomingMessage|NextApiRequest|FastifyRequest)$/;

const parameterName = (fn: FunctionLike, i: number): string => {
  const parameter = fn.params[i];
  return parameter?.type === "Identifier" ? parameter.name : "";
};

const parameterType = (fn: FunctionLike, i: number): string => {
  const parameter = fn.params[i];
  const type = parameter?.type === "Identifier" ? parameter.typeAnnotation?.typeAnnotation : null;
  if (type?.type !== "TSTypeReference") return "";
  return type.typeName.type === "Identifier" ? type.typeName.name : "";
};

/** `(req, res)`, `(request, reply)`, `(ctx, next)`: by custom only handlers are written so. */
const looksLikeHandler = (fn: FunctionLike): boolean => {
  const names = `${parameterName(fn, 0)},${parameterName(fn, 1)}`;
  if (/^_?(req|request),_?(res|response|reply|h|rep)$/.test(names) || /^_?(ctx|context|c),_?next$/.test(names))
    return true;
  return (
    REQUEST_TYPES.test(parameterType(fn, 0)) && /^(req|request),(res|reply|response|next|ctx|context|env|)$/.test(names)
  );
};

const asFunction = (node: Node | undefined, module: SourceModule): FunctionLike | null => {
  const target = node === undefined ? null : resolved(node, module);
  return target !== null && isFunction(target) ? target : null;
};

const routeHandlers = (call: NodeOf<"CallExpression">, module: SourceModule): RequestHandler[] => {
  const callee = bare(call.callee);
  const name = qualifiedName(callee, module) ?? "";
  if (/^(https?|http2)\.create(Secure)?Server$/.test(name) || /^(Bun|Deno)\.serve$/.test(name)) {
    return call.arguments.flatMap((argument) => {
      const fn = asFunction(argument, module);
      return fn === null ? [] : [{ fn, label: name }];
    });
  }
  if (callee.type !== "MemberExpression") return [];
  const method = propertyName(callee) ?? "";
  const [first, ...rest] = call.arguments;
  if (!ROUTE_METHODS.test(method) || first === undefined || !ROUTERS.test(lastName(rootOf(callee)) ?? "")) return [];
  const path = constantText(first, module);
  if (path === null ? method !== "use" : !/^[/*]/.test(path)) return [];
  return (path === null ? call.arguments : rest).flatMap((argument) => {
    const fn = asFunction(argument, module);
    return fn === null ? [] : [{ fn, label: path === null ? "middleware" : `${method.toUpperCase()} ${path}` }];
  });
};

const labelOf = (fn: FunctionLike, module: SourceModule): string | null => {
  const parent = module.parentOf(fn);
  const name =
    fn.id?.name ??
    (parent?.type === "VariableDeclarator" && parent.id.type === "Identifier" ? parent.id.name : null) ??
    (parent?.type === "AssignmentExpression" ? lastName(parent.left) : null) ??
    (parent?.type === "MethodDefinition" || parent?.type === "Property" ? keyName(parent) : null);
  if (looksLikeHandler(fn)) return name ?? "handler";
  const isFirstRequest = /^_?(req|request)$/.test(parameterName(fn, 0));
  if (name !== null && VERBS.test(name) && isFirstRequest) return name;
  return name === "fetch" && isFirstRequest && fn.params.length <= 3 && parent?.type === "Property" ? name : null;
};

/** All functions of a module that serve requests, in source order, each once. */
export const requestHandlers = (module: SourceModule): RequestHandler[] => {
  const labels = new Map<FunctionLike, string>();
  for (const call of module.nodes("CallExpression")) {
    for (const { fn, label } of routeHandlers(call, module)) if (!labels.has(fn)) labels.set(fn, label);
  }
  const types = ["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"] as const;
  for (const fn of types.flatMap((type): readonly Node[] => module.nodes(type))) {
    if (!isFunction(fn) || labels.has(fn)) continue;
    const label = labelOf(fn, module);
    if (label !== null) labels.set(fn, label);
  }
  return [...labels].map(([fn, label]) => ({ fn, label })).toSorted((a, b) => a.fn.start - b.fn.start);
};
