import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Version of this package; `unknown` in code that was bundled away from its manifest. */
export function packageVersion(): string {
  try {
    const manifest: unknown = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
    // The manifest of this package, or of one that was made of it.
    return (manifest as { version?: string }).version ?? "unknown";
  } catch {
    // Bundled code has no manifest beside it, and may have no address.
    return "unknown";
  }
}

/** The folder that the build puts the inspector page into, seen from the sources and from the built package alike. */
export function builtPage(): string | null {
  try {
    return fileURLToPath(new URL("../../dist/inspector", import.meta.url));
  } catch {
    // As above.
    return null;
  }
}
