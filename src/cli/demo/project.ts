import { roleOf, type FileRole } from "./file-role.ts";
import { compareTexts } from "./finding.ts";
import { createImportResolver, type ImportResolver } from "./import-resolver.ts";
import type { SkippedFile } from "./read-project.ts";
import { isParsedLanguage, type SourceFile } from "./source-file.ts";
import { moduleExports, type ModuleExport } from "./syntax/module-exports.ts";
import { moduleImports, type ModuleImport } from "./syntax/module-imports.ts";
import { parseApart } from "./syntax/parse-apart.ts";
import type { ParsedSource, ParseFailure } from "./syntax/parse-source.ts";
import { openModule, type SourceModule } from "./syntax/source-module.ts";

/** A file that the parser refused. */
export interface UnparsableFile extends ParseFailure {
  readonly file: SourceFile;
  readonly role: FileRole;
}

/** What the reviewers look at: the files of a folder, parsed once, whatever order they came in. */
export interface Project {
  /** All files that were read, by path. */
  readonly files: readonly SourceFile[];
  readonly skipped: readonly SkippedFile[];
  /** The JavaScript and TypeScript files that were parsed, by path. */
  readonly modules: readonly SourceModule[];
  readonly unparsable: readonly UnparsableFile[];
  /** Files that get the smaller, line-based analysis: other languages, and what the parser refused. */
  readonly smaller: readonly { readonly file: SourceFile; readonly role: FileRole }[];
  /** Files that are not analysed at all, and why. */
  readonly unanalysed: readonly { readonly path: string; readonly reason: string }[];
  readonly moduleAt: (path: string) => SourceModule | null;
  readonly exportsOf: (module: SourceModule) => readonly ModuleExport[];
  readonly importsOf: (module: SourceModule) => readonly ModuleImport[];
  readonly resolveImport: ImportResolver;
  /** What `compute` makes of this project, made once however often it is asked for. */
  readonly once: <Value extends object>(compute: (project: Project) => Value) => Value;
}

/** Parses sources and gives back what `use` makes of each result, in order. */
export type SourceParser = <Value>(
  sources: readonly SourceFile[],
  use: (result: ParsedSource, index: number) => Value,
) => Promise<Value[]>;

/** What `openProject` needs beside the files. */
export interface OpenOptions {
  readonly skipped?: readonly SkippedFile[];
  readonly signal?: AbortSignal;
  /** Parses the sources and hands each result on, in order; by default in a process of their own. */
  readonly parse?: SourceParser;
}

const PARSE_FILE_MS = 20_000;
const PARSER_CRASHES_MAX = 20;

const NOT_ANALYSED: Readonly<Partial<Record<FileRole, string>>> = {
  fixture: "test fixture",
  declaration: "type declarations only",
  vendored: "written by others (vendor folder)",
  generated: "generated, minified or a lock file",
};

const cached = <Key extends object, Value>(compute: (key: Key) => Value): ((key: Key) => Value) => {
  const known = new WeakMap<Key, Value>();
  return (key) => {
    const value = known.get(key) ?? compute(key);
    known.set(key, value);
    return value;
  };
};

/** Keeps what functions made of a project, as long as the project itself. */
const createOnce = (projectOf: () => Project): Project["once"] => {
  const known = new Map<unknown, object>();
  return <Value extends object>(compute: (project: Project) => Value): Value => {
    // A function's own result is kept under it, so it has the type that the function gives.
    const value = (known.get(compute) as Value | undefined) ?? compute(projectOf());
    known.set(compute, value);
    return value;
  };
};

interface Source {
  readonly file: SourceFile;
  readonly role: FileRole;
}

const openSource = ({ file, role }: Source, { program, failure }: ParsedSource): SourceModule | UnparsableFile => {
  if (failure !== null) return { file, role, ...failure };
  return openModule(file, role, program) ?? { file, role, line: 1, message: "Nested too deeply to be analysed" };
};

/** Parses the files of a project, in a process of their own. Unparsable files are listed, never thrown. */
export const openProject = async (unordered: readonly SourceFile[], options: OpenOptions = {}): Promise<Project> => {
  const files = unordered.toSorted((a, b) => compareTexts(a.path, b.path));
  const withRoles = files.map((file) => ({ file, role: roleOf(file) }));
  const analysed = withRoles.filter(({ role }) => NOT_ANALYSED[role] === undefined);
  const sources = analysed.filter(({ file }) => isParsedLanguage(file.language));
  const limits = { fileMs: PARSE_FILE_MS, crashesMax: PARSER_CRASHES_MAX, signal: options.signal };
  const parse: SourceParser = options.parse ?? ((toParse, use) => parseApart(toParse, limits, use));
  const opened = await parse(
    sources.map(({ file }) => file),
    // Results come in the order of the sources.
    (result, i) => openSource(sources[i] as Source, result),
  );
  const modules = opened.filter((one): one is SourceModule => "program" in one);
  const unparsable = opened.filter((one): one is UnparsableFile => "message" in one);
  const byPath = new Map(modules.map((module) => [module.file.path, module]));
  const project: Project = {
    files,
    skipped: options.skipped ?? [],
    modules,
    unparsable,
    smaller: analysed.filter(({ file }) => !byPath.has(file.path)),
    unanalysed: withRoles.flatMap(({ file, role }) => {
      const reason = NOT_ANALYSED[role];
      return reason === undefined ? [] : [{ path: file.path, reason }];
    }),
    moduleAt: (path) => byPath.get(path) ?? null,
    exportsOf: cached(moduleExports),
    importsOf: cached(moduleImports),
    resolveImport: createImportResolver(files),
    once: createOnce(() => project),
  };
  return project;
};
