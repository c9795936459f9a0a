// A Node service that runs a team per request: GET /count?text=... streams what happens and ends with the result.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createTeamSystem, defineAgent } from "teamchart";

const system = await createTeamSystem({
  agents: {
    words: defineAgent({ run: ({ prompt }) => ({ summary: `${prompt.split(/\s+/).filter(Boolean).length} words` }) }),
    lines: defineAgent({ run: ({ prompt }) => ({ summary: `${prompt.split("\n").length} lines` }) }),
    reporter: defineAgent({ run: ({ upstream }) => ({ summary: upstream.map((each) => each.summary).join(", ") }) }),
  },
});

export const server = createServer((request, response) => void count(request, response));

async function count(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const text = new URL(request.url ?? "/", "http://localhost").searchParams.get("text") ?? "";
  await using session = await system.openSession();
  const events = session.events$.subscribe(({ actor, event, status }) => {
    response.write(`${actor} ${event.type} ${status ?? ""}\n`);
  });
  response.on("close", () => void session.close()); // the client went away: everything stops
  const team = await session.createTeam({
    name: "Count",
    members: [
      { name: "Words", agentType: "words", prompt: text },
      { name: "Lines", agentType: "lines", prompt: text },
      { name: "Reporter", agentType: "reporter", prompt: "Sum up.", dependsOn: ["Words", "Lines"] },
    ],
  });
  const { outcome, members } = await team.finished();
  events.unsubscribe();
  response.end(`${outcome}: ${members.at(-1)?.summary}\n`);
}

if (import.meta.main) server.listen(3000, "127.0.0.1", () => console.log("http://127.0.0.1:3000/count?text=hello"));
