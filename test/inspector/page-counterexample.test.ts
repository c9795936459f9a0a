import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { checkModel, teamModel } from "../../src/testing/index.ts";
import { startBrowser, type TestBrowser } from "../support/chromium.ts";
import { servePage } from "../support/page-server.ts";
import { teamchart } from "../support/teamchart.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { axeFaults } from "./support/axe.ts";
import { openLines, openPage } from "./support/open-page.ts";

/** What the checker finds wrong with a team, as a person looks at it. */

const shortly = { timeout: 10_000 };

let browser: TestBrowser;

beforeAll(async () => {
  browser = await startBrowser();
}, 240_000);

afterAll(async () => {
  await browser?.[Symbol.asyncDispose]();
});

/** A file with the shortest way to a team that is not done when nothing is due any more. */
function counterexample(): string {
  const members = [{ name: "Web" }, { name: "Archive" }, { name: "Editor", dependsOn: ["Web", "Archive"] }];
  const { violation } = checkModel(teamModel({ members }), {
    budgets: { outcomes: 1 },
    quiescent: { "the work is done": ({ team }) => team.is("finished") },
  });
  const path = join(temporaryFolder(), "counterexample.ndjson");
  writeFileSync(path, `${violation?.toRecording().join("\n")}\n`);
  return path;
}

/** Expects that a page says what is violated, and leads to the step that does it. */
async function expectViolation(page: Page): Promise<void> {
  const banner = page.getByRole("note");
  await expect
    .poll(() => banner.textContent(), shortly)
    .toContain("A counterexample: its last step violates the work is done: it does not hold.");
  // Looked at from somewhere else: the link leads there.
  await page.getByRole("button", { name: "To the start" }).click();
  await page.getByText("No members").waitFor();
  await banner.getByRole("button", { name: "Go to that step" }).click();
  await page.getByRole("row").filter({ hasText: "run.failed" }).waitFor();
  const panel = page.locator(".pane-actor");
  await expect.poll(() => panel.getByRole("heading", { level: 2 }).textContent(), shortly).toBe("Archive");
  await panel.getByRole("tab", { name: "Step" }).click();
  await expect.poll(() => panel.textContent(), shortly).toMatch(/run\.failed.*What decided, in Archive/s);
  const counts = page.getByRole("list", { name: "Members by state" });
  expect(await counts.textContent()).toMatch(/1failed0in progress1blocked1completed/);
  // The times of a model are no times of today: what it shows has lasted for moments.
  expect(await page.locator(".roster-list").textContent()).not.toMatch(/\d [dh]\b/);
  expect(await page.getByRole("status").filter({ hasText: "Recording" }).count()).toBe(1);
}

test("teamchart inspect opens a counterexample: what is violated stands there, and the step that does it", async () => {
  const looked = Promise.withResolvers<void>();
  let seen = "";
  let isOpen = false;
  const look = async (address: string): Promise<void> => {
    const { page, foreign, faults } = await openPage(browser, address);
    await page.locator(".session").waitFor();
    await expectViolation(page);
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await axeFaults(page, { within: ".banners" })).toEqual([]);
    }
    expect([foreign, faults]).toEqual([[], []]);
  };
  const { code } = await teamchart(["inspect", counterexample(), "--port", "0"], {
    timeoutMs: 90_000,
    onStdout(text, child) {
      seen += text;
      const address = /inspector[^\n]*: (http\S+)\n/.exec(seen)?.[1];
      if (address === undefined || isOpen) return;
      isOpen = true;
      look(address)
        .finally(() => child.kill("SIGINT"))
        .then(looked.resolve, looked.reject);
    },
  });
  expect(seen).toContain("inspector");
  await looked.promise;
  expect(code).toBe(0);
});

test("a page without a service opens the same file", async () => {
  await using server = await servePage();
  const lines = readFileSync(counterexample(), "utf8").trim().split("\n");
  const { page, faults } = await openLines(browser, server.url, lines);
  await expectViolation(page);
  expect(faults).toEqual([]);
});
