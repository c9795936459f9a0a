import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import express from "express";
import { nodeHandler } from "teamchart/service";
import { app, service, system } from "./app.ts";

const server = createServer(app);
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
  expect(await (await ask("/")).text()).toBe("This is the app.");
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

test("behind a body parser of the app a body reaches its route all the same, and a wrong one is refused", async () => {
  const behind = express();
  behind.use(express.json());
  behind.use("/teamchart", nodeHandler(service));
  const late = createServer(behind);
  await new Promise<void>((resolve) => late.listen(0, "127.0.0.1", resolve));
  const session = await system.openSession({ id: "late" });
  try {
    const { port } = late.address() as AddressInfo;
    const send = async (body: string): Promise<unknown> => {
      const answer = await fetch(`http://127.0.0.1:${port}/teamchart/api/sessions/late/messages`, {
        method: "POST",
        body,
        headers: { authorization: `Bearer ${service.token}`, "content-type": "application/json", "x-teamchart": "1" },
      });
      return answer.json();
    };
    expect(await send('{"to":"Nobody","content":"hello"}')).toMatchObject({ code: "unknown_recipient" });
    expect(await send('{"to":7}')).toMatchObject({ code: "bad_input" });
  } finally {
    late.closeAllConnections();
    late.close();
    await session.close();
  }
});
