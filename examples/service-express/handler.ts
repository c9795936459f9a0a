// The inspector as a handler for Express, or whatever else takes (request, response) of node:http:
//   express().use("/teamchart", inspector).listen(3000)
// Express takes the path that it mounts under off the address; the service finds its routes with it and without.
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

export const inspector = nodeHandler(service);
