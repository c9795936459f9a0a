import { connect, createServer } from "node:net";
import { text as textOf } from "node:stream/consumers";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createTeamSystem } from "teamchart";
import { createService, listen } from "teamchart/service";
import { one, rejection } from "../support/sessions.ts";
import { httpService, type HttpService } from "../support/http-service.ts";

/** Every route of the service, by its own document. */
async function routesOf({ json }: HttpService): Promise<readonly (readonly [method: string, path: string])[]> {
  const { paths } = (await json("/openapi.json")) as { paths: Record<string, Record<string, unknown>> };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => [method.toUpperCase(), path.replaceAll(/\{\w+\}/g, "x")] as const),
  );
}

const write = { "content-type": "application/json", "x-teamchart": "1" };

test("S1: every route but the page and the two of health needs the token", async () => {
  const on = await httpService({ control: true });
  const open = new Set(["/healthz", "/readyz"]);
  const routes = await routesOf(on);
  expect(routes.length).toBeGreaterThan(15);
  for (const [method, path] of routes) {
    const answers = await Promise.all(
      [
        {},
        { authorization: "Bearer x" },
        { authorization: `bearer ${on.service.token!.slice(0, -1)}` },
        { authorization: "Basic x" },
      ].map((headers) => fetch(new URL(path, on.listening.url), { method, headers: { ...write, ...headers } })),
    );
    const statuses = answers.map(({ status }) => status);
    expect([path, ...statuses]).toEqual([path, ...(open.has(path) ? [200, 200, 200, 200] : [401, 401, 401, 401])]);
    await Promise.all(answers.map((answer) => answer.text()));
  }
  expect((await fetch(on.listening.url)).status).toBe(200);
});

test("S1: a token is 256 random bits, another one each time, and stands in the fragment alone", async () => {
  const [a, b] = await Promise.all([httpService(), httpService()]);
  expect(Buffer.from(a.service.token!, "base64url")).toHaveLength(32);
  expect(a.service.token).not.toBe(b.service.token);
  expect(new URL(a.listening.urlWithToken).hash).toBe(`#token=${a.service.token}`);
  expect(a.listening.url).not.toContain(a.service.token);
});

test.each(["0.0.0.0", "::", "192.0.2.1"])(
  "S1: listening on %s without a token of one's own is refused",
  async (host) => {
    const system = await createTeamSystem({ environment: {} });
    for (const options of [{}, { auth: "host" as const }]) {
      const service = createService(system, options);
      expect(await rejection(listen(service, { host }))).toMatchObject({ code: "bad_input" });
      await service.close();
    }
    await system.close();
  },
);

test("S2: the routes are these, and none of them reads a file or runs anything", async () => {
  expect((await routesOf(await httpService())).map((route) => route.join(" "))).toMatchInlineSnapshot(`
    [
      "GET /healthz",
      "GET /readyz",
      "GET /metrics",
      "GET /openapi.json",
      "GET /api/info",
      "GET /api/sessions",
      "GET /api/sessions/x/status",
      "GET /api/sessions/x/log",
      "GET /api/sessions/x/events",
      "GET /api/sessions/x/records",
      "GET /api/sessions/x/bodies/x",
      "GET /api/sessions/x/recording",
      "GET /api/sessions/x/messages",
      "POST /api/sessions/x/messages",
      "GET /api/sessions/x/permissions",
      "GET /api/sessions/x/tasks",
      "POST /api/sessions/x/tasks",
      "POST /api/sessions/x/replan",
      "POST /api/sessions/x/replan/preview",
      "POST /api/sessions/x/dissolve",
      "POST /api/sessions/x/members/x/cancel",
      "POST /api/sessions/x/members/x/retry",
      "POST /api/sessions/x/members/x/shutdown",
      "POST /api/sessions/x/permissions/x",
      "POST /api/sessions/x/tasks/claim",
      "POST /api/sessions/x/tasks/x",
    ]
  `);
});

test("S2: every route that changes something is refused with 403 while there is no control", async () => {
  const on = await httpService();
  const session = await on.system.openSession({ id: "x" });
  await session.createTeam({ name: "T", members: [one("x", { agentType: "echo" })] });
  const { seq } = session.state;
  const routes = (await routesOf(on)).filter(([method]) => method === "POST");
  expect(routes.length).toBe(11);
  for (const [, path] of routes) {
    const answer = await on.post(path, {});
    expect([path, answer.status]).toEqual([path, 403]);
    expect(await answer.json()).toMatchObject({
      code: "permission_denied",
      message: expect.stringContaining("--control"),
    });
  }
  expect(session.state.seq).toBe(seq);
});

/** The answer to a request as it is written here, down to its first line. */
async function raw(on: HttpService, head: string): Promise<string> {
  const socket = connect(on.listening.port, "127.0.0.1");
  socket.on("error", () => {});
  socket.write(`${head}\r\nConnection: close\r\n\r\n`);
  return (await textOf(socket)).split("\r\n")[0] ?? "";
}

