import { afterAll, beforeAll, expect, test } from "vitest";
import type { Page } from "playwright-core";
import { defineAgent, type Session } from "../../src/index.ts";
import { startBrowser, type TestBrowser } from "../support/chromium.ts";
import { heldModel } from "../support/held-model.ts";
import { one, until } from "../support/sessions.ts";
import { heldAgents, inspected, type Inspected } from "./support/inspected.ts";
import { openPage } from "./support/open-page.ts";

/** What is drawn comes a moment after what was done. */
const shortly = { timeout: 10_000 };

let browser: TestBrowser;

beforeAll(async () => {
  browser = await startBrowser();
}, 240_000);
afterAll(() => browser?.[Symbol.asyncDispose]());

const states = async (page: Page): Promise<Record<string, string>> =>
  Object.fromEntries(
    await page
      .locator("svg.dag [data-member]")
      .evaluateAll((all) =>
        all.map((each) => [
          each.getAttribute("data-member") ?? "",
          /state-(\w+)/.exec(each.getAttribute("class") ?? "")?.[1] ?? "",
        ]),
      ),
  );

/** Waits until the page shows each member as the session has it. */
async function expectAgreement(page: Page, session: Session): Promise<void> {
  const expected = () => Object.fromEntries(session.status().members.map(({ name, status }) => [name, status]));
  await expect.poll(() => states(page), { timeout: 20_000 }).toEqual(expected());
  expect(await states(page)).toEqual(expected());
}

async function startTeam(given: Inspected, names: readonly string[], id = "live"): Promise<Session> {
  const session = await given.system.openSession({ id });
  const members = names.map((name, index) =>
    one(name, {
      agentType: "held",
      ...(index === names.length - 1 && index > 0 ? { dependsOn: names.slice(0, -1) } : {}),
    }),
  );
  await session.createTeam({ name: "Live", members });
  return session;
}

test("a live run is followed; a page that joins late sees the same; the token leaves the address", async () => {
  const held = heldAgents();
  await using given = await inspected({ agents: { held: defineAgent({ run: held.run }) } });
  const session = await startTeam(given, ["Ann", "Bob", "Cy"]);
  const early = await openPage(browser, given.url);
  // Of one session there is nothing to choose.
  await early.page.getByRole("heading", { name: "Live" }).waitFor();
  expect(early.page.url()).not.toContain("token");
  await expectAgreement(early.page, session);
  await early.page.getByText("Live", { exact: true }).last().waitFor();
  await until(() => held.open.size === 2);
  held.finish("Ann");
  await until(() => session.status().members[0]?.status === "completed");
  await expectAgreement(early.page, session);
  const late = await openPage(browser, given.url);
  await late.page.getByRole("heading", { name: "Live" }).waitFor();
  held.fail("Bob");
  await until(() => session.status().state === "stalled");
  for (const { page, foreign, faults } of [early, late]) {
    await expectAgreement(page, session);
    expect(await page.locator("svg.dag [data-member]").count()).toBe(3);
    expect([foreign, faults]).toEqual([[], []]);
    await page.close();
  }
});

test("a lost connection and a service that was started anew end in the same picture, without a loss or a ghost", async () => {
  const held = heldAgents();
  await using given = await inspected({ agents: { held: defineAgent({ run: held.run }) } });
  const session = await startTeam(given, ["Ann", "Bob", "Cy"]);
  const { page, faults } = await openPage(browser, given.url);
  await expectAgreement(page, session);
  await until(() => held.open.size === 2);
  await given.stop();
  await page.getByRole("alert").filter({ hasText: "connection to the service was lost" }).waitFor();
  await expect.poll(() => page.locator(".mode").textContent(), shortly).toContain("Reconnecting");
  held.finish("Ann");
  held.finish("Bob");
  await until(() => session.status().members[2]?.status === "in_progress");
  await given.start();
  await expectAgreement(page, session);
  await expect.poll(() => page.locator(".mode").textContent(), shortly).toContain("Live");
  // The new service begins with how the session stands: what it saw itself can be gone back to. One that looks back is not
  // moved by what comes meanwhile.
  await session.sendMessage({ to: "Cy", content: "go on" });
  await page.getByRole("button", { name: "One input back" }).click();
  const before = await states(page);
  await until(() => held.open.has("Cy"));
  held.finish("Cy");
  await until(() => session.status().state === "finished");
  expect(await states(page)).toEqual(before);
  await page.getByRole("button", { name: "Replay" }).click();
  await expectAgreement(page, session);
  expect(faults).toEqual([]);
});

