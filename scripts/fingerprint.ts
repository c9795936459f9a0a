import { createHash } from "node:crypto";
import { globSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/** What decides how dist looks: the sources and the settings and versions of the compiler and the bundler. */
const INPUTS = [
  "src/**",
  "apps/**",
  "scripts/*.config.ts",
  "tsconfig.json",
  "tsconfig.build.json",
  "package.json",
  "package-lock.json",
];

/**
 * A digest of all that dist is built from. Contents count and times do not, so that a fresh checkout, a deleted file
 * and a file set back in time are all judged rightly.
 */
export function fingerprint(root: string): string {
  const hash = createHash("sha256");
  for (const path of globSync(INPUTS, { cwd: root }).toSorted()) {
    const file = join(root, path);
    if (!statSync(file).isFile()) continue;
    const content = readFileSync(file);
    hash.update(`${path}\0${content.length}\0`).update(content);
  }
  return hash.digest("hex");
}