test.each([
  "evil.example",
  "evil.example:PORT",
  "localhost.evil.example:PORT",
  "127.0.0.1:1",
  "localhost",
  "127.0.0.1.:PORT",
  "[::1",
  "",
])("S3: the host %s is refused, for a request and for an upgrade", async (host) => {
  const on = await httpService();
  const name = host.replace("PORT", String(on.listening.port));
  const head = `GET /api/info HTTP/1.1\r\nHost: ${name}\r\nAuthorization: Bearer ${on.service.token}`;
  expect(await raw(on, head)).toMatch(/^HTTP\/1\.1 (?:403|400) /);
  expect(await raw(on, `${head}\r\nUpgrade: websocket\r\nConnection: upgrade`)).not.toContain(" 101 ");
});

test("S3: this machine's names are answered, with the port that is bound", async () => {
  const on = await httpService();
  for (const name of ["localhost", "127.0.0.1", "LOCALHOST", "[::1]"]) {
    const head = `GET /api/info HTTP/1.1\r\nHost: ${name}:${on.listening.port}\r\nAuthorization: Bearer ${on.service.token}`;
    expect(await raw(on, head)).toBe("HTTP/1.1 200 OK");
  }
});

test("S4: an origin that is null, foreign or of another port is refused, and nothing is ever upgraded", async () => {
  const on = await httpService();
  const own = new URL(on.listening.url).origin;
  for (const origin of [
    "null",
    "https://evil.example",
    "http://127.0.0.1:1",
    `${own}.evil.example`,
    `${own}/`,
    "file://",
    "",
  ]) {
    const answer = await on.ask("/api/info", { headers: { origin } });
    expect([origin, answer.status]).toEqual([origin, 403]);
  }
  expect((await on.ask("/api/info", { headers: { origin: own } })).status).toBe(200);
  const head = `GET /api/info HTTP/1.1\r\nHost: 127.0.0.1:${on.listening.port}\r\nAuthorization: Bearer ${on.service.token}`;
  expect(await raw(on, `${head}\r\nUpgrade: websocket\r\nOrigin: ${own}`)).not.toContain(" 101 ");
});

test("S5: what is printed is what was bound, and that is loopback alone", async () => {
  const on = await httpService();
  expect(new URL(on.listening.url).host).toBe(`127.0.0.1:${on.listening.port}`);
  // Of another address of this machine the port is free.
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(on.listening.port, "127.0.0.2", resolve));
  other.close();
});

test("S6: whatever headers hold, the service answers and goes on", async () => {
  const on = await httpService();
  const value = fc.string({ unit: "binary", maxLength: 60 }).map((text) => text.replaceAll(/[\r\n\0]/g, ""));
  const name = fc.constantFrom(
    "Host",
    "Origin",
    "Authorization",
    "Sec-Fetch-Site",
    "Content-Type",
    "X-Teamchart-Workspace",
    "If-None-Match",
  );
  const service = (headers: readonly (readonly [string, string])[]): Promise<Response> => {
    const given = new Headers();
    for (const [key, text] of headers) {
      try {
        given.append(key, text);
      } catch {
        // No client of this platform can send it.
      }
    }
    return on.service.fetch(new Request("http://localhost/api/info", { headers: given }));
  };
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(name, value), { maxLength: 6 }), async (headers) => {
      expect([401, 403]).toContain((await service(headers)).status);
    }),
    { numRuns: 10_000 },
  );
});

test("S6: bytes that are no HTTP end their own connection and nothing else", async () => {
  const on = await httpService();
  const lines = [
    "GET http://[ HTTP/1.1\r\nHost: [",
    "GET / HTTP/1.1\r\nHost: a b",
    "GET /%ff%fe HTTP/1.1\r\nHost: \u0007",
    "BREW / HTTP/9",
    "GET //evil.example/.. HTTP/1.1\r\nHost: x@y:z",
  ];
  for (const line of lines) await raw(on, line);
  expect((await on.ask("/api/info")).status).toBe(200);
});

test("S7: a write that a form or another site's script could make has no effect", async () => {
  const on = await httpService({ control: true });
  const session = await on.system.openSession({ id: "s" });
  await session.createTeam({ name: "T", members: [one("A", { agentType: "echo" })] });
  const { seq } = session.state;
  const body = JSON.stringify({ mode: "abort" });
  const attempts: RequestInit[] = [
    { method: "POST", body, headers: { "content-type": "text/plain", "x-teamchart": "1" } },
    { method: "POST", body, headers: { "content-type": "application/x-www-form-urlencoded", "x-teamchart": "1" } },
    { method: "POST", body, headers: { "content-type": "application/json" } },
    { method: "POST", body, headers: { ...write, "sec-fetch-site": "cross-site" } },
    { method: "POST", body, headers: { ...write, "sec-fetch-site": "same-site" } },
    { method: "GET", headers: { "sec-fetch-dest": "image" } },
    { method: "PUT", body, headers: write },
  ];
  for (const attempt of attempts) {
    const answer = await on.ask("/api/sessions/s/dissolve", attempt);
    expect([400, 403, 404]).toContain(answer.status);
  }
  expect(session.state.seq).toBe(seq);
  const preflight = await on.ask("/api/sessions/s/dissolve", {
    method: "OPTIONS",
    headers: { "access-control-request-method": "POST" },
  });
  expect(preflight.headers.get("access-control-allow-origin")).toBeNull();
  expect((await on.post("/api/sessions/s/dissolve", { mode: "abort" })).status).toBe(200);
});
