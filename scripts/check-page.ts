// Holds the built inspector page against what was promised of it: its size, and that it runs under a strict policy.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { pageFaults } from "./check-page/page-faults.ts";

const root = dirname(import.meta.dirname);
const page = join(root, "dist/inspector");
const files = readdirSync(page, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => {
    const path = join(entry.parentPath, entry.name);
    return { path: path.slice(page.length + 1).replaceAll("\\", "/"), bytes: readFileSync(path) };
  });
const worker = readFileSync(join(root, "node_modules/elkjs/lib/elk-worker.min.js"));
const faults = pageFaults(files, worker);
for (const { path, bytes } of files) {
  const packed = (gzipSync(bytes).length / 1024).toFixed(1);
  console.log(`${path}: ${(bytes.length / 1024).toFixed(1)} KiB, ${packed} KiB packed`);
}
for (const fault of faults) console.error(fault);
process.exitCode = faults.length === 0 ? 0 : 1;
