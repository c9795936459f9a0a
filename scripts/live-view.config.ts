// Bundles the live terminal view with ink and react into dist/cli/live-view.js, so that nobody who uses the package
// installs either. Node's own modules stay imports.
import { join } from "node:path";
import { defineConfig } from "vite";

const root = join(import.meta.dirname, "..");

/** With DEV=true, which many set for other reasons, ink would load React's developer tools if it found them. */
const withoutDevtools = {
  name: "without-devtools",
  transform: (code: string, id: string) =>
    id.includes("/node_modules/ink/") ? code.replaceAll("process.env['DEV'] === 'true'", "false") : null,
};

export default defineConfig({
  root,
  logLevel: "warn",
  // React's development build warns into the terminal that is drawn on.
  define: { "process.env.NODE_ENV": JSON.stringify("production") },
  plugins: [withoutDevtools],
  build: {
    ssr: join(root, "src/cli/live-view/start-live.tsx"),
    outDir: join(root, "dist/cli"),
    emptyOutDir: false,
    target: "node22",
    minify: true,
    rolldownOptions: { output: { entryFileNames: "live-view.js", codeSplitting: false } },
  },
  ssr: { noExternal: true },
});
