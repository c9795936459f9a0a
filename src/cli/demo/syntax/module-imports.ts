import { qualifiedName } from "./names.ts";
import type { Node, NodeOf } from "./node.ts";
import type { SourceModule } from "./source-module.ts";

/** One use of another module. */
export interface ModuleImport {
  readonly specifier: string;
  /** The names taken from it; `*` when it may be any. Empty for an import for its effects. */
  readonly names: readonly string[];
  readonly node: Node;
}

const textOf = (node: Node | undefined): string | null =>
  node?.type === "Literal" && typeof node.value === "string"
    ? node.value
    : node?.type === "TemplateLiteral" && node.expressions.length === 0
      ? (node.quasis[0]?.value.cooked ?? null)
      : null;

const importedName = (specifier: NodeOf<"ImportDeclaration">["specifiers"][number]): string => {
  if (specifier.type === "ImportNamespaceSpecifier") return "*";
  if (specifier.type === "ImportDefaultSpecifier") return "default";
  return specifier.imported.type === "Literal" ? specifier.imported.value : specifier.imported.name;
};

const staticImport = (node: NodeOf<"ImportDeclaration">): ModuleImport[] => {
  if (node.importKind === "type") return [];
  const values = node.specifiers.filter((one) => one.type !== "ImportSpecifier" || one.importKind !== "type");
  if (values.length === 0 && node.specifiers.length > 0) return [];
  return [{ specifier: node.source.value, names: values.map(importedName), node }];
};

const reexports = (module: SourceModule): ModuleImport[] => [
  ...module.nodes("ExportAllDeclaration").map((node) => ({ specifier: node.source.value, names: ["*"], node })),
  ...module.nodes("ExportNamedDeclaration").flatMap((node) => {
    if (node.source === null || node.exportKind === "type") return [];
    const names = node.specifiers.map(({ local }) => (local.type === "Literal" ? local.value : local.name));
    return [{ specifier: node.source.value, names, node }];
  }),
];

const REQUIRE_NAMES: ReadonlySet<string> = new Set(["require", "module.createRequire()", "require.resolve"]);

const dynamicImports = (module: SourceModule): ModuleImport[] => {
  const whole = (node: Node, source: Node | undefined): ModuleImport[] => {
    const specifier = textOf(source);
    return specifier === null ? [] : [{ specifier, names: ["*"], node }];
  };
  return [
    ...module.nodes("ImportExpression").flatMap((node) => whole(node, node.source)),
    ...module
      .nodes("CallExpression")
      .filter((node) => REQUIRE_NAMES.has(qualifiedName(node.callee, module) ?? ""))
      .flatMap((node) => whole(node, node.arguments[0])),
    ...module.nodes("TSImportEqualsDeclaration").flatMap((node) => {
      const { moduleReference } = node;
      return moduleReference.type === "TSExternalModuleReference" ? whole(node, moduleReference.expression) : [];
    }),
    ...module
      .nodes("NewExpression")
      .filter((node) => node.arguments.length === 2 && qualifiedName(node.callee, module) === "URL")
      .flatMap((node) => whole(node, node.arguments[0])),
  ];
};

/** Every module that a module uses at run time: imports, re-exports, `require`, `import()` and `new URL(path, base)`. */
export const moduleImports = (module: SourceModule): ModuleImport[] => [
  ...module.nodes("ImportDeclaration").flatMap(staticImport),
  ...reexports(module),
  ...dynamicImports(module),
];
