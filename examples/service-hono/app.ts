// A Hono app with the inspector under /teamchart, behind the app's own sign-in, and the health routes for Kubernetes.
import { Hono } from "hono";
import { basicAuth } from "hono/basic-auth";
import { createTeamSystem, defineAgent } from "teamchart";
import { createService } from "teamchart/service";

export const system = await createTeamSystem({
  agents: { words: defineAgent({ run: ({ prompt }) => ({ summary: `${prompt.split(/\s+/).length} words` }) }) },
});

// The app asks who is there, so the service doesn't. Nobody can change anything by it: there is no `control`.
export const inspector = createService(system, { basePath: "/teamchart", auth: "host" });

export const app = new Hono();
app.get("/", (context) => context.text("This is the app."));
app.get("/healthz", ({ req }) => inspector.fetch(new Request(new URL("/teamchart/healthz", req.url), req.raw)));
app.get("/readyz", ({ req }) => inspector.fetch(new Request(new URL("/teamchart/readyz", req.url), req.raw)));
app.use(
  "/teamchart/*",
  basicAuth({ username: "ann", password: process.env["INSPECTOR_PASSWORD"] ?? "only-for-the-example" }),
);
app.use(
  "/teamchart",
  basicAuth({ username: "ann", password: process.env["INSPECTOR_PASSWORD"] ?? "only-for-the-example" }),
);
for (const path of ["/teamchart", "/teamchart/*"]) app.all(path, ({ req }) => inspector.fetch(req.raw));
