import { readFileSync } from "node:fs";

/** What this package says of itself. */
export interface PackageFacts {
  readonly version: string;
  /** The lowest Node that it runs on. */
  readonly nodeFloor: string;
}

/** Reads the manifest that the command was installed with. */
export function packageFacts(): PackageFacts {
  const manifest: unknown = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  // This package's own manifest: it has both fields, or it could not be published.
  const { version, engines } = manifest as { version: string; engines: { node: string } };
  return { version, nodeFloor: engines.node.replace(">=", "") };
}
