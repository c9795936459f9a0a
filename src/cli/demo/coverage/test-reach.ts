import { join } from "node:path/posix";
import type { Project } from "../project.ts";
import { lastName } from "../syntax/names.ts";
import type { SourceModule } from "../syntax/source-module.ts";

/** What the tests of a project lead to. */
export interface TestReach {
  /** Modules that a test imports, also through modules that only pass on their exports, or runs by their path. */
  readonly direct: ReadonlySet<string>;
  /** Modules that only others lead to, with one that does. */
  readonly indirect: ReadonlyMap<string, string>;
  /** Modules that a directly tested one uses, rather than passing them on. */
  readonly parts: ReadonlySet<string>;
  /** Every name that stands in a test. */
  readonly names: ReadonlySet<string>;
}

const SOURCE_PATH = /^[\w@.\-/ ]+\.[cm]?[jt]sx?$/;

/** Texts in a test that are paths of modules, as in `spawn("node", ["src/cli.ts"])`. */
const pathsNamedIn = (module: SourceModule, project: Project): string[] =>
  module.nodes("Literal").flatMap((node) => {
    const { value } = node;
    // What is imported is followed by its names, which says more.
    const parent = module.parentOf(node);
    const isSpecifier = /^(Import|Export)/.test(parent?.type ?? "");
    // What is mocked is not tested.
    const isMocked = parent?.type === "CallExpression" && /mock$/i.test(lastName(parent.callee) ?? "");
    if (isSpecifier || isMocked || typeof value !== "string" || !SOURCE_PATH.test(value)) return [];
    const beside = project.resolveImport(`./${value}`, module.file.path);
    const fromRoot = project.resolveImport(`./${join(value)}`, "package.json");
    return [beside, fromRoot].filter((path) => path !== null);
  });

const namesIn = (module: SourceModule): string[] => [
  ...module.nodes("Identifier").map(({ name }) => name),
  ...module.nodes("JSXIdentifier").map(({ name }) => name),
];

/** Whether a module offers a name, itself or by passing on all of another. */
const offers = (project: Project, path: string | null, name: string, seen: Set<string>): boolean => {
  const module = path === null || seen.has(path) ? null : project.moduleAt(path);
  if (module === null || path === null) return false;
  seen.add(path);
  return project
    .exportsOf(module)
    .some(
      (one) =>
        one.name === name ||
        (one.name === "*" &&
          one.source !== null &&
          offers(project, project.resolveImport(one.source.from, path), name, seen)),
    );
};

const createMarker = (project: Project, direct: Set<string>) => {
  const seen = new Set<string>();
  const mark = (path: string, name: string): void => {
    const key = `${name} ${path}`;
    if (seen.has(key)) return;
    seen.add(key);
    direct.add(path);
    const module = project.moduleAt(path);
    if (module === null) return;
    for (const one of project.exportsOf(module)) {
      if (one.source === null) continue;
      const there = project.resolveImport(one.source.from, path);
      if (there === null) continue;
      const isAll = name === "*" || one.name === name;
      if (one.name !== "*" && isAll) mark(there, one.source.name);
      if (one.name === "*" && (name === "*" || offers(project, there, name, new Set()))) mark(there, name);
    }
  };
  return mark;
};

const importsByText = (text: string): string[] =>
  [...text.matchAll(/(?:from|import|require\()\s*["']([^"'\n]{1,300})["']/g)].map(([, specifier]) => specifier ?? "");

const reachFrom = (project: Project, direct: ReadonlySet<string>): Map<string, string> => {
  const indirect = new Map<string, string>();
  const open = [...direct].toSorted();
  for (let path = open.shift(); path !== undefined; path = open.shift()) {
    const module = project.moduleAt(path);
    if (module === null) continue;
    for (const { specifier } of project.importsOf(module)) {
      const target = project.resolveImport(specifier, path);
      if (target === null || direct.has(target) || indirect.has(target)) continue;
      indirect.set(target, path);
      open.push(target);
    }
  }
  return indirect;
};

const partsOf = (project: Project, direct: ReadonlySet<string>): Set<string> => {
  const parts = new Set<string>();
  for (const path of direct) {
    const module = project.moduleAt(path);
    for (const { specifier, node } of module === null ? [] : project.importsOf(module)) {
      const target = node.type.startsWith("Export") ? null : project.resolveImport(specifier, path);
      if (target !== null) parts.add(target);
    }
  }
  return parts;
};

/** Follows the imports of all tests. Test helpers count as tests: what they import is tested through them. */
export const testReach = (project: Project): TestReach => {
  const direct = new Set<string>();
  const names = new Set<string>();
  const mark = createMarker(project, direct);
  for (const module of project.modules.filter(({ role }) => role === "test")) {
    for (const name of namesIn(module)) names.add(name);
    for (const path of pathsNamedIn(module, project)) mark(path, "*");
    for (const { specifier, names: taken } of project.importsOf(module)) {
      const path = project.resolveImport(specifier, module.file.path);
      if (path === null) continue;
      direct.add(path);
      for (const name of taken) mark(path, name);
    }
  }
  // A broken test still shows what it is about.
  for (const { file, role } of project.unparsable) {
    for (const specifier of role === "test" ? importsByText(file.text) : []) {
      const path = project.resolveImport(specifier, file.path);
      if (path !== null) mark(path, "*");
    }
  }
  return { direct, indirect: reachFrom(project, direct), parts: partsOf(project, direct), names };
};
