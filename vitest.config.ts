import { defineConfig } from "vitest/config";
import { LongestFirst } from "./test/support/longest-first.ts";

// Tests read the sources through the package's own export names, so a test sees what a user sees, unbuilt.
const conditions = ["@teamchart/source"];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ["test/**/*.test.ts", "examples/**/*.test.ts"],
    // Planted files for the analysers and the command line; some look like tests.
    exclude: ["test/fixtures/**", "test/cli/fixtures/**"],
    globalSetup: ["test/support/global-setup.ts"],
    setupFiles: ["test/support/property-seed.ts"],
    sequence: { sequencer: LongestFirst },
    isolate: false,
    pool: "forks",
    maxWorkers: 2,
    // The live view draws for a person: in CI its library shows the last frame alone.
    env: { CI: "false" },
    execArgv: ["--unhandled-rejections=strict", "--expose-gc"],
    // Many tests explore or start processes; a busy machine makes them slow, not wrong.
    testTimeout: 120_000,
  },
});
