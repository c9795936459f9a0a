import { onTestFinished } from "vitest";
import { createService, listen, type Listening, type ServiceOptions, type TeamService } from "teamchart/service";
import { createTeamSystem, defineAgent, type TeamSystem, type TeamSystemOptions } from "teamchart";

/** A system with a service that listens, for one test. */
export interface HttpService {
  readonly system: TeamSystem;
  readonly service: TeamService;
  readonly listening: Listening;
  /** Asks with the token; `headers` of `undefined` leave one out. */
  ask(path: string, init?: RequestInit): Promise<Response>;
  /** Asks and reads JSON. */
  json(path: string, init?: RequestInit): Promise<Record<string, unknown>>;
  /** Posts JSON as the page does. */
  post(path: string, body: unknown): Promise<Response>;
}

/** A function agent that delivers its prompt at once. */
export const echo = defineAgent({ run: ({ prompt }) => ({ summary: prompt }) });

/** Starts a system and a service of it at a free port; both end with the test. */
export async function httpService(
  options: ServiceOptions = {},
  systemOptions: TeamSystemOptions = {},
): Promise<HttpService> {
  const system = await createTeamSystem({ environment: {}, agents: { echo }, ...systemOptions });
  const service = createService(system, options);
  const listening = await listen(service, { port: 0 });
  onTestFinished(async () => {
    await service.close();
    await listening.close();
    await system.close();
  });
  const ask = (path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(new URL(path, listening.url), {
      ...init,
      headers: { authorization: `Bearer ${service.token}`, ...(init.headers as Record<string, string>) },
    });
  return {
    system,
    service,
    listening,
    ask,
    json: async (path, init) => (await ask(path, init)).json() as Promise<Record<string, unknown>>,
    post: (path, body) =>
      ask(path, {
        method: "POST",
        body: JSON.stringify(body),
        headers: { "content-type": "application/json", "x-teamchart": "1" },
      }),
  };
}

/** One server-sent event. */
export interface SentEvent {
  readonly event: string;
  readonly id: number | null;
  readonly data: Record<string, unknown>;
}

/** Reads server-sent events one by one, until the stream ends or whoever reads leaves. */
export async function* sentEvents(response: Response): AsyncGenerator<SentEvent, void, void> {
  let rest = "";
  const decoder = new TextDecoder();
  if (response.body === null) return;
  for await (const chunk of response.body) {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split("\n\n");
    rest = parts.pop() ?? "";
    for (const part of parts) yield readEvent(part);
  }
}

function readEvent(text: string): SentEvent {
  const fields = new Map(
    text.split("\n").map((line): [string, string] => {
      const at = line.indexOf(": ");
      return [line.slice(0, at), line.slice(at + 2)];
    }),
  );
  const id = fields.get("id");
  return {
    event: fields.get("event") ?? "",
    id: id === undefined ? null : Number(id),
    data: JSON.parse(fields.get("data") ?? "null") as Record<string, unknown>,
  };
}

/** Everything of a stream that ends. */
export async function allEvents(response: Response): Promise<SentEvent[]> {
  const events: SentEvent[] = [];
  for await (const event of sentEvents(response)) events.push(event);
  return events;
}
