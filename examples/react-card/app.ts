// A Hono app whose own page shows a team: the service is mounted beside it, so the page asks its own server.
import { readFile } from "node:fs/promises";
import { Hono } from "hono";
import { createTeamSystem, defineAgent } from "teamchart";
import { createService } from "teamchart/service";

const html = `<!doctype html>
<html lang="en">
  <meta charset="utf-8" />
  <meta name="viewport" content="width=device-width" />
  <meta name="color-scheme" content="light dark" />
  <title>Review of the day</title>
  <div id="root"></div>
  <script type="module" src="/page.js"></script>
</html>`;

/** The app; `script` is the file of page.tsx after your bundler (`vite build` here) has been at it. */
export async function createApp(script: string) {
  const system = await createTeamSystem({
    agents: {
      reviewer: defineAgent({
        description: "Counts the words of its task",
        run: ({ prompt }) => ({ summary: `${prompt.split(/\s+/).length} words` }),
      }),
    },
  });
  // Whoever may see the page may see the team; put your own sign-in before both.
  const inspector = createService(system, { basePath: "/teamchart", auth: "host" });
  const app = new Hono();
  app.get("/", (context) => context.html(html));
  app.get("/page.js", async (context) =>
    context.body(await readFile(script), 200, { "content-type": "text/javascript" }),
  );
  for (const path of ["/teamchart", "/teamchart/*"]) app.all(path, ({ req }) => inspector.fetch(req.raw));
  const close = async (): Promise<void> => {
    await inspector.close();
    await system.close();
  };
  return { app, system, close };
}
