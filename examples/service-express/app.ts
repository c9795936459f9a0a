// An Express app with the inspector under /teamchart. Express takes the path that it mounts under off the address; the service
// finds its routes with it and without.
import express from "express";
import { createTeamSystem, defineAgent } from "teamchart";
import { createService, nodeHandler } from "teamchart/service";

export const system = await createTeamSystem({
  agents: { words: defineAgent({ run: ({ prompt }) => ({ summary: `${prompt.split(/\s+/).length} words` }) }) },
});

export const service = createService(system, {
  basePath: "/teamchart",
  auth: { token: process.env["TEAMCHART_TOKEN"] ?? "only-for-the-example-0123456789" },
  control: true,
});

export const app = express();
app.get("/", (_request, response) => {
  response.send("This is the app.");
});
app.use("/teamchart", nodeHandler(service));