test("a connection that breaks is taken up where it was: no record is asked for twice, none is missing", async () => {
  const held = heldAgents();
  await using given = await inspected({ agents: { held: defineAgent({ run: held.run }) } });
  const session = await startTeam(given, ["Ann", "Bob", "Cy"]);
  const { page } = await openPage(browser, given.url);
  await until(() => held.open.size === 2);
  await session.sendMessage({ to: "Ann", content: "one" });
  await expectAgreement(page, session);
  const length = () => page.locator(".timeline-text").textContent();
  await expect.poll(length).toMatch(/\b1 \/ 1\b|[2-9] \/ /);
  await given.cut();
  held.finish("Ann");
  held.finish("Bob");
  await until(() => session.status().members[2]?.status === "in_progress");
  await given.mend();
  await expectAgreement(page, session);
  // The timeline goes back to where it began, before the break.
  await page.getByRole("button", { name: "To the start" }).click();
  await page.getByText("No members").waitFor();
  await page.getByRole("button", { name: "To what happens now" }).click();
  await expectAgreement(page, session);
});

test("a session of the same name that is another one takes the place of the first", async () => {
  const held = heldAgents();
  await using given = await inspected({ agents: { held: defineAgent({ run: held.run }) } });
  const first = await startTeam(given, ["Ann", "Bob"]);
  const { page } = await openPage(browser, `${given.url}&session=live`);
  await expectAgreement(page, first);
  await given.stop();
  await first.close();
  const second = await startTeam(given, ["Xi", "Yu"]);
  await given.start();
  await expectAgreement(page, second);
});

test("what a model says is shown while it says it, and once when it is journalled", async () => {
  const { model, open, begun } = heldModel();
  await using given = await inspected({ agents: { talker: defineAgent({ model }) } });
  const session = await given.system.openSession({ id: "talk" });
  await session.createTeam({ name: "Talk", members: [one("Ann", { agentType: "talker" })] });
  const { page } = await openPage(browser, `${given.url}&actor=Ann`);
  await page.locator(".pane-actor").getByRole("tab", { name: "Conversation" }).click();
  await until(() => begun() === 1);
  const [stream] = open;
  stream?.enqueue({ type: "stream-start", warnings: [] });
  stream?.enqueue({ type: "text-start", id: "1" });
  stream?.enqueue({
    type: "text-delta",
    id: "1",
    delta: "The first thing I see is that nobody has locked the door of the house at night.",
  });
  const live = page.locator(".turn.live");
  await expect.poll(() => live.textContent().catch(() => ""), { timeout: 20_000 }).toContain("The first thing I see");
  stream?.enqueue({ type: "text-end", id: "1" });
  stream?.enqueue({
    type: "finish",
    finishReason: { unified: "stop", raw: "stop" },
    usage: {
      inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: 2, text: 2, reasoning: 0 },
    },
  });
  stream?.close();
  await page.locator(".turn-said").filter({ hasText: "of the house at night" }).waitFor();
  await expect.poll(() => live.count(), shortly).toBe(0);
});

