import type { Page } from "playwright-core";
import type { TestBrowser } from "../../support/chromium.ts";

/** A page, and everything that it did which it must not do. */
export interface OpenedPage {
  readonly page: Page;
  /** Requests to anybody but the page's own server. */
  readonly foreign: string[];
  /** What went wrong in the page: errors, blocked scripts and styles, dialogs. A request that failed is none. */
  readonly faults: string[];
}

/** Opens an address and watches over what the page does. */
export async function openPage({ context }: TestBrowser, url: string): Promise<OpenedPage> {
  const page = await context.newPage();
  const foreign: string[] = [];
  const faults: string[] = [];
  const { origin } = new URL(url);
  page.on("request", (request) => {
    const own = request.url().startsWith(`${origin}/`) || /^(?:data|blob):/.test(request.url());
    if (!own) foreign.push(request.url());
  });
  page.on("pageerror", (error) => faults.push(error.stack ?? error.message));
  page.on("dialog", (dialog) => {
    faults.push(`dialog: ${dialog.message()}`);
    dialog.dismiss().catch(() => {});
  });
  page.on("console", (message) => {
    if (message.type() === "error" && !message.text().startsWith("Failed to load resource"))
      faults.push(message.text());
  });
  await page.goto(url);
  return { page, foreign, faults };
}

/** Opens a recording in a page without a service. */
export async function openLines(
  browser: TestBrowser,
  url: string,
  lines: readonly string[],
  hash = "",
): Promise<OpenedPage> {
  const opened = await openPage(browser, `${url}${hash}`);
  await opened.page.getByText("No service answers here").waitFor();
  const file = {
    name: "recording.ndjson",
    mimeType: "application/x-ndjson",
    buffer: Buffer.from(`${lines.join("\n")}\n`),
  };
  await opened.page.setInputFiles('input[type="file"]', file);
  await opened.page.locator(".session").waitFor();
  return opened;
}
