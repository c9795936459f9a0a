import { ensureChromium } from "./chromium.ts";
import { ensureNatsServers } from "./nats-download.ts";

/** Before the tests: gets the browser and the servers that some of them need, unless only others are run. */
export async function setup(): Promise<void> {
  const filters = process.argv.slice(2).filter((each) => !each.startsWith("-") && each !== "run");
  const isRun = (word: string): boolean => filters.length === 0 || filters.some((each) => each.includes(word));
  if (isRun("inspector")) await ensureChromium();
  if (["nats", "bus", "cli"].some(isRun)) await ensureNatsServers();
}