test("read-only there is nothing to press; with control everything is asked first, recorded as the user's, and done", async () => {
  const held = heldAgents();
  const agents = {
    held: defineAgent({ run: held.run }),
    asker: defineAgent({
      run: async ({ permit }) => ({
        summary: await permit({ kind: "network", host: "docs.example" }).then(() => "reached"),
      }),
    }),
  };
  await using given = await inspected({ agents, permissions: { mode: "default" } }, { control: false });
  const session = await given.system.openSession({ id: "control" });
  await session.createTeam({
    name: "Control",
    members: [
      one("Ann", { agentType: "held" }),
      one("Bob", { agentType: "held" }),
      one("Ask", { agentType: "asker" }),
      one("Last", { agentType: "held", dependsOn: ["Ann", "Ask"] }),
    ],
  });
  const senders: string[] = [];
  session.records$.subscribe(({ stored }) => senders.push(`${stored.input.from} ${stored.input.event.type}`));
  const looking = await openPage(browser, given.url);
  await looking.page.locator(".roster-row").filter({ hasText: /^Ann/ }).click();
  await looking.page.locator(".headline").waitFor();
  expect(await looking.page.getByRole("button", { name: /Cancel|Message|Replan|Dissolve/ }).count()).toBe(0);
  await looking.page.close();

  await given.stop();
  await given.start({ control: true });
  const { page, faults } = await openPage(browser, given.url);
  const choose = (name: string) =>
    page
      .locator(".roster-row")
      .filter({ hasText: new RegExp(`^${name}`) })
      .click();
  // A permission.
  await page.getByRole("button", { name: "1 request waits" }).click();
  await page.getByRole("textbox", { name: "Note" }).fill("once");
  await page.getByRole("button", { name: "Approve" }).click();
  await until(() => session.member("Ask")?.status === "completed");
  // A message.
  await choose("Bob");
  await page.getByRole("button", { name: "Message…" }).click();
  await page.getByRole("textbox", { name: "Message" }).fill("look at the second file");
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await until(() => session.member("Bob")?.unread === 1);
  // Cancel: leaving it changes nothing.
  await page.getByRole("button", { name: "Cancel…" }).click();
  await page.getByRole("button", { name: "Leave it" }).click();
  expect(session.member("Bob")?.status).toBe("in_progress");
  await page.getByRole("button", { name: "Cancel…" }).click();
  await page.getByRole("button", { name: "Cancel it" }).click();
  await until(() => session.member("Bob")?.status === "cancelled");
  // Retry of one that failed, with a better task.
  held.fail("Ann");
  await until(() => session.member("Ann")?.status === "failed");
  await choose("Ann");
  await page.getByRole("button", { name: "Retry…" }).click();
  await page.getByRole("textbox", { name: "Task" }).fill("Again, and slower.");
  await page.getByRole("button", { name: "Start again" }).click();
  await until(() => session.member("Ann")?.attempt === 2);
  // A plan: what is wrong is said before it is sent, what is right is drawn.
  await page.getByRole("button", { name: "Replan…" }).click();
  await page.getByRole("button", { name: "+ Add a member" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("Ann");
  await page.getByRole("textbox", { name: "Task" }).fill("Instead.");
  await page.getByText("This plan would be refused").waitFor();
  expect(await page.getByRole("button", { name: "Apply the plan" }).isDisabled()).toBe(true);
  await page.getByRole("textbox", { name: "Name" }).fill("Ann the second");
  await page.getByRole("combobox", { name: "In the place of" }).selectOption("Ann");
  await page.getByRole("combobox", { name: "Agent type" }).selectOption("held");
  await expect
    .poll(() => page.getByRole("region", { name: "What the plan would do" }).textContent(), shortly)
    .toMatch(/Ann: in progress → cancelled.*Ann the second: new → in progress/);
  await page.getByRole("button", { name: "Apply the plan" }).click();
  await until(() => session.member("Ann the second")?.status === "in_progress");
  // And the end.
  await page.getByRole("button", { name: "Dissolve…" }).click();
  await page.getByRole("radio", { name: "stop everybody at once" }).check();
  await page.getByRole("button", { name: "Dissolve it" }).click();
  await until(() => session.status().state === "dissolved");
  expect(senders.filter((each) => each.startsWith("user "))).toEqual([
    "user permission.answer",
    "user message.send",
    "user team.replan",
    "user team.replan",
    "user team.replan",
    "user team.dissolve",
  ]);
  expect(faults).toEqual([]);
}, 180_000);

test("without a valid token the page says where to find it, and shows nothing", async () => {
  await using given = await inspected();
  const wrong = await openPage(browser, given.url.replace(/token=.*/, "token=wrong"));
  await wrong.page.getByText("This page has no valid token").waitFor();
  expect(await wrong.page.locator(".session, .sessions").count()).toBe(0);
  await wrong.page.close();
});
