// A Node service that runs a team per request: GET /count?text=... streams what happens and ends with the result.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createTeamSystem, defineAgent, httpStatus, isTeamError } from "teamchart";

const system = await createTeamSystem({
  agents: {
    words: defineAgent({ run: ({ prompt }) => ({ summary: `${prompt.split(/\s+/).filter(Boolean).length} words` }) }),
    lines: defineAgent({ run: ({ prompt }) => ({ summary: `${prompt.split("\n").length} lines` }) }),
    reporter: defineAgent({ run: ({ upstream }) => ({ summary: upstream.map((each) => each.summary).join(", ") }) }),
  },
  limits: { promptBytesMax: 4_096 },
});

export const server = createServer((request, response) => {
  count(request, response).catch((error: unknown) => {
    const refused = isTeamError(error); // it says what was wrong; of any other fault the client learns nothing
    if (!response.headersSent) response.statusCode = refused ? httpStatus(error.code) : 500;
    response.end(refused ? `${error.message}\n` : "The service has failed.\n");
  });
});

async function count(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const text = URL.parse(request.url ?? "", "http://localhost")?.searchParams.get("text") ?? null;
  if (text === null) return void response.writeHead(400).end("Ask for /count?text=hello\n");
  await using session = await system.openSession();
  const events = session.events$.subscribe(({ team, actor, event, status }) => {
    if (team !== null) response.write(`${actor} ${event.type} ${status ?? ""}\n`);
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
