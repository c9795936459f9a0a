import type { Project } from "../project.ts";
import { descendantsOf, isFunction, type FunctionLike, type Node } from "../syntax/node.ts";
import { requestHandlers } from "../syntax/request-handlers.ts";
import type { SourceModule } from "../syntax/source-module.ts";
import { calleeOf } from "./callees.ts";

/** A function that runs once per request: a handler, or what one calls. */
export interface HotFunction {
  readonly fn: FunctionLike;
  readonly module: SourceModule;
  /** The handler: what it serves, and where it stands. */
  readonly label: string;
  readonly place: string;
  readonly isHandler: boolean;
}

/** How far calls are followed from a handler. */
const CALLS_DEEP_MAX = 5;

/** Every function of a project that serves requests, directly or through calls that names show, handlers first. */
export const hotFunctions = (project: Project): ReadonlyMap<Node, HotFunction> => {
  const hot = new Map<Node, HotFunction>();
  let added: HotFunction[] = [];
  const add = (one: HotFunction): void => {
    if (hot.has(one.fn)) return;
    hot.set(one.fn, one);
    added.push(one);
  };
  for (const module of project.modules) {
    if (module.role === "test") continue;
    for (const { fn, label } of requestHandlers(module)) {
      const place = `${module.file.path}:${module.lineAt(fn.start)}`;
      add({ fn, module, label, place, isHandler: true });
    }
  }
  for (let depth = 0; depth < CALLS_DEEP_MAX && added.length > 0; depth += 1) {
    const last = added;
    added = [];
    for (const { fn, module, label, place } of last) {
      for (const call of descendantsOf(fn)) {
        const callee = call.type === "CallExpression" ? calleeOf(call, module, project) : null;
        if (callee !== null && callee.module.role !== "test") add({ ...callee, label, place, isHandler: false });
      }
    }
  }
  return hot;
};

/** The hot function around a node, innermost first; null when nothing shows that it serves requests. */
export const hotAround = (
  node: Node,
  module: SourceModule,
  hot: ReadonlyMap<Node, HotFunction>,
): HotFunction | null => {
  for (let at: Node | null = node; at !== null; at = module.parentOf(at)) {
    const found = isFunction(at) ? hot.get(at) : undefined;
    if (found !== undefined) return found;
  }
  return null;
};
