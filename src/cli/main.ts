#!/usr/bin/env node
// Without static imports, and plain enough for every Node with modules: an old one must get as far as the sentence below.
const { readFileSync } = await import("node:fs");
const manifest: unknown = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));

/** The floor of `engines.node`, as numbers. */
// This package's own manifest; the build's tests read the same field.
const floor = (manifest as { engines: { node: string } }).engines.node.replace(">=", "").split(".").map(Number);
const [floorMajor = 0, floorMinor = 0] = floor;
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);

if (major < floorMajor || (major === floorMajor && minor < floorMinor)) {
  console.error(`teamchart needs Node ${floorMajor}.${floorMinor} or newer and this is ${process.versions.node}.`);
  process.exitCode = 2;
} else {
  const { runProgram } = await import("./program.ts");
  await runProgram(process.argv.slice(2), process);
}
