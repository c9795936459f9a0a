import { afterAll, beforeAll, expect, test } from "vitest";
import type { Page } from "playwright-core";
import { startBrowser, type TestBrowser } from "../support/chromium.ts";
import { servePage, type PageServer } from "../support/page-server.ts";
import { axeFaults } from "./support/axe.ts";
import { openLines } from "./support/open-page.ts";
import { stuckTeam } from "./support/recorded-team.ts";

let browser: TestBrowser;
let server: PageServer;
let lines: readonly string[];

beforeAll(async () => {
  [browser, server, lines] = await Promise.all([startBrowser(), servePage(), stuckTeam()]);
}, 240_000);

afterAll(async () => {
  await browser?.[Symbol.asyncDispose]();
  await server?.[Symbol.asyncDispose]();
});

const views = ["Team", "Statechart", "Tasks", "Events", "Messages", "Permissions"] as const;
const parts = ["Now", "Mailbox", "Conversation", "Step"] as const;
/** What a scheme can break. */
const colours = ["color-contrast"];

/** Looks at the whole page once, then at what changes: each view, and each part of the chosen actor. */
async function expectNoFaults(page: Page, how: string, rules?: readonly string[]): Promise<void> {
  const look = async (what: string, within?: string): Promise<void> => {
    const found = await axeFaults(page, { ...(within && { within }), ...(rules && { rules }) });
    expect(found.map((fault) => `${what}, ${how}: ${fault}`)).toEqual([]);
  };
  const isNarrow = (page.viewportSize()?.width ?? 0) < 860;
  const pane = async (name: string): Promise<void> => {
    // A narrow screen shows one pane at a time.
    if (isNarrow) await page.getByRole("navigation", { name: "Panes" }).getByRole("button", { name }).click();
  };
  await pane("Members");
  await page
    .locator(".roster-row")
    .filter({ hasText: /^Reporter/ })
    .click();
  await look("the page");
  for (const part of parts) {
    await page.locator(".pane-actor").getByRole("tab", { name: part }).click();
    await look(part, ".pane-actor");
  }
  await pane("Views");
  for (const view of views) {
    await page.getByRole("tab", { name: view }).click();
    if (view === "Statechart") await page.locator("svg.chart").waitFor();
    await look(view, ".pane-center");
  }
}

test.each([
  [1280, "light", undefined],
  [1280, "dark", colours],
  [390, "light", undefined],
] as const)("no view has a fault that axe finds: %i wide, %s", async (width, scheme, rules) => {
  const { page } = await openLines(browser, server.url, lines);
  await page.emulateMedia({ colorScheme: scheme });
  await page.setViewportSize({ width, height: 844 });
  await expectNoFaults(page, `${width} ${scheme}`, rules);
  await page.close();
});
