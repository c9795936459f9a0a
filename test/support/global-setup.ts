import type { TestProject } from "vitest/node";
import { ensureChromium } from "./chromium.ts";

/** Before the tests: gets the browser that some of them need, unless only others are run. */
export async function setup({ vitest }: TestProject): Promise<void> {
  const filters = vitest.filenamePattern ?? [];
  if (filters.length > 0 && !filters.some((each) => each.includes("inspector"))) return;
  await ensureChromium();
}
