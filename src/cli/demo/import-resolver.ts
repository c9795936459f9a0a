import { dirname, join, normalize } from "node:path/posix";
import type { SourceFile } from "./source-file.ts";
import { parseJsonLoosely } from "./loose-json.ts";

/** The project's file that `specifier` means in `from`, or null for packages and files outside. */
export type ImportResolver = (specifier: string, from: string) => string | null;

const EXTENSIONS = ["ts", "tsx", "mts", "cts", "js", "jsx", "mjs", "cjs"] as const;

/** What a written extension may stand for in the sources. */
const SOURCES_OF: Readonly<Record<string, readonly string[]>> = {
  js: ["ts", "tsx", "jsx"],
  jsx: ["tsx"],
  mjs: ["mts"],
  cjs: ["cts"],
};

/** Folders that hold what was built from `src`. */
const BUILT = /^(\.\/)?(dist|lib|build|out|esm|cjs|es)(\/(esm|cjs|es|src))?\//;

interface Package {
  readonly folder: string;
  readonly name: string | null;
  readonly exports: unknown;
  readonly imports: unknown;
  readonly main: readonly string[];
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** All file names in an `exports` value, whatever its conditions. */
const targetsIn = (value: unknown): string[] => {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(targetsIn);
  return isRecord(value) ? Object.values(value).flatMap(targetsIn) : [];
};

const readPackage = (file: SourceFile): Package => {
  const parsed = parseJsonLoosely(file.text);
  const content = isRecord(parsed) ? parsed : {};
  const main = [content["source"], content["main"], content["module"]].filter((one) => typeof one === "string");
  return {
    folder: dirname(file.path),
    name: typeof content["name"] === "string" ? content["name"] : null,
    exports: content["exports"],
    imports: content["imports"],
    main,
  };
};

/** The files that a key of an `exports` or `imports` map leads to; `*` in a key takes any text. */
const mapped = (map: unknown, key: string): string[] => {
  if (!isRecord(map) || !Object.keys(map).some((one) => /^[.#]/.test(one))) return key === "." ? targetsIn(map) : [];
  if (Object.hasOwn(map, key)) return targetsIn(map[key]);
  return Object.entries(map).flatMap(([pattern, value]) => {
    const [before = "", after] = pattern.split("*");
    if (after === undefined || !key.startsWith(before) || !key.endsWith(after)) return [];
    const rest = key.slice(before.length, key.length - after.length);
    return targetsIn(value).map((target) => target.replace("*", () => rest));
  });
};

/** `paths` of a tsconfig.json, as a map from pattern to targets relative to the project. */
const readPaths = (file: SourceFile): Record<string, string[]> => {
  const parsed = parseJsonLoosely(file.text);
  const options = isRecord(parsed) && isRecord(parsed["compilerOptions"]) ? parsed["compilerOptions"] : {};
  const base = join(dirname(file.path), typeof options["baseUrl"] === "string" ? options["baseUrl"] : ".");
  const paths = isRecord(options["paths"]) ? options["paths"] : {};
  return Object.fromEntries(
    Object.entries(paths).map(([key, value]) => [`#${key}`, targetsIn(value).map((target) => join(base, target))]),
  );
};

/** The file behind a path without regard to how its extension is written; index files of folders too. */
const fileResolver = (paths: ReadonlySet<string>) => {
  const candidates = (path: string): string[] => {
    if (path === ".") return EXTENSIONS.map((one) => `index.${one}`);
    const [, stem = path, extension = ""] = /^(.*)\.([a-z]+)$/.exec(path) ?? [];
    return [
      path,
      ...(SOURCES_OF[extension] ?? []).map((one) => `${stem}.${one}`),
      ...EXTENSIONS.map((one) => `${path}.${one}`),
      ...EXTENSIONS.map((one) => `${path}/index.${one}`),
    ];
  };
  return (path: string): string | null => {
    const plain = normalize(path).replace(/\/$/, "");
    const sources = BUILT.test(plain) ? [plain, plain.replace(BUILT, "src/"), plain.replace(BUILT, "")] : [plain];
    return sources.flatMap(candidates).find((one) => paths.has(one)) ?? null;
  };
};

const packageTargets = (owner: Package, specifier: string): string[] => {
  const rest = specifier.slice(owner.name?.length ?? 0);
  const exported = mapped(owner.exports, `.${rest}`);
  if (exported.length > 0 || owner.exports !== undefined) return exported;
  return rest === "" ? [...owner.main, "index", "src/index"] : [`.${rest}`, `src${rest}`];
};

/**
 * Resolves imports within a project: relative ones (also `.js` for `.ts` and folders), the packages of the project by
 * name through their `exports`, `#imports`, and `paths` of tsconfig.json.
 */
export const createImportResolver = (files: readonly SourceFile[]): ImportResolver => {
  const fileAt = fileResolver(new Set(files.map(({ path }) => path)));
  const packages = files.filter(({ path }) => /(^|\/)package\.json$/.test(path)).map(readPackage);
  const aliases = files.filter(({ path }) => /(^|\/)[tj]sconfig(\.\w+)?\.json$/.test(path)).map(readPaths);
  const first = (folder: string, targets: readonly string[]): string | null => {
    for (const target of targets) {
      const found = inFolder(fileAt, folder, target);
      if (found !== null) return found;
    }
    return null;
  };
  return (specifier, from) => {
    if (/^\.\.?(\/|$)/.test(specifier)) return fileAt(join(dirname(from), specifier.replace(/[?#].*$/, "")));
    const owner = packages.find(
      ({ name }) => name !== null && (specifier === name || specifier.startsWith(`${name}/`)),
    );
    if (owner !== undefined) return first(owner.folder, packageTargets(owner, specifier));
    for (const { folder, imports } of packages) {
      const found = specifier.startsWith("#") ? first(folder, mapped(imports, specifier)) : null;
      if (found !== null) return found;
    }
    for (const alias of aliases) {
      const found = first(".", mapped(alias, `#${specifier}`));
      if (found !== null) return found;
    }
    return null;
  };
};

/** A target below its package's folder; what was built from sources there is looked for in those sources. */
const inFolder = (fileAt: (path: string) => string | null, folder: string, target: string): string | null => {
  const source = target.replace(BUILT, "src/");
  return fileAt(join(folder, target)) ?? (source === target ? null : fileAt(join(folder, source)));
};
