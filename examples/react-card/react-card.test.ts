import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { getRequestListener } from "@hono/node-server";
import react from "@vitejs/plugin-react";
import { expect, onTestFinished, test } from "vitest";
import { build, defaultClientConditions } from "vite";
import { startBrowser } from "../../test/support/chromium.ts";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import { createApp } from "./app.ts";

/** The page as a bundler makes it, with the package's sources in it. */
async function bundled(): Promise<string> {
  const outDir = temporaryFolder();
  await build({
    configFile: false,
    logLevel: "warn",
    plugins: [react()],
    resolve: { conditions: [...defaultClientConditions, "@teamchart/source"] },
    build: {
      outDir,
      emptyOutDir: true,
      rolldownOptions: { input: join(import.meta.dirname, "page.tsx"), output: { entryFileNames: "page.js" } },
    },
  });
  return join(outDir, "page.js");
}

async function served() {
  const { app, system, close } = await createApp(await bundled());
  const listener = getRequestListener(app.fetch);
  const server = createServer((request, response) => void listener(request, response).catch(() => response.destroy()));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await close();
  });
  // What a server that listens on a port has.
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/`, system };
}

test("the page of an app shows its team while it works, and what a member said", async () => {
  const { url, system } = await served();
  await using browser = await startBrowser({ width: 700, height: 500 });
  const page = await browser.context.newPage();
  const faults: string[] = [];
  page.on("pageerror", (fault) => faults.push(fault.message));
  await page.goto(url);
  // There is no such session yet: the card says so, and finds it when it is there.
  await page.getByText("no session").waitFor();
  const session = await system.openSession({ id: "review" });
  await session.createTeam({
    name: "Review",
    members: [
      { name: "Security", agentType: "reviewer", prompt: "Look at the sign-in." },
      { name: "<b>Tests</b>", agentType: "reviewer", prompt: "What is not tested?", dependsOn: ["Security"] },
    ],
  });
  const card = page.getByRole("region", { name: "Review" });
  await card.getByText("2 of 2 completed").waitFor({ timeout: 20_000 });
  expect(await card.getByRole("listitem").allInnerTexts()).toEqual([
    expect.stringMatching(/Security\s+completed/),
    expect.stringMatching(/<b>Tests<\/b>\s+completed/),
  ]);
  await page.getByRole("button", { name: "<b>Tests</b>" }).click();
  await page.getByText("<b>Tests</b>: 4 words").waitFor();
  expect(faults).toEqual([]);
});
