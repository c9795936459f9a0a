import { readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";

/** Where a source says what it imports when it runs; what it imports as a type is gone by then. */
const imported = /(?<before>\b(?:import|export)\b(?! type\b)[^;"]*?\bfrom |\bimport\(|\bimport )"(?<to>\.[^"]+)"/g;

/** A source, by its path within the folder of the sources. */
interface Source {
  readonly text: string;
  readonly imports: readonly string[];
}

/** Which source imports which, from some of them downwards. Read once: sources don't change while tests run. */
export class ImportGraph {
  readonly #folder: string;
  readonly #sources = new Map<string, Source>();

  constructor(folder: string, entries: readonly string[]) {
    this.#folder = folder;
    for (const entry of entries) this.#read(entry);
  }

  #read(path: string): void {
    if (this.#sources.has(path)) return;
    const text = readFileSync(join(this.#folder, path), "utf8");
    const imports = [...text.matchAll(imported)].map((match) =>
      normalize(join(dirname(path), match.groups?.["to"] ?? "")),
    );
    this.#sources.set(path, { text, imports });
    for (const each of imports) this.#read(each);
  }

  /** The text of a source; a source that none of the entries needs is a RangeError. */
  text(path: string): string {
    const source = this.#sources.get(path);
    if (source === undefined) throw new RangeError(`${path} is imported by nothing that a check or a runtime needs`);
    return source.text;
  }

  /** These sources and all that import them, directly or not. */
  dependents(paths: readonly string[]): ReadonlySet<string> {
    const found = new Set(paths);
    // A set that grows while it is walked is walked to its end.
    for (const path of found)
      for (const [other, { imports }] of this.#sources) if (imports.includes(path)) found.add(other);
    return found;
  }
}

/** A source with other places for what it imports when it runs. */
export const redirectImports = (text: string, redirect: (to: string) => string): string =>
  text.replaceAll(imported, (_, before: string, to: string) => `${before}"${redirect(to)}"`);
