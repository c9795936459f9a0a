import type { Project } from "../project.ts";
import { keyName, propertyName, resolved } from "../syntax/names.ts";
import { bare, isFunction, type FunctionLike, type Node, type NodeOf } from "../syntax/node.ts";
import type { SourceModule } from "../syntax/source-module.ts";

/** A function, and the module it is written in. */
export interface Callee {
  readonly fn: FunctionLike;
  readonly module: SourceModule;
}

const REEXPORTS_MAX = 6;

const exported = (project: Project, path: string | null, name: string, hops: number): Callee | null => {
  const module = path === null ? null : project.moduleAt(path);
  if (module === null || hops === 0) return null;
  for (const one of project.exportsOf(module)) {
    if (one.name !== name && one.name !== "*") continue;
    const value = one.value === null ? null : resolved(one.value, module);
    if (value !== null && isFunction(value)) return { fn: value, module };
    if (one.source === null) continue;
    const nameThere = one.source.name === "*" ? name : one.source.name;
    const there = exported(project, project.resolveImport(one.source.from, module.file.path), nameThere, hops - 1);
    if (there !== null) return there;
  }
  return null;
};

const methodOfThis = (node: Node, name: string, module: SourceModule): Callee | null => {
  let at = module.parentOf(node);
  while (at !== null && at.type !== "ClassBody") at = module.parentOf(at);
  for (const member of at?.body ?? []) {
    if (member.type === "MethodDefinition" && keyName(member) === name && isFunction(member.value)) {
      return { fn: member.value, module };
    }
  }
  return null;
};

/** The function of this project that a call runs, as far as names tell; null for everything else. */
export const calleeOf = (call: NodeOf<"CallExpression">, module: SourceModule, project: Project): Callee | null => {
  const callee = bare(call.callee);
  const target = resolved(callee, module);
  if (isFunction(target)) return { fn: target, module };
  const object = callee.type === "MemberExpression" ? bare(callee.object) : callee;
  const property = callee.type === "MemberExpression" ? propertyName(callee) : null;
  if (object.type === "ThisExpression") return property === null ? null : methodOfThis(call, property, module);
  const imported = module.bindingOf(object)?.imported ?? null;
  if (imported === null) return null;
  const path = project.resolveImport(imported.from, module.file.path);
  if (callee.type === "MemberExpression") {
    return imported.name === "*" && property !== null ? exported(project, path, property, REEXPORTS_MAX) : null;
  }
  return exported(project, path, imported.name, REEXPORTS_MAX);
};
