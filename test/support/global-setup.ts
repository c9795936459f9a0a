import { ensureChromium } from "./chromium.ts";

/** Before the tests: gets the browser that some of them need, unless only others are run. */
export async function setup(): Promise<void> {
  const filters = process.argv.slice(2).filter((each) => !each.startsWith("-") && each !== "run");
  if (filters.length > 0 && !filters.some((each) => each.includes("inspector"))) return;
  await ensureChromium();
}
