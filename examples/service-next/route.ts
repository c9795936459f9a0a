// A route of a framework whose handlers take a Request and give a Response, as in Next.js:
// app/teamchart/[[...path]]/route.ts
import { createTeamSystem, defineAgent, type TeamSystem } from "teamchart";
import { createService, type TeamService } from "teamchart/service";

interface Made {
  readonly system: TeamSystem;
  readonly service: TeamService;
}

async function make(): Promise<Made> {
  const system = await createTeamSystem({
    agents: { words: defineAgent({ run: ({ prompt }) => ({ summary: `${prompt.split(/\s+/).length} words` }) }) },
  });
  return { system, service: createService(system, { basePath: "/teamchart", auth: "host" }) };
}

// In development such a framework loads a module again and again; the process must keep one system.
const kept = globalThis as { teamchart?: Promise<Made> };
export const made = (): Promise<Made> => (kept.teamchart ??= make());

const handler = async (request: Request): Promise<Response> => (await made()).service.fetch(request);

export { handler as GET, handler as POST };
