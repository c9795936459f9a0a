import { cpSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { PlantedFault } from "./planted-fault.ts";
import { ownFolder } from "./sources.ts";

/** Copies the sources to a folder, with one fault in them; returns where they lie. */
export function plantFault({ name, patches }: Pick<PlantedFault, "name" | "patches">, folder: string): string {
  const copy = join(folder, "src");
  cpSync(ownFolder, copy, { recursive: true });
  symlinkSync(join(ownFolder, "..", "node_modules"), join(folder, "node_modules"));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }));
  for (const { file, find, replace } of patches) {
    const path = join(copy, file);
    const text = readFileSync(path, "utf8");
    const parts = text.split(find);
    if (parts.length !== 2)
      throw new Error(`${name}: ${parts.length - 1} places in ${file} read ${JSON.stringify(find)}`);
    writeFileSync(path, parts.join(replace));
  }
  return copy;
}
