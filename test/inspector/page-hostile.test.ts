import { expect, test } from "vitest";
import { startBrowser } from "../support/chromium.ts";
import { servePage } from "../support/page-server.ts";
import { call, complete, one, until } from "../support/sessions.ts";
import { openLines } from "./support/open-page.ts";
import { recordTeam } from "./support/recorded-team.ts";

/** Texts that run, load or leave something where they are taken for markup. Each names the hook that tells of it. */
const payloads = [
  `<script>window.hit=1</script>`,
  `<img src=x onerror=window.hit=1>`,
  `<img src=http://evil.example/a.png>`,
  `<svg onload=window.hit=1>`,
  `<svg><script>window.hit=1</script></svg>`,
  `<iframe src=javascript:parent.hit=1></iframe>`,
  `<iframe srcdoc="<script>parent.hit=1</script>">`,
  `<a href=javascript:window.hit=1>x</a>`,
  `[x](javascript:window.hit=1)`,
  `![x](http://evil.example/b.png)`,
  `<body onload=window.hit=1>`,
  `<details open ontoggle=window.hit=1>`,
  `<input autofocus onfocus=window.hit=1>`,
  `<video><source onerror=window.hit=1>`,
  `<math><mtext><script>window.hit=1</script>`,
  `<style>@import url(http://evil.example/c.css)</style>`,
  `<link rel=stylesheet href=http://evil.example/d.css>`,
  `<meta http-equiv=refresh content=0;url=http://evil.example>`,
  `<base href=http://evil.example>`,
  `<form action=http://evil.example><button>x`,
  `<object data=http://evil.example/e>`,
  `<embed src=http://evil.example/f>`,
  `"><script>window.hit=1</script>`,
  `'-window.hit=1-'`,
  `\${window.hit=1}`,
  `{{constructor.constructor('window.hit=1')()}}`,
  `</title><script>window.hit=1</script>`,
  `</textarea><script>window.hit=1</script>`,
  `<!--><script>window.hit=1</script>-->`,
  `javascript:window.hit=1//`,
  `data:text/html,<script>window.hit=1</script>`,
  `<x style="background:url(http://evil.example/g)">`,
];

const at = (index: number): string => payloads[index % payloads.length] ?? "";
/** Names are at most 64 characters, and no two may look alike. */
const nameOf = (index: number): string => `${index} ${at(index)}`.slice(0, 64).trim();

test("whatever a model or a user writes stays text: names, prompts, messages, results, errors, arguments, reasons", async () => {
  const members = payloads.map((payload, index) =>
    one(nameOf(index), {
      prompt: `P ${payload}`,
      description: `D ${payload}`,
      ...(index % 5 === 4 ? { dependsOn: [nameOf(index - 1)] } : {}),
    }),
  );
  const script = Object.fromEntries(
    payloads.map((payload, index) => [
      nameOf(index),
      index % 5 === 3
        ? [{ error: "content_filter" as const }]
        : [
            call("team_send_message", { to: nameOf((index + 1) % payloads.length), content: `M ${payload}` }),
            call(payload, { [payload]: payload }),
            complete(`R ${payload}`),
          ],
    ]),
  );
  const lines = await recordTeam({ id: at(0), script }, async (session) => {
    const tasks = payloads.map((payload) => ({ subject: payload, description: `TD ${payload}` }));
    await session.createTeam({ name: `T ${at(1)}`, description: at(2), members, tasks });
    for (const [index, payload] of payloads.entries())
      await session.board.update({ task: index + 1, status: "cancelled", note: `TN ${payload}` });
    await until(() => session.status().state === "stalled");
    await session.sendMessage({ to: "broadcast", content: payloads.join("\n") });
    await session.dissolve({ reason: at(5) });
  });
  await using server = await servePage();
  await using browser = await startBrowser();
  const { page, foreign, faults } = await openLines(browser, server.url, lines);
  for (const view of ["Statechart", "Tasks", "Events", "Messages", "Permissions", "Team"]) {
    await page.getByRole("tab", { name: view }).click();
    if (view === "Tasks") for (const head of (await page.locator(".task-head").all()).slice(0, 3)) await head.click();
    for (const index of [0, 3, 4, 22]) {
      await page.locator(".roster-list").focus();
      await page.getByRole("searchbox", { name: "Find a member" }).fill(nameOf(index));
      await page.locator(".roster-row").first().click();
      for (const part of ["Now", "Mailbox", "Conversation", "Step"])
        await page.locator(".pane-actor").getByRole("tab", { name: part }).click();
    }
  }
  await page.getByRole("button", { name: "One input back" }).click();
  await page.getByRole("tab", { name: "Events" }).click();
  await page.getByRole("searchbox", { name: "Find a member" }).fill("");
  expect(await page.evaluate(() => "hit" in window)).toBe(false);
  expect(
    await page
      .locator("iframe, object, embed, base, meta[http-equiv], .session img, .session a[href^=javascript]")
      .count(),
  ).toBe(0);
  expect(await page.locator(".session").textContent()).toContain("<script>window.hit=1</script>");
  expect([foreign, faults]).toEqual([[], []]);
}, 180_000);
