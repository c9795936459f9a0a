import { expect, test } from "vitest";
import { defineAgent } from "../../src/index.ts";
import { startBrowser } from "../support/chromium.ts";
import { servePage } from "../support/page-server.ts";
import { one, until } from "../support/sessions.ts";
import { openLines } from "./support/open-page.ts";
import { recordTeam } from "./support/recorded-team.ts";

/** A team of so many, each after up to three of those before it; nobody gets to work on it. */
const graph = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    one(`Member ${index}`, {
      agentType: "idle",
      dependsOn: [1, 7, 31].flatMap((back) =>
        index % 11 !== 0 && index >= back * 3 ? [`Member ${index - back * 3}`] : [],
      ),
    }),
  );

const idle = {
  idle: defineAgent({
    run: ({ signal }) =>
      new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(new Error("stopped")))),
  }),
};

test("a team of ten thousand is drawn within three seconds of its fold, and a member in it is found by its name", async () => {
  const lines = await recordTeam({ agents: idle }, async (session) => {
    await session.createTeam({ name: "Ten thousand", members: graph(10_000) });
  });
  await using server = await servePage();
  await using browser = await startBrowser();
  const { page, faults } = await openLines(browser, server.url, lines, "#view=permissions");
  await page.getByText("Nothing waits for an answer").waitFor();
  const ms = await page.evaluate(async () => {
    const from = performance.now();
    document.querySelector<HTMLElement>('[data-tab="map"]')?.click();
    while (document.querySelector(".dag-canvas") === null) await new Promise((resolve) => setTimeout(resolve, 5));
    // The frame after the one that draws.
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    return performance.now() - from;
  });
  expect(ms).toBeLessThan(3_000);
  // The list holds the rows in sight, and no more.
  expect(await page.locator(".roster-row").count()).toBeLessThan(60);
  await page.getByRole("searchbox", { name: "Find a member" }).fill("member 9998");
  await page.locator(".roster-row").filter({ hasText: "Member 9998" }).click();
  await expect.poll(() => page.locator(".why").textContent()).toContain("Member 9998 waits for");
  // What is drawn is not one colour: the members are there.
  const colours = await page.locator("canvas").evaluate((canvas: HTMLCanvasElement) => {
    const data =
      canvas.getContext("2d")?.getImageData(0, 0, canvas.width, canvas.height).data ?? new Uint8ClampedArray();
    const found = new Set<number>();
    for (let at = 0; at < data.length; at += 4 * 97)
      found.add(((data[at] ?? 0) << 16) | ((data[at + 1] ?? 0) << 8) | (data[at + 2] ?? 0));
    return found.size;
  });
  expect(colours).toBeGreaterThan(2);
  expect(faults).toEqual([]);
}, 240_000);

test("a thousand members, one of whom fails: each is an element of the drawing, and the roster scrolls to all of them", async () => {
  const lines = await recordTeam(
    { agents: { ...idle, fails: defineAgent({ run: () => Promise.reject(new Error("no disk")) }) } },
    async (session) => {
      const members = [
        one("Source", { agentType: "fails" }),
        ...Array.from({ length: 998 }, (_, index) =>
          one(`Worker ${index}`, { agentType: "idle", dependsOn: ["Source"] }),
        ),
        one("Sink", { dependsOn: Array.from({ length: 998 }, (_, index) => `Worker ${index}`) }),
      ];
      await session.createTeam({ name: "Thousand", members });
      await until(() => session.member("Source")?.status === "failed");
    },
  );
  await using server = await servePage();
  await using browser = await startBrowser();
  const { page, faults } = await openLines(browser, server.url, lines);
  await expect.poll(() => page.locator("svg.dag [data-member]").count()).toBe(1_000);
  expect(await page.locator(".roster-row").count()).toBeLessThan(60);
  const list = page.getByRole("listbox", { name: "Members" });
  await list.focus();
  await list.press("End");
  await page.locator(".roster-row").filter({ hasText: "Sink" }).waitFor();
  const why = page.locator(".why");
  await expect
    .poll(() => why.textContent())
    .toMatch(/Sink waits for Worker 0, Worker 1, Worker 2, Worker 3 and 994 more\. Source failed/);
  expect(faults).toEqual([]);
}, 180_000);
