import { afterAll, beforeAll, expect, test } from "vitest";
import { defineAgent } from "../../src/index.ts";
import { startBrowser, type TestBrowser } from "../support/chromium.ts";
import { keepLines } from "../support/record-session.ts";
import { servePage } from "../support/page-server.ts";
import { one, until } from "../support/sessions.ts";
import { heldAgents, inspected } from "./support/inspected.ts";
import { openLines, openPage } from "./support/open-page.ts";

/** What is drawn comes a moment after what was done. */
const shortly = { timeout: 10_000 };

let browser: TestBrowser;

beforeAll(async () => {
  browser = await startBrowser();
}, 240_000);
afterAll(() => browser?.[Symbol.asyncDispose]());

test("the task board is shown as it stands, leads to owners and inputs, and is changed by who may", async () => {
  const held = heldAgents();
  await using given = await inspected({ agents: { held: defineAgent({ run: held.run }) } }, { control: true });
  const sink = keepLines();
  const session = await given.system.openSession({
    id: "board",
    onOpen: async (opened) => void (await opened.record(sink)),
  });
  await session.createTeam({
    name: "Release",
    tasks: [
      { subject: "Write the parser", description: "Into <b>parser.ts</b>.", priority: 2 },
      { subject: "Write the printer" },
      { subject: "Test both", dependsOn: [1, 2], assignee: "Tess" },
    ],
    members: [one("Ann", { agentType: "held" }), one("Tess", { agentType: "held" })],
  });
  await until(() => held.open.size === 2);
  const { page, faults } = await openPage(browser, `${given.url}&view=tasks&task=1`);
  const group = (name: RegExp) => page.getByRole("region", { name });
  const card = (subject: string) => page.locator(".task-card").filter({ hasText: subject });
  await card("Write the parser").waitFor();
  // The link leads to the task, with all that is known of it; what was written stays text.
  await card("Write the parser").getByText("Into <b>parser.ts</b>.").waitFor();
  expect(
    await group(/^free to take/i)
      .locator("strong")
      .allTextContents(),
  ).toEqual(["Write the parser", "Write the printer"]);
  expect(await group(/^blocked/i).textContent()).toMatch(/Test both.*for Tess.*waits for.*#1.*#2/);

  // Give it out, complete it, fail another: each is the user's.
  await page.getByRole("button", { name: "Give…" }).click();
  await page.getByRole("combobox", { name: "To" }).selectOption("Ann");
  await page.getByRole("button", { name: "Give it" }).click();
  await until(() => session.board.list()[0]?.owner === "Ann");
  await expect.poll(() => group(/^in progress/).textContent(), shortly).toMatch(/Write the parser.*Ann/);
  await page.getByRole("button", { name: "Complete…" }).click();
  await page.getByRole("textbox", { name: "Note" }).fill("Parses all of it.");
  await page.getByRole("button", { name: "Complete it" }).click();
  await expect.poll(() => group(/^completed/).textContent(), shortly).toContain("Parses all of it.");
  await card("Write the printer").getByRole("button", { name: "#2" }).click();
  await page.getByRole("button", { name: "Change…" }).click();
  await page.getByRole("textbox", { name: "Priority" }).fill("7");
  await page.getByRole("button", { name: "Change it" }).click();
  await until(() => session.board.list()[1]?.priority === 7);
  // What the service refuses is said where it was asked.
  await page.getByRole("button", { name: "Add a task…" }).click();
  await page.getByRole("textbox", { name: "What is to be done" }).fill("Ship it");
  await page.getByRole("textbox", { name: "Waits for the tasks" }).fill("#3, 9");
  await page.getByRole("button", { name: "Add it" }).click();
  await page.getByRole("alert").filter({ hasText: "unknown_dependency" }).waitFor();
  await page.getByRole("textbox", { name: "Waits for the tasks" }).fill("#3");
  await page.getByRole("button", { name: "Add it" }).click();
  await expect.poll(() => group(/^blocked/i).textContent(), shortly).toContain("Ship it");
  expect(session.board.list().map(({ status, addedBy }) => `${status} ${addedBy}`)).toEqual([
    "completed Lead",
    "pending Lead",
    "blocked Lead",
    "blocked user",
  ]);

  // A task's past leads to its inputs, and back to now.
  await card("Write the parser").getByRole("button", { name: "#1" }).click();
  const past = page.getByRole("list", { name: "What became of task #1" });
  expect(await past.getByRole("listitem").allTextContents()).toEqual([
    "declared with the team",
    expect.stringMatching(/^#\d+ in progress of Ann by user, task\.claim$/),
    expect.stringMatching(/^#\d+ completed of Ann by user, task\.update$/),
  ]);
  await past.getByRole("button", { name: /^#\d/ }).first().click();
  await expect.poll(() => group(/^in progress/).textContent(), shortly).toMatch(/Write the parser.*Ann/);
  // Nobody changes what was.
  expect(await page.getByRole("group", { name: /Act on task/ }).count()).toBe(0);
  await page.waitForFunction(() => location.hash.includes("task=1") && /seq=\d+/.test(location.hash));
  await group(/^in progress/)
    .getByRole("button", { name: "Ann" })
    .first()
    .click();
  await expect.poll(() => page.locator(".pane-actor h2").textContent(), shortly).toBe("Ann");
  expect(faults).toEqual([]);

  // The recording of it shows the same, without a service, and a team without a board says so.
  await using server = await servePage();
  const offline = await openLines(browser, server.url, sink.lines, "#view=tasks");
  await expect.poll(() => offline.page.locator(".task-card").count(), shortly).toBe(4);
  expect(await offline.page.getByRole("button", { name: "Add a task…" }).count()).toBe(0);
  await offline.page.getByRole("button", { name: "To the start" }).click();
  await offline.page.getByText("No task board").waitFor();
}, 120_000);
