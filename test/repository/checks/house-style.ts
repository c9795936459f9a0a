import { parseSync, Visitor, type Comment, type Node, type Program } from "oxc-parser";
import { isSource, placeOf, type SourceFile } from "./source-file.ts";

/** What a file of src may have lines of. */
const LINES_MAX = 300;

/** Every file of src that is longer than two screens. */
export const lengthFaults = (files: readonly SourceFile[]): readonly string[] =>
  files.filter(isSource).flatMap(({ path, text }) => {
    const lines = text.trimEnd().split("\n").length;
    return lines > LINES_MAX ? [`${path}: ${lines} lines (at most ${LINES_MAX})`] : [];
  });

interface Parsed {
  readonly file: SourceFile;
  readonly program: Program;
  readonly comments: readonly Comment[];
  readonly lineOf: (offset: number) => number;
}

const parse = (file: SourceFile): Parsed => {
  const { program, comments } = parseSync(file.path, file.text);
  return { file, program, comments, lineOf: (offset) => file.text.slice(0, offset).split("\n").length };
};

/** Whether a comment ends on the line above `offset`, or stands on its line. */
const hasComment = ({ comments, lineOf }: Parsed, offset: number): boolean =>
  comments.some(({ end }) => lineOf(end) === lineOf(offset) || lineOf(end) === lineOf(offset) - 1);

/** Every `as` of src that says no reason, above itself or above the statement it is in. `as const` asserts nothing. */
export const castFaults = (files: readonly SourceFile[]): readonly string[] =>
  files.filter(isSource).flatMap((file) => {
    const parsed = parse(file);
    const found: string[] = [];
    const statements: Node[] = [];
    const enter = (node: Node) => void statements.push(node);
    const leave = () => void statements.pop();
    new Visitor({
      ExpressionStatement: enter,
      "ExpressionStatement:exit": leave,
      VariableDeclaration: enter,
      "VariableDeclaration:exit": leave,
      ReturnStatement: enter,
      "ReturnStatement:exit": leave,
      TSAsExpression(node) {
        const { typeAnnotation } = node;
        if (file.text.slice(typeAnnotation.start, typeAnnotation.end) === "const") return;
        const places = [node, typeAnnotation, statements.at(-1) ?? node];
        if (!places.some(({ start }) => hasComment(parsed, start))) {
          found.push(`${placeOf(file, node.start)}: a cast without its reason above`);
        }
      },
    }).visit(parsed.program);
    return found;
  });

/** The names that an export declaration brings. */
const namesOf = (declaration: Node): readonly string[] => {
  if (declaration.type === "VariableDeclaration") {
    return declaration.declarations.map(({ id }) => (id.type === "Identifier" ? id.name : ""));
  }
  return "id" in declaration && declaration.id?.type === "Identifier" ? [declaration.id.name] : [];
};

/** Every export declared in src without a doc comment. A type may share the comment of the schema of its name. */
export const docFaults = (files: readonly SourceFile[]): readonly string[] =>
  files.filter(isSource).flatMap((file) => {
    const parsed = parse(file);
    const docs = parsed.comments.filter(({ type, value }) => type === "Block" && value.startsWith("*"));
    const documented = new Set<string>();
    return parsed.program.body.flatMap((node) => {
      if (node.type !== "ExportNamedDeclaration" || node.declaration === null) return [];
      const names = namesOf(node.declaration);
      const hasDoc = docs.some(({ end }) => parsed.lineOf(end) === parsed.lineOf(node.start) - 1);
      if (hasDoc) for (const name of names) documented.add(name);
      const bare = names.filter((name) => !documented.has(name));
      return bare.map((name) => `${placeOf(file, node.start)}: ${name} has no doc comment`);
    });
  });

/** Every variable of a module of src that can change: two teams in one process would share it. */
export const stateFaults = (files: readonly SourceFile[]): readonly string[] =>
  files.filter(isSource).flatMap((file) =>
    parse(file).program.body.flatMap((node) => {
      const declaration = node.type === "ExportNamedDeclaration" ? node.declaration : node;
      const isMutable = declaration?.type === "VariableDeclaration" && declaration.kind !== "const";
      return isMutable ? [`${placeOf(file, node.start)}: module-level state`] : [];
    }),
  );
