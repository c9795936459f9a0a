import { declaredNames, type DeclaredName } from "./declared-names.ts";
import { isFunction, type Expression, type FunctionLike, type Node, type NodeOf } from "./node.ts";

/** A name as one scope declares it, with what is known of its value. */
export interface Binding {
  readonly name: string;
  readonly kind: "import" | "const" | "let" | "var" | "param" | "function" | "class" | "catch" | "other";
  /** The identifier that declares it. */
  readonly identifier: Node;
  /** What it is bound to where it is declared; null when nothing there tells. */
  readonly value: Node | null;
  /** The properties of `value` that destructuring takes, outermost first; null when they can't be told. */
  readonly path: readonly string[] | null;
  /** For an import: the module, and the name there (`*` = namespace). */
  readonly imported: { readonly from: string; readonly name: string } | null;
  /** For a parameter: its function. */
  readonly owner: FunctionLike | null;
  /** For a loop variable: the loop. */
  readonly loop: NodeOf<"ForOfStatement" | "ForInStatement" | "ForStatement"> | null;
}

/** Finds what an identifier stands for. */
export interface Bindings {
  /** The binding that `identifier` refers to or declares; null for globals. */
  readonly bindingOf: (identifier: Node) => Binding | null;
}

type Scope = Map<string, Binding>;

const SCOPES: ReadonlySet<Node["type"]> = new Set<Node["type"]>([
  "Program",
  "FunctionDeclaration",
  "FunctionExpression",
  "ArrowFunctionExpression",
  "TSDeclareFunction",
  "BlockStatement",
  "ForStatement",
  "ForInStatement",
  "ForOfStatement",
  "CatchClause",
  "SwitchStatement",
  "ClassDeclaration",
  "ClassExpression",
  "StaticBlock",
  "TSModuleBlock",
]);

const isHoistScope = (node: Node): boolean =>
  node.type === "Program" || isFunction(node) || node.type === "TSModuleBlock" || node.type === "StaticBlock";

const none = { value: null, path: [], imported: null, owner: null, loop: null } as const;

const loopOf = (parent: Node | null): Binding["loop"] =>
  parent?.type === "ForOfStatement" || parent?.type === "ForInStatement" || parent?.type === "ForStatement"
    ? parent
    : null;

const importBindings = (node: NodeOf<"ImportDeclaration">): Binding[] =>
  node.specifiers.map((specifier) => {
    const imported = specifier.type === "ImportSpecifier" ? specifier.imported : null;
    const name =
      imported === null
        ? specifier.type === "ImportDefaultSpecifier"
          ? "default"
          : "*"
        : imported.type === "Literal"
          ? imported.value
          : imported.name;
    const from = node.source.value;
    return {
      ...none,
      name: specifier.local.name,
      kind: "import",
      identifier: specifier.local,
      imported: { from, name },
    };
  });

const named = (kind: Binding["kind"], identifier: Node | null, value: Node | null): Binding[] =>
  identifier?.type === "Identifier" ? [{ ...none, name: identifier.name, kind, identifier, value }] : [];

const parameterBindings = (owner: FunctionLike): Binding[] =>
  owner.params.flatMap((parameter) =>
    declaredNames(parameter).map(({ name, identifier, path }: DeclaredName): Binding => ({
      ...none,
      name,
      kind: "param",
      identifier,
      path,
      owner,
    })),
  );

