import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { ImportGraph, redirectImports } from "./import-graph.ts";
import type { PlantedFault } from "./planted-fault.ts";
import { ownFolder, sourcePaths } from "./sources.ts";

const checkGraph = new ImportGraph(ownFolder, Object.values(sourcePaths));

/**
 * Puts one fault into a copy of the sources; returns the folder where it lies. Copied is what is faulty and all that
 * imports it. What can't tell the difference is imported from where it is, and so loaded once for all faults. `graph` is that of
 * what is to be loaded from there: left out, what a check and a runtime need.
 */
export function plantFault(
  { name, patches }: Pick<PlantedFault, "name" | "patches">,
  folder: string,
  graph: ImportGraph = checkGraph,
): string {
  const copy = join(folder, "src");
  symlinkSync(join(ownFolder, "..", "node_modules"), join(folder, "node_modules"));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }));
  const copied = graph.dependents(patches.map(({ file }) => file));
  for (const path of copied) {
    const redirected = redirectImports(patched(name, patches, graph.text(path), path), (to) => {
      const target = join(dirname(path), to);
      return copied.has(target) ? to : relative(dirname(join(copy, path)), join(ownFolder, target));
    });
    mkdirSync(dirname(join(copy, path)), { recursive: true });
    writeFileSync(join(copy, path), redirected);
  }
  return copy;
}

/** The text of a source with the patches that are meant for it; one whose place is not there is an error. */
function patched(name: string, patches: PlantedFault["patches"], source: string, path: string): string {
  let text = source;
  for (const { file, find, replace } of patches) {
    if (file !== path) continue;
    const parts = text.split(find);
    if (parts.length !== 2)
      throw new Error(`${name}: ${parts.length - 1} places in ${file} read ${JSON.stringify(find)}`);
    text = parts.join(replace);
  }
  return text;
}
