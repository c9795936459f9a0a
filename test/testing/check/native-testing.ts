import { createRequire } from "node:module";
import type * as testingModule from "../../../src/testing/index.ts";

/**
 * The checker as Node itself loads it. What Vite loads reads every import from an object each time that it is used, which
 * makes a search a quarter slower.
 */
// The path says which module it is.
export const testing = createRequire(import.meta.url)("../../../src/testing/index.ts") as typeof testingModule;
