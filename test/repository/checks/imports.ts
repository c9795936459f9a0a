import { parseSync, Visitor, type Argument, type Expression } from "oxc-parser";
import { placeOf, type SourceFile } from "./source-file.ts";

/** One module that a file names, in whatever way; `specifier` is null when it is computed at run time. */
export interface Import {
  readonly specifier: string | null;
  readonly place: string;
}

function literalOf(node: Expression | Argument | undefined): string | null {
  if (node?.type === "Literal" && typeof node.value === "string") return node.value;
  if (node?.type === "TemplateLiteral" && node.expressions.length === 0) return node.quasis[0]?.value.cooked ?? null;
  return null;
}

/** All imports of a file: static, side-effect, re-export, type, dynamic, `require` and `import.meta.resolve`. */
export function importsOf(file: SourceFile): readonly Import[] {
  const found: Import[] = [];
  const add = (specifier: string | null, { start }: { start: number }) =>
    found.push({ specifier, place: placeOf(file, start) });
  new Visitor({
    ImportDeclaration: (node) => void add(node.source.value, node),
    ExportAllDeclaration: (node) => void add(node.source.value, node),
    ExportNamedDeclaration: (node) => void (node.source && add(node.source.value, node)),
    ImportExpression: (node) => void add(literalOf(node.source), node),
    TSImportType: (node) => void add(node.source.value, node),
    TSExternalModuleReference: (node) => void add(node.expression.value, node),
    CallExpression(node) {
      const { callee } = node;
      const isRequire = callee.type === "Identifier" && callee.name === "require";
      const isResolve =
        callee.type === "MemberExpression" &&
        callee.object.type === "MetaProperty" &&
        callee.property.type === "Identifier" &&
        callee.property.name === "resolve";
      if (isRequire || isResolve) add(literalOf(node.arguments[0]), node);
    },
  }).visit(parseSync(file.path, file.text).program);
  return found;
}
