// Builds the inspector's page into dist/inspector: files of its own only, no inline script or style, relative addresses,
// so that it can be mounted anywhere under a strict content security policy.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import react from "@vitejs/plugin-react";
import { defaultClientConditions, defineConfig, type Plugin } from "vite";

const root = join(import.meta.dirname, "..");
const outDir = join(root, "dist/inspector");

/** What is in the bundle, beside the code of this package; the worker of elkjs is shipped as it was published. */
const bundled = [
  "react",
  "react-dom",
  "scheduler",
  "xstate",
  "@xstate/react",
  "use-isomorphic-layout-effect",
  "use-sync-external-store",
  "zod",
  "@tanstack/react-virtual",
  "@tanstack/virtual-core",
  "elkjs",
];

/** The text of a package's licence, under its name, version and kind. */
function licenceOf(name: string): string {
  const folder = join(root, "node_modules", name);
  const { version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
    version: string;
    license: string;
  };
  const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
  const text =
    file === undefined
      ? "(The package holds no text of its licence.)"
      : readFileSync(join(folder, file), "utf8").trim();
  return `${name} ${version}: ${license}\n\n${text}\n`;
}

const licences: Plugin = {
  name: "licences",
  closeBundle() {
    const rule = `\n${"-".repeat(80)}\n\n`;
    writeFileSync(join(outDir, "third-party-licenses.txt"), bundled.map(licenceOf).join(rule));
  },
};

export default defineConfig({
  root: join(root, "apps/inspector"),
  base: "./",
  logLevel: "warn",
  plugins: [react(), licences],
  resolve: { conditions: [...defaultClientConditions, "@teamchart/source"] },
  build: {
    outDir,
    emptyOutDir: true,
    target: "es2023",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { output: { codeSplitting: false } },
    chunkSizeWarningLimit: 1_000,
  },
});
