import AxeBuilder from "@axe-core/playwright";
import type { Page } from "playwright-core";

/** What of a page is looked at, and for what; left out = all of it, for everything. */
export interface AxeScope {
  readonly within?: string;
  readonly rules?: readonly string[];
}

/** What axe finds wrong in a page, a line each: the rule and the first element that breaks it. */
export async function axeFaults(page: Page, { within, rules }: AxeScope = {}): Promise<readonly string[]> {
  // Without frames there is nothing to gather in a page of its own, which is most of the time that it takes.
  let builder = new AxeBuilder({ page }).setLegacyMode();
  if (within !== undefined) builder = builder.include(within);
  if (rules !== undefined) builder = builder.withRules([...rules]);
  const { violations } = await builder.analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ""}`);
}
