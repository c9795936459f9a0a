import { connect, createServer } from "node:net";
import { text as textOf } from "node:stream/consumers";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createTeamSystem } from "teamchart";
import { createService, listen } from "teamchart/service";
import { one, rejection } from "../support/sessions.ts";
import { echo, httpService, type HttpService } from "../support/http-service.ts";

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
  const open = ["/healthz", "/readyz"];
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
    expect([path, ...statuses]).toEqual([path, ...(open.includes(path) ? [200, 200, 200, 200] : [401, 401, 401, 401])]);
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
      "POST /api/sessions/x/replan",
      "POST /api/sessions/x/replan/preview",
      "POST /api/sessions/x/dissolve",
      "POST /api/sessions/x/members/x/cancel",
      "POST /api/sessions/x/members/x/retry",
      "POST /api/sessions/x/members/x/shutdown",
      "POST /api/sessions/x/permissions/x",
    ]
  `);
});

test("S2: every route that changes something is refused with 403 while there is no control", async () => {
  const on = await httpService();
  const session = await on.system.openSession({ id: "x" });
  await session.createTeam({ name: "T", members: [one("x", { agentType: "echo" })] });
  const { seq } = session.state;
  const routes = (await routesOf(on)).filter(([method]) => method === "POST");
  expect(routes.length).toBe(8);
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

test("S8: every answer has the strict policy, and data is never a page", async () => {
  const on = await httpService();
  const session = await on.system.openSession({ id: "s" });
  const payload = '<img src=x onerror=alert(1)>"</script>';
  await session.createTeam({ name: payload, members: [one("A", { agentType: "echo", prompt: payload })] });
  for (const path of ["/", "/api/info", "/api/sessions/s/status", "/api/sessions/s/recording", "/nope", "/metrics"]) {
    const { headers } = await on.ask(path);
    const policy = headers.get("content-security-policy") ?? "";
    for (const part of ["default-src 'none'", "script-src 'self'", "connect-src 'self'", "frame-ancestors 'none'"]) {
      expect(policy).toContain(part);
    }
    expect(policy).not.toMatch(/unsafe|\*|https?:/);
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    if (path.startsWith("/api")) expect(headers.get("content-type")).not.toContain("html");
  }
});

test("S13: an answer to a request counts once, and for a request that there is", async () => {
  const { tool, jsonSchema } = await import("ai");
  const ran: unknown[] = [];
  const danger = tool({
    inputSchema: jsonSchema<object>({ type: "object" }),
    execute: (input: unknown) => (ran.push(input), "done"),
  });
  const on = await httpService(
    { control: true },
    {
      agents: { asker: { model: "scripted", tools: { danger }, ask: ["danger"] } },
      script: {
        A: [
          { calls: [{ tool: "danger", input: { path: "x" } }] },
          { calls: [{ tool: "danger", input: { path: "y" } }] },
          { calls: [{ tool: "complete", input: { summary: "x", paths: [] } }] },
        ],
      },
    },
  );
  const session = await on.system.openSession({ id: "s" });
  const team = await session.createTeam({ name: "T", members: [one("A", { agentType: "asker" })] });
  const nextRequest = async (): Promise<string> => {
    for (;;) {
      const { permissions } = (await on.json("/api/sessions/s/permissions")) as { permissions: { id: string }[] };
      if (permissions[0] !== undefined) return permissions[0].id;
    }
  };
  const first = await nextRequest();
  expect((await on.post("/api/sessions/s/permissions/forged", { approve: true })).status).toBe(404);
  const answers = await Promise.all(
    [1, 2].map(() => on.post(`/api/sessions/s/permissions/${first}`, { approve: true })),
  );
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  const second = await nextRequest();
  expect(second).not.toBe(first);
  // The answer to the first call is none to the second, which has other arguments.
  expect((await on.post(`/api/sessions/s/permissions/${first}`, { approve: true })).status).toBe(409);
  expect((await on.post(`/api/sessions/s/permissions/${second}`, { approve: false, note: "not y" })).status).toBe(200);
  await team.finished();
  expect(ran).toEqual([{ path: "x" }]);
});

test("S18: a secret in prompts, arguments, results and messages is in nothing that leaves the service", async () => {
  const secret = "canary-5d0e77b1c4";
  const entries: unknown[] = [];
  const on = await httpService(
    { redact: { secrets: [secret], keys: ["shade"] }, log: (entry) => void entries.push(entry) },
    {
      script: { Lead: [{ text: `it is ${secret} and more words follow to have it sent early to all who listen now` }] },
    },
  );
  const session = await on.system.openSession({ id: "s", lead: { model: "scripted" } });
  const stream = (await on.ask("/api/sessions/s/events?from=1")).text();
  await session.send(`keep ${secret}`);
  const team = await session.createTeam({
    name: "T",
    description: secret,
    members: [one("A", { agentType: "echo", prompt: JSON.stringify({ token: secret, shade: "hidden-value-1" }) })],
  });
  await team.finished();
  const texts: string[] = [];
  for (const path of ["status", "log", "records", "messages", "permissions", "recording"]) {
    texts.push(await (await on.ask(`/api/sessions/s/${path}`)).text());
  }
  texts.push(await (await on.ask("/api/sessions")).text(), await (await on.ask("/metrics")).text());
  for (const [, digest] of texts.join("").matchAll(/"digest":"([0-9a-f]{64})"/g)) {
    texts.push(await (await on.ask(`/api/sessions/s/bodies/${digest}`)).text());
  }
  await session.close();
  texts.push(await stream, JSON.stringify(entries));
  expect(texts.join("\n").length).toBeGreaterThan(10_000);
  expect(entries.length).toBeGreaterThan(10);
  expect(texts.filter((text) => text.includes(secret))).toEqual([]);
});

test("S19: the page comes from the package alone: nothing of it names another host", async () => {
  const on = await httpService();
  const page = await (await on.ask("/")).text();
  expect(page).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
});

test("no path of a request reaches the disk", async () => {
  const on = await httpService();
  for (const path of [
    "/../package.json",
    "/..%2fpackage.json",
    "/%2e%2e/%2e%2e/etc/passwd",
    "/assets/../../package.json",
    "/etc/passwd",
    "/assets/..\\..\\package.json",
  ]) {
    expect(await raw(on, `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${on.listening.port}`)).toMatch(/ 40[04] /);
  }
});

test("a session that is somebody else's looks just like one that doesn't exist", async () => {
  const seen: string[] = [];
  const on = await httpService({
    control: true,
    canSee: (request, { id }) => (seen.push(id), request.headers.get("x-user") === id),
  });
  for (const id of ["ann", "bob"]) await on.system.openSession({ id });
  const asAnn = { headers: { "x-user": "ann" } };
  expect((await on.json("/api/sessions", asAnn))["sessions"]).toMatchObject([{ id: "ann" }]);
  for (const path of [
    "status",
    "log",
    "events",
    "records",
    "recording",
    "messages",
    "permissions",
    `bodies/${"0".repeat(64)}`,
  ]) {
    const [foreign, unknown] = await Promise.all(
      ["bob", "bXb"].map(async (id) => {
        const answer = await on.ask(`/api/sessions/${id}/${path}`, asAnn);
        return [answer.status, (await answer.text()).replaceAll(id, "ID"), answer.headers.get("content-type")];
      }),
    );
    expect([path, foreign]).toEqual([path, unknown]);
    expect(foreign?.[0]).toBe(404);
  }
});

test("a request that names another workspace than the system's sees none of its sessions", async () => {
  const { temporaryFolder } = await import("../support/temporary-folder.ts");
  const { realpathSync } = await import("node:fs");
  const workspace = temporaryFolder();
  const on = await httpService({}, { workspace });
  await on.system.openSession({ id: "s" });
  const ask = async (path: string): Promise<number> =>
    (await on.ask("/api/sessions/s/status", { headers: { "x-teamchart-workspace": encodeURIComponent(path) } })).status;
  expect(await ask(realpathSync(workspace))).toBe(200);
  expect(await ask(`${workspace}/..`)).toBe(404);
  expect(await ask("/")).toBe(404);
  expect((await on.ask("/api/sessions/s/status", { headers: { "x-teamchart-workspace": "%zz" } })).status).toBe(404);
});

test("a body that is too large, no JSON or of the wrong form is refused with what is wrong", async () => {
  const on = await httpService({ control: true, bodyBytesMax: 1_000 });
  await on.system.openSession({ id: "s" });
  const send = (body: string) => on.ask("/api/sessions/s/messages", { method: "POST", body, headers: write });
  expect((await send(JSON.stringify({ to: "A", content: "x".repeat(2_000) }))).status).toBe(413);
  expect((await send("{")).status).toBe(400);
  const wrong = await send(JSON.stringify({ to: "A", contnt: "x" }));
  expect(await wrong.json()).toMatchObject({ code: "bad_input", message: expect.stringContaining("body") });
});
