import { expect, test } from "vitest";
import { defineAgent } from "../../src/index.ts";
import { startBrowser } from "../support/chromium.ts";
import { one } from "../support/sessions.ts";
import { heldAgents, inspected } from "./support/inspected.ts";
import { openPage } from "./support/open-page.ts";

/** What is drawn comes a moment after what was done. */
const shortly = { timeout: 10_000 };

test("the log follows its end until its reader scrolls up, and then stays where it is until it is asked to go on", async () => {
  const held = heldAgents();
  await using given = await inspected({ agents: { held: defineAgent({ run: held.run }) } });
  const session = await given.system.openSession({ id: "live" });
  await session.createTeam({ name: "Live", members: [one("Ann", { agentType: "held" })] });
  await using browser = await startBrowser();
  const say = async (from: number, to: number): Promise<void> => {
    for (let n = from; n < to; n++) await session.sendMessage({ to: "Ann", content: `${n}` });
  };
  await say(0, 60);
  const { page } = await openPage(browser, `${given.url}&view=log`);
  const list = page.getByRole("grid", { name: "Events" });
  const rows = list.getByRole("row");
  /** The row that stands lowest, and whether it stands at the lower edge of the list. */
  const lowest = () =>
    list.evaluate((box) => {
      const edge = box.getBoundingClientRect().bottom;
      const below = [...box.querySelectorAll('[role="row"]')].filter(
        (row) => row.getBoundingClientRect().top < edge - 1,
      );
      return Math.max(...below.map((row) => Number(row.getAttribute("aria-rowindex"))));
    });
  const count = async () => Number(await list.getAttribute("aria-rowcount"));
  await expect.poll(count, shortly).toBeGreaterThan(60);
  await expect.poll(async () => (await lowest()) - (await count()), shortly).toBe(0);
  const before = await count();
  await say(60, 80);
  await expect.poll(count, shortly).toBeGreaterThan(before + 19);
  await expect.poll(async () => (await lowest()) - (await count()), shortly).toBe(0);
  // Scrolled up: what comes moves nothing, and is counted.
  await list.hover();
  await page.mouse.wheel(0, -600);
  await expect.poll(async () => (await lowest()) < (await count()) - 10, shortly).toBe(true);
  await expect.poll(async () => list.evaluate((box) => box.scrollTop), shortly).toBeLessThan(-100);
  const seen = await rows.allTextContents();
  const was = await count();
  await say(80, 90);
  await expect.poll(count, shortly).toBeGreaterThan(was + 9);
  expect(await rows.allTextContents()).toEqual(seen);
  await page.getByRole("button", { name: `${(await count()) - was} more: to the end` }).click();
  await expect.poll(async () => (await lowest()) - (await count()), shortly).toBe(0);
  // Only what is in sight is there.
  expect(await rows.count()).toBeLessThan(60);
});
