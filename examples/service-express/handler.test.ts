import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { inspector, service, system } from "./handler.ts";

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** `use` as Express does it: the path that is mounted under is taken off the address, and kept in `originalUrl`. */
const use =
  (path: string, handler: Handler): Handler =>
  (request, response) => {
    const url = request.url ?? "/";
    if (url !== path && !url.startsWith(`${path}/`) && !url.startsWith(`${path}?`))
      return void response.writeHead(404).end();
    const rest = url.slice(path.length);
    Object.assign(request, { originalUrl: url, baseUrl: path, url: rest.startsWith("/") ? rest : `/${rest}` });
    handler(request, response);
  };

const server = createServer(use("/teamchart", inspector));
beforeAll(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)));
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await service.close();
  await system.close();
});

const ask = (path: string, init: RequestInit = {}): Promise<Response> => {
  const { port } = server.address() as AddressInfo;
  const headers = { authorization: `Bearer ${service.token}`, ...(init.headers as Record<string, string>) };
  return fetch(`http://127.0.0.1:${port}${path}`, { ...init, headers });
};

test("page and API are found under the path that they are mounted under", async () => {
  expect(await (await ask("/teamchart")).text()).toContain('<base href="/teamchart/">');
  expect((await ask("/teamchart/api/info")).status).toBe(200);
  expect((await ask("/teamchart/api/info", { headers: { authorization: "" } })).status).toBe(401);
  expect((await ask("/api/info")).status).toBe(404);
});

test("events stream through the framework, and a body reaches its route", async () => {
  const session = await system.openSession({ id: "s" });
  await session.createTeam({ name: "T", members: [{ name: "A", agentType: "words", prompt: "one two" }] });
  const headers = { "content-type": "application/json", "x-teamchart": "1" };
  const stream = (await ask("/teamchart/api/sessions/s/events")).text();
  const answer = await ask("/teamchart/api/sessions/s/dissolve", { method: "POST", body: "{}", headers });
  expect(await answer.json()).toEqual({ outcome: "completed", cancelled: [] });
  await session.close();
  expect(await stream).toMatch(/event: record\ndata: \{.*"team\.dissolve"[\s\S]*event: closed/);
});
