import { realpathSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text as textOf } from "node:stream/consumers";
import { jsonSchema, tool } from "ai";
import { expect, onTestFinished, test } from "vitest";
import { sqliteBus } from "../../src/bus/sqlite.ts";
import { createTeamSystem } from "../../src/index.ts";
import { one } from "../support/sessions.ts";
import { httpService, type HttpService } from "../support/http-service.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const write = { "content-type": "application/json", "x-teamchart": "1" };

/** The answer to a request as it is written here, down to its first line. */
async function raw(on: HttpService, head: string): Promise<string> {
  const socket = connect(on.listening.port, "127.0.0.1");
  socket.on("error", () => {});
  socket.write(`${head}\r\nConnection: close\r\n\r\n`);
  return (await textOf(socket)).split("\r\n")[0] ?? "";
}

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

test("stored sessions of one file belong each to the folder that they were opened in", async () => {
  const path = join(temporaryFolder(), "teamchart.db");
  const folders = [temporaryFolder(), temporaryFolder()];
  for (const [index, workspace] of folders.entries()) {
    const bus = sqliteBus({ path });
    await using system = await createTeamSystem({ environment: {}, bus, workspace });
    await (await system.openSession({ id: `s${index}` })).close();
    await system.close();
    await bus.close();
  }
  const bus = sqliteBus({ path });
  onTestFinished(() => bus.close());
  const on = await httpService({}, { bus });
  const seenFrom = async (folder?: string) => {
    const headers: Record<string, string> =
      folder === undefined ? {} : { "x-teamchart-workspace": encodeURIComponent(realpathSync(folder)) };
    const { sessions } = (await (await on.ask("/api/sessions", { headers })).json()) as { sessions: { id: string }[] };
    const status = await Promise.all(
      ["s0", "s1"].map(async (id) => (await on.ask(`/api/sessions/${id}/status`, { headers })).status),
    );
    return [sessions.map(({ id }) => id).toSorted(), status];
  };
  expect(await seenFrom(folders[0])).toEqual([["s0"], [200, 404]]);
  expect(await seenFrom(folders[1])).toEqual([["s1"], [404, 200]]);
  expect(await seenFrom(tmpdir())).toEqual([[], [404, 404]]);
  expect(await seenFrom()).toEqual([
    ["s0", "s1"],
    [200, 200],
  ]);
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
