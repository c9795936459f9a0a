import { afterAll, beforeAll, expect, test } from "vitest";
import type { Page } from "playwright-core";
import { describeAll } from "../../src/machines/index.ts";
import { startBrowser, type TestBrowser } from "../support/chromium.ts";
import { servePage, type PageServer } from "../support/page-server.ts";
import { openLines, openPage } from "./support/open-page.ts";
import { stuckTeam } from "./support/recorded-team.ts";

/** What is drawn comes a moment after what was done. */
const shortly = { timeout: 10_000 };

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

const tab = (page: Page, name: string) => page.getByRole("tab", { name }).click();
const choose = (page: Page, name: string) =>
  page
    .locator(".roster-row")
    .filter({ hasText: new RegExp(`^${name}`) })
    .click();
const panel = (page: Page) => page.locator(".pane-actor");

test("a click on a blocked member names the upstream that stands in its way, its state and its reason", async () => {
  const { page, faults } = await openLines(browser, server.url, lines);
  await choose(page, "Reporter");
  const why = panel(page).locator(".why");
  await expect
    .poll(() => why.textContent(), shortly)
    .toMatch(
      /Reporter waits for Ann\. Ann failed \(model_error: context_length.*\): nothing happens here until the team is replanned/,
    );
  await expect.poll(() => why.getByRole("img", { name: "Failed" }).count(), shortly).toBe(0);
  await expect.poll(() => why.locator(".state-failed").count(), shortly).toBe(1);
  // One further down: its cause is told through the one between.
  await choose(page, "Editor");
  await expect.poll(() => why.textContent(), shortly).toMatch(/Editor waits for Reporter\. Ann failed/);
  await why.getByRole("button", { name: "Ann" }).click();
  await expect.poll(() => panel(page).getByRole("heading", { level: 2 }).textContent(), shortly).toBe("Ann");
  expect(faults).toEqual([]);
});

test("every state and transition of every machine is drawn, always and guards included, and nothing else is", async () => {
  const { page, faults } = await openLines(browser, server.url, lines);
  await tab(page, "Statechart");
  for (const [machine, actor] of [
    ["team", "Team"],
    ["session", "session"],
    ["lead", "Lead"],
    ["member", "Bob"],
  ] as const) {
    if (machine === "member") await choose(page, actor);
    else await page.locator(".root-rows").getByRole("button", { name: actor }).click();
    const chart = page.locator("svg.chart");
    await chart.locator(`[data-state="${machine}"]`).waitFor();
    const drawn = await chart.evaluate((svg) => ({
      states: [...new Set([...svg.querySelectorAll("[data-state]")].map((each) => each.getAttribute("data-state")))],
      transitions: [
        ...new Set([...svg.querySelectorAll("[data-transition]")].map((each) => each.getAttribute("data-transition"))),
      ],
      text: svg.textContent ?? "",
    }));
    const description = describeAll()[machine];
    expect(new Set(drawn.states)).toEqual(new Set(description.states.map(({ id }) => id)));
    expect(new Set(drawn.transitions)).toEqual(new Set(description.transitions.map(({ id }) => id)));
    const guards = description.transitions.flatMap(({ guard }) =>
      guard === null || guard.includes(" ") ? [] : [guard],
    );
    for (const guard of guards) expect(drawn.text).toContain(`[${guard}]`);
  }
  // Bob has delivered and is gone: the states that it is in are lit, and no other.
  const active = await page
    .locator("svg.chart .active")
    .evaluateAll((all) => all.map((each) => each.getAttribute("data-state")));
  expect(active.map(String).toSorted()).toEqual([
    "member",
    "member.presence",
    "member.presence.shutdown",
    "member.run",
    "member.run.none",
    "member.work",
    "member.work.completed",
  ]);
  await expect.poll(() => page.locator("svg.chart tspan.taken").count(), shortly).toBeGreaterThan(0);
  expect(faults).toEqual([]);
});

