import type { FileRole } from "../file-role.ts";
import type { SourceFile } from "../source-file.ts";
import { createBindings, type Binding, type Bindings } from "./bindings.ts";
import { childrenOf, type Node, type NodeOf, type NodeType, type Program } from "./node.ts";

/** A parsed file with what rules ask of it. */
export interface SourceModule extends Bindings {
  readonly file: SourceFile;
  readonly role: FileRole;
  readonly program: Program;
  /** All nodes of a type, in source order. */
  readonly nodes: <T extends NodeType>(type: T) => readonly NodeOf<T>[];
  readonly parentOf: (node: Node) => Node | null;
  /** Line, from 1, of an offset. */
  readonly lineAt: (offset: number) => number;
  /** Text of a line, from 1; empty beyond the end. */
  readonly lineText: (line: number) => string;
  /** The identifiers that read or write a binding, in source order, without the one that declares it. */
  readonly referencesTo: (binding: Binding) => readonly NodeOf<"Identifier">[];
  /** Whether a name is assigned to after its declaration. */
  readonly isReassigned: (binding: Binding) => boolean;
  /** The answer to a question about a node. Each is answered once, however many rules and places ask. */
  readonly ask: <At extends Node, Answer>(question: Question<At, Answer>, node: At) => Answer;
}

/** Something to find out about a node that takes a walk through all below it. */
export type Question<At extends Node, Answer> = (node: At, module: SourceModule) => Answer;

/** Deeper trees are refused: the analysis recurses. Hand-written code stays below 100. */
const DEPTH_MAX = 600;

const parentOf = (node: Node): Node | null => node.parent ?? null;

/** All nodes of a tree in source order, parents first; null when it is too deep. Notes in each node its parent. */
const flatten = (program: Program): Node[] | null => {
  const nodes: Node[] = [];
  const open: { node: Node; depth: number }[] = [{ node: program, depth: 0 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, depth } = next;
    if (depth > DEPTH_MAX) return null;
    nodes.push(node);
    for (const child of childrenOf(node).toReversed()) {
      child.parent = node;
      open.push({ node: child, depth: depth + 1 });
    }
  }
  return nodes;
};

const groupBy = <Key>(nodes: readonly Node[], keyOf: (node: Node) => Key | null): Map<Key, Node[]> => {
  const groups = new Map<Key, Node[]>();
  for (const node of nodes) {
    const key = keyOf(node);
    if (key === null) continue;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [node]);
    else group.push(node);
  }
  return groups;
};

/** The offsets at which lines begin. */
const lineStarts = (text: string): number[] => {
  const starts = [0];
  for (const match of text.matchAll(/\r\n|\n|\r/g)) starts.push(match.index + match[0].length);
  return starts;
};

const isWrite = (identifier: Node): boolean => {
  let node = identifier;
  for (let parent = parentOf(node); parent !== null; parent = parentOf(parent)) {
    if (parent.type === "AssignmentExpression") return parent.left === node;
    if (parent.type === "UpdateExpression") return true;
    if (parent.type === "ForOfStatement" || parent.type === "ForInStatement") return parent.left === node;
    const isPattern =
      parent.type === "ArrayPattern" ||
      parent.type === "ObjectPattern" ||
      parent.type === "RestElement" ||
      (parent.type === "Property" && parent.value === node) ||
      (parent.type === "AssignmentPattern" && parent.left === node);
    if (!isPattern) return false;
    node = parent;
  }
  return false;
};

/** `compute`, asked once per key. */
const remembered = <Key, Value>(compute: (key: Key) => Value): ((key: Key) => Value) => {
  const known = new Map<Key, Value>();
  return (key) => {
    const value = known.get(key) ?? compute(key);
    known.set(key, value);
    return value;
  };
};

/** Opens a syntax tree, which it takes over, for the rules; null when it is nested too deeply for them. */
export const openModule = (file: SourceFile, role: FileRole, program: Program): SourceModule | null => {
  const all = flatten(program);
  if (all === null) return null;
  const byType = groupBy(all, (node) => node.type);
  const byName = groupBy(byType.get("Identifier") ?? [], (node) => (node.type === "Identifier" ? node.name : null));
  const starts = lineStarts(file.text);
  const { bindingOf } = createBindings(all, parentOf);

  const lineAt = (offset: number): number => {
    let low = 0;
    let high = starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? Infinity) <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  };
  // The groups were made by type and name, so their members have the types asked for.
  const nodes = <T extends NodeType>(type: T) => (byType.get(type) ?? []) as NodeOf<T>[];
  const referencesTo = remembered((binding: Binding) =>
    (byName.get(binding.name) ?? []).filter(
      (node): node is NodeOf<"Identifier"> => node !== binding.identifier && bindingOf(node) === binding,
    ),
  );
  const answers = remembered((_question: unknown) => new Map<Node, unknown>());
  const ask = <At extends Node, Answer>(question: Question<At, Answer>, node: At): Answer => {
    const known = answers(question);
    if (!known.has(node)) known.set(node, question(node, module));
    // What is kept under a question was given by it.
    return known.get(node) as Answer;
  };
  const module: SourceModule = {
    file,
    role,
    program,
    nodes,
    parentOf,
    bindingOf,
    lineAt,
    lineText: (line) =>
      file.text.slice(starts[line - 1] ?? file.text.length, starts[line] ?? file.text.length).trimEnd(),
    referencesTo,
    isReassigned: remembered((binding: Binding) => referencesTo(binding).some((node) => isWrite(node))),
    ask,
  };
  return module;
};
