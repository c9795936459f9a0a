import { declaredNames } from "./declared-names.ts";
import { keyName, propertyName, qualifiedName, resolved } from "./names.ts";
import { bare, isFunction, type Node, type NodeOf } from "./node.ts";
import type { SourceModule } from "./source-module.ts";

/** One name that a module offers. */
export interface ModuleExport {
  /** `default` for the default export, `*` for everything of `from`. */
  readonly name: string;
  /** `behaviour` can be called or made; `data` only be read; types vanish. */
  readonly kind: "behaviour" | "data" | "type" | "unknown";
  readonly node: Node;
  /** What it stands for, when it is defined here. */
  readonly value: Node | null;
  /** For a re-export: the other module and the name there (`*` = all of it). */
  readonly source: { readonly from: string; readonly name: string } | null;
}

const kindOfValue = (value: Node | null): ModuleExport["kind"] => {
  if (value === null) return "unknown";
  const inner = bare(value);
  if (isFunction(inner) || inner.type === "ClassDeclaration" || inner.type === "ClassExpression") return "behaviour";
  if (inner.type === "CallExpression" || inner.type === "NewExpression" || inner.type === "ConditionalExpression") {
    return "unknown";
  }
  const isTable = inner.type === "ObjectExpression" && inner.properties.some((one) => isBehaviour(one));
  return isTable ? "behaviour" : "data";
};

const isBehaviour = (property: NodeOf<"Property"> | NodeOf<"SpreadElement">): boolean =>
  property.type === "Property" && isFunction(bare(property.value));

const local = (name: string, node: Node, value: Node | null): ModuleExport => ({
  name,
  kind: kindOfValue(value),
  node,
  value,
  source: null,
});

const declared = (declaration: NodeOf<"ExportNamedDeclaration">["declaration"]): ModuleExport[] => {
  switch (declaration?.type) {
    case "VariableDeclaration":
      return declaration.declarations.flatMap((one) =>
        declaredNames(one.id).map(({ name, identifier, path }) =>
          local(name, identifier, path?.length === 0 ? one.init : null),
        ),
      );
    case "FunctionDeclaration":
    case "ClassDeclaration":
      return declaration.id === null ? [] : [local(declaration.id.name, declaration.id, declaration)];
    case "TSEnumDeclaration":
      return [{ ...local(declaration.id.name, declaration.id, null), kind: "data" }];
    default:
      return [];
  }
};

const nameOf = (name: NodeOf<"ExportSpecifier">["exported"]): string =>
  name.type === "Literal" ? name.value : name.name;

const named = (node: NodeOf<"ExportNamedDeclaration">, module: SourceModule): ModuleExport[] => {
  if (node.exportKind === "type") return [];
  const from = node.source?.value ?? null;
  const specifiers = node.specifiers.flatMap((specifier): ModuleExport[] => {
    if (specifier.exportKind === "type") return [];
    const name = nameOf(specifier.exported);
    if (from !== null) return [reexport(name, specifier, from, nameOf(specifier.local))];
    const binding = specifier.local.type === "Identifier" ? module.bindingOf(specifier.local) : null;
    // A name without a binding here is a type, or a global.
    if (binding === null) return [];
    if (binding.imported !== null) return [reexport(name, specifier, binding.imported.from, binding.imported.name)];
    return [local(name, binding.identifier, binding.path?.length === 0 ? binding.value : null)];
  });
  return [...declared(node.declaration), ...specifiers];
};

const reexport = (name: string, node: Node, from: string, nameThere: string): ModuleExport => ({
  name,
  kind: "unknown",
  node,
  value: null,
  source: { from, name: nameThere },
});

const defaultExport = (node: NodeOf<"ExportDefaultDeclaration">, module: SourceModule): ModuleExport[] => {
  const { declaration } = node;
  if (declaration.type === "TSInterfaceDeclaration") return [];
  return [local("default", declaration, resolved(declaration, module))];
};

/** `module.exports = ...`, `exports.a = ...`, `module.exports.a = ...`. */
const commonJsExports = (node: NodeOf<"AssignmentExpression">, module: SourceModule): ModuleExport[] => {
  if (node.left.type !== "MemberExpression") return [];
  const target = qualifiedName(node.left, module) ?? "";
  const value = resolved(node.right, module);
  const required = requiredBy(value);
  if (target === "module.exports" && required !== null) return [reexport("*", node.left, required, "*")];
  if (target !== "module.exports") {
    const key = /^(module\.)?exports\.\w+$/.test(target) ? propertyName(node.left) : null;
    return key === null || key === "__esModule" ? [] : [local(key, node.left, value)];
  }
  if (value.type !== "ObjectExpression") return [local("default", node.left, value)];
  return value.properties.flatMap((property) => {
    const key = property.type === "Property" ? keyName(property) : null;
    return property.type !== "Property" || key === null ? [] : [local(key, property, resolved(property.value, module))];
  });
};

/** The module that `require("...")` names. */
const requiredBy = (value: Node): string | null => {
  if (value.type !== "CallExpression" || value.callee.type !== "Identifier" || value.callee.name !== "require")
    return null;
  const [first] = value.arguments;
  return first?.type === "Literal" && typeof first.value === "string" ? first.value : null;
};

/** Everything that a module offers to others at run time, in source order. */
export const moduleExports = (module: SourceModule): ModuleExport[] => {
  const found = module.program.body.flatMap((statement): ModuleExport[] => {
    switch (statement.type) {
      case "ExportNamedDeclaration":
        return named(statement, module);
      case "ExportDefaultDeclaration":
        return defaultExport(statement, module);
      case "ExportAllDeclaration":
        if (statement.exportKind === "type") return [];
        return [
          reexport(
            statement.exported === null ? "*" : nameOf(statement.exported),
            statement,
            statement.source.value,
            "*",
          ),
        ];
      default:
        return [];
    }
  });
  if (found.length > 0) return found;
  return module.nodes("AssignmentExpression").flatMap((node) => commonJsExports(node, module));
};