test("the timeline goes back and forth, by keys and by buttons, and every view follows", async () => {
  const { page, faults } = await openLines(browser, server.url, lines);
  const counts = page.getByRole("list", { name: "Members by state" });
  await expect.poll(() => counts.textContent(), shortly).toMatch(/1failed0in progress2blocked1completed/);
  await page.getByRole("button", { name: "To the start" }).click();
  await page.getByText("No members").waitFor();
  const slider = page.getByRole("slider", { name: "Place on the timeline" });
  await slider.focus();
  // A place is shown a moment after the key: the next key waits for it, or it would go too far.
  while ((await counts.textContent())?.includes("2in progress") !== true) {
    const before = await slider.inputValue();
    await slider.press("ArrowRight");
    await expect.poll(() => slider.inputValue(), shortly).not.toBe(before);
  }
  await expect.poll(() => counts.textContent(), shortly).toMatch(/0failed2in progress2blocked0completed/);
  await expect.poll(() => page.locator("svg.dag .state-in_progress[data-member]").count(), shortly).toBe(2);
  await page.getByRole("button", { name: "One input back" }).click();
  await page.getByText("No members").waitFor();
  await page.getByRole("button", { name: "Replay" }).click();
  await expect.poll(() => counts.textContent(), shortly).toMatch(/1failed0in progress2blocked1completed/);
  expect(faults).toEqual([]);
});

test("the step view shows what was decided by what and what changed, and a link leads to the same place", async () => {
  const { page } = await openLines(browser, server.url, lines);
  await choose(page, "Ann");
  await tab(page, "Events");
  await page.getByRole("searchbox", { name: "Filter by event" }).fill("run.failed");
  await page.getByRole("row").filter({ hasText: "run.failed" }).first().click();
  await panel(page).getByRole("tab", { name: "Step" }).click();
  const text = (await panel(page).textContent()) ?? "";
  expect(text).toContain("What decided, in Ann");
  expect(text).toMatch(/work\.in_progress \[isCompleting\] no/);
  expect(text).toMatch(/work\.in_progress \[isPresent\] taken/);
  expect(text).toMatch(/state\.workin_progressfailed/);
  await page.waitForFunction(() => location.hash.includes("seq="));
  const hash = new URL(page.url()).hash;
  expect(hash).toMatch(/view=log.*actor=Ann.*seq=\d+|actor=Ann/);
  const linked = await openLines(browser, server.url, lines, hash);
  // A file has no session in its address: it keeps its actor and its place.
  await expect.poll(() => linked.page.locator(".session").count(), shortly).toBe(1);
});

test("R63: messages, mailbox, conversation and permissions show what was said and where it went", async () => {
  const { page, faults } = await openLines(browser, server.url, lines);
  await choose(page, "Reporter");
  await panel(page).getByRole("tab", { name: "Mailbox" }).click();
  await expect.poll(() => panel(page).textContent(), shortly).toMatch(/Unread 1.*Bob.*Two findings so far\./s);
  await choose(page, "Bob");
  await panel(page).getByRole("tab", { name: "Conversation" }).click();
  await expect
    .poll(() => panel(page).textContent(), shortly)
    .toMatch(/was told.*Task of Bob.*answered.*team_send_message.*Two findings so far/s);
  await tab(page, "Messages");
  await page.getByRole("button", { name: /Bob to Reporter: text/ }).click();
  await expect
    .poll(() => page.getByRole("region", { name: "Message", exact: true }).textContent(), shortly)
    .toMatch(/Sent at.*in the mailbox, unread.*Two findings so far/s);
  await tab(page, "Permissions");
  await page.getByText("Nothing waits for an answer").waitFor();
  expect(faults).toEqual([]);
});

test("a trace is copied as a vitest case and a recording is saved as it was opened", async () => {
  await browser.context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const { page } = await openLines(browser, server.url, lines);
  await page.getByRole("button", { name: "Copy as test" }).click();
  await page.getByText("is in the clipboard").waitFor();
  const text = await page.evaluate(() => navigator.clipboard.readText());
  expect(text).toContain('import { createKernel, type KernelRecord } from "teamchart/machines";');
  expect(text).toContain(
    JSON.stringify([
      ["Ann", "failed"],
      ["Bob", "completed"],
      ["Reporter", "blocked"],
      ["Editor", "blocked"],
    ]),
  );
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export" }).click();
  const stream = await (await download).createReadStream();
  const saved = (await stream.toArray()).map(String).join("");
  expect(saved.trim().split("\n")).toEqual(lines);
});

test("what is no recording is refused with a sentence, and one that breaks in the middle is shown as far as it goes", async () => {
  const { page } = await openPage(browser, server.url);
  await page.getByText("No service answers here").waitFor();
  const set = (text: string) =>
    page.setInputFiles('input[type="file"]', { name: "x.ndjson", mimeType: "text/plain", buffer: Buffer.from(text) });
  await set("hello");
  await page.getByText("This is no recording of Teamchart").waitFor();
  await set(`${lines.slice(0, 20).join("\n")}\n{"type":"event","se`);
  await page.getByText("Its last line is cut off").waitFor();
  expect(await page.locator(".session").count()).toBe(1);
});
