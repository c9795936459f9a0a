// Builds dist. With --if-stale it does so only when dist was not built from the present sources.
import { spawnSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fingerprint } from "./fingerprint.ts";

const root = dirname(import.meta.dirname);
const dist = join(root, "dist");
/** Written last, so it is missing after a build that failed or was interrupted. */
const stamp = join(dist, ".fingerprint");

/** The commands that fill dist, in order. Each is a script of a package and its arguments. */
const STEPS = [
  ["typescript/bin/tsc", "-p", "tsconfig.build.json"],
  ["vite/bin/vite.js", "build", "--config", "scripts/live-view.config.ts"],
  ["vite/bin/vite.js", "build", "--config", "scripts/inspector.config.ts"],
] as const;

function isFresh(): boolean {
  try {
    return readFileSync(stamp, "utf8") === fingerprint(root);
  } catch {
    // No stamp: dist is missing or half built.
    return false;
  }
}

function build(): number {
  const built = fingerprint(root);
  // Outputs of deleted sources must not survive.
  rmSync(dist, { recursive: true, force: true });
  for (const [script, ...args] of STEPS) {
    const { status } = spawnSync(process.execPath, [join(root, "node_modules", script), ...args], {
      cwd: root,
      stdio: "inherit",
    });
    if (status !== 0) return 1;
  }
  writeFileSync(stamp, built);
  return 0;
}

process.exitCode = process.argv.includes("--if-stale") && isFresh() ? 0 : build();