/** What a node declares, and whether in the scope that the node opens itself, around it, or around its function. */
const declarationsOf = (node: Node, parent: Node | null): { where: "own" | "around" | "hoisted"; names: Binding[] } => {
  switch (node.type) {
    case "ImportDeclaration":
      return { where: "hoisted", names: importBindings(node) };
    case "TSImportEqualsDeclaration":
      return { where: "around", names: named("const", node.id, node.moduleReference) };
    case "CatchClause":
      return {
        where: "own",
        names: declaredNames(node.param).map((found) => ({ ...none, ...found, kind: "catch" })),
      };
    case "ClassDeclaration":
      return { where: "around", names: named("class", node.id, node) };
    case "ClassExpression":
      return { where: "own", names: named("class", node.id, node) };
    case "FunctionDeclaration":
    case "TSDeclareFunction":
      return { where: "around", names: named("function", node.id, node) };
    case "TSEnumDeclaration":
    case "TSModuleDeclaration":
      return { where: "around", names: named("other", node.id, node) };
    case "VariableDeclarator": {
      const declaration = parent?.type === "VariableDeclaration" ? parent : null;
      const kind = declaration?.kind ?? "let";
      const common = { ...none, value: node.init, kind: kind === "let" || kind === "var" ? kind : "const" } as const;
      const names = declaredNames(node.id).map((found) => ({ ...common, ...found }));
      return { where: kind === "var" ? "hoisted" : "around", names };
    }
    default:
      return { where: "around", names: [] };
  }
};

/** Property names and labels look like references but stand for themselves. */
const isPropertyName = (node: Node, parent: Node | null): boolean => {
  switch (parent?.type) {
    case "MemberExpression":
      return parent.property === node && !parent.computed;
    case "Property":
    case "MethodDefinition":
    case "PropertyDefinition":
    case "AccessorProperty":
      return parent.key === node && !parent.computed;
    case "ImportSpecifier":
      return parent.imported === node && parent.local !== node;
    case "ExportSpecifier":
      return parent.local !== node;
    case "LabeledStatement":
    case "BreakStatement":
    case "ContinueStatement":
    case "MetaProperty":
    case "TSEnumMember":
    case "TSPropertySignature":
    case "TSMethodSignature":
    case "TSNamedTupleMember":
      return !("initializer" in parent && parent.initializer === node);
    default:
      return false;
  }
};

/** Reads all declarations of a tree, whose nodes come in source order, parents first. */
export const createBindings = (nodes: readonly Node[], parentOf: (node: Node) => Node | null): Bindings => {
  const scopes = new Map<Node, Scope>();
  const scopeAbove = (node: Node, fits: (scope: Node) => boolean): Node | null => {
    let scope = parentOf(node);
    while (scope !== null && !(SCOPES.has(scope.type) && fits(scope))) scope = parentOf(scope);
    return scope;
  };
  const declare = (scope: Node | null, binding: Binding): void => {
    if (scope === null) return;
    const names = scopes.get(scope) ?? new Map<string, Binding>();
    scopes.set(scope, names);
    // An overload or a repeated `var` adds nothing; the one with a body or a value tells more.
    const known = names.get(binding.name);
    if (known === undefined || known.value === null || known.value.type === "TSDeclareFunction") {
      names.set(binding.name, binding);
    }
  };
  for (const node of nodes) {
    const parent = parentOf(node);
    if (isFunction(node)) {
      for (const binding of parameterBindings(node)) declare(node, binding);
      if (node.type === "FunctionExpression") for (const name of named("function", node.id, node)) declare(node, name);
    }
    const { where, names } = declarationsOf(node, parent);
    if (names.length === 0) continue;
    const scope = where === "own" ? node : scopeAbove(node, where === "hoisted" ? isHoistScope : () => true);
    const loop = node.type === "VariableDeclarator" && parent !== null ? loopOf(parentOf(parent)) : null;
    for (const binding of names) declare(scope, loop === null ? binding : { ...binding, loop });
  }
  return {
    bindingOf: (identifier) => {
      if (identifier.type !== "Identifier" || isPropertyName(identifier, parentOf(identifier))) return null;
      for (let at: Node | null = identifier; at !== null; at = parentOf(at)) {
        const found = scopes.get(at)?.get(identifier.name);
        if (found !== undefined) return found;
      }
      return null;
    },
  };
};

/** The expression that a binding is known to hold for its whole life, or null. Ask only of names never assigned to. */
export const heldValue = (binding: Binding): Expression | null =>
  // A declarator's value is an expression; functions and classes are both declaration and expression here.
  binding.path?.length === 0 && binding.loop === null ? (binding.value as Expression | null) : null;
