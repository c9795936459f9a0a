// Builds the inspector's page into dist/inspector: files of its own only, no inline script or style, relative addresses,
// so that it can be mounted anywhere under a strict content security policy.
import { copyFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import react from "@vitejs/plugin-react";
import { defaultClientConditions, defineConfig, type Plugin } from "vite";

const root = join(import.meta.dirname, "..");
const outDir = join(root, "dist/inspector");

/** The licence of elkjs goes with its worker, which is shipped as it was published. */
const licence: Plugin = {
  name: "licence",
  closeBundle() {
    mkdirSync(outDir, { recursive: true });
    copyFileSync(join(root, "node_modules/elkjs/LICENSE.md"), join(outDir, "elkjs-LICENSE.md"));
  },
};

export default defineConfig({
  root: join(root, "apps/inspector"),
  base: "./",
  logLevel: "warn",
  plugins: [react(), licence],
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
