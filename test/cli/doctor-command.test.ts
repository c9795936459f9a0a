import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { jetstreamManager } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";
import { describe, expect, test } from "vitest";
import { natsBus } from "../../src/bus/nats.ts";
import { knownHoles } from "../../src/bus/nats/advisories.ts";
import { checkBus } from "../../src/cli/doctor/check-bus.ts";
import { NatsServer, natsBinaries } from "../support/nats-server.ts";
import { jsonLines, teamchart, type RunOptions } from "../support/teamchart.ts";

async function doctor(args: readonly string[] = [], options: RunOptions = {}) {
  const { code, stdout } = await teamchart(["doctor", "--json", ...args], options);
  const [report] = jsonLines(stdout);
  const checks = (report?.["checks"] ?? []) as { name: string; state: string; text: string; next: string | null }[];
  return { code, stdout, report, of: (name: string) => checks.find((check) => check.name === name) };
}

test("a machine on which a scripted run works is fine, with the run as its proof", async () => {
  const { code, report, of } = await doctor();
  expect(code).toBe(0);
  expect(report).toMatchObject({ type: "doctor", ok: true });
  expect(of("node")).toMatchObject({ state: "ok", text: `${process.versions.node} (at least 22.13)` });
  expect(of("scripted run")).toMatchObject({ state: "ok" });
  expect(of("temporary folder")).toMatchObject({ state: "ok" });
});

test("keys are told as set or not, never what they hold", async () => {
  const { stdout, of } = await doctor([], { env: { ANTHROPIC_API_KEY: "sk-ant-very-secret" } });
  expect(of("ANTHROPIC_API_KEY")).toMatchObject({ state: "ok", text: "set" });
  expect(of("OPENAI_API_KEY")).toMatchObject({ state: "absent", text: "not set" });
  expect(stdout).not.toContain("very-secret");
});

test("a model that cannot be reached is missing, with the exact next step", async () => {
  const { code, of } = await doctor(["--model", "anthropic/claude"]);
  expect(code).toBe(1);
  expect(of("model")).toMatchObject({ state: "missing", next: "export ANTHROPIC_API_KEY=..." });
});

test("the way to a model that can be reached is told", async () => {
  const { code, of } = await doctor(["--model", "openai/gpt-x"], { env: { OPENAI_API_KEY: "k-123456" } });
  expect(code).toBe(0);
  expect(of("model")).toMatchObject({ state: "ok", text: "openai/gpt-x via OPENAI_API_KEY" });
});

test("a local server is asked for its models: there when it answers, missing when nothing listens", async () => {
  const asked: (string | undefined)[] = [];
  const server = createServer(({ url }, response) => {
    asked.push(url);
    response.writeHead(401).end();
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const options = { env: { OLLAMA_BASE_URL: address } };
  const there = await doctor(["--model", "ollama/qwen3"], options);
  expect([there.code, there.of("model")?.state, asked]).toEqual([0, "ok", ["/v1/models"]]);
  server.close();
  server.closeAllConnections();
  await once(server, "close");
  const gone = await doctor(["--model", "ollama/qwen3"], options);
  expect(gone.code).toBe(1);
  expect(gone.of("model")).toMatchObject({ state: "missing", next: expect.stringContaining("start it") });
  expect(gone.of("model")?.text).toContain(`nothing listens at ${address}`);
});

test("a temporary folder that is not there is missing", async () => {
  const { of } = await doctor([], { env: { TMPDIR: "/nowhere/at/all" } });
  expect(of("temporary folder")).toMatchObject({ state: "missing", next: expect.stringContaining("TMPDIR=") });
});

describe("a nats-server that is named", () => {
  test("is told with what it is like: safe with users, whatever it lacks as a warning, without any trace of the password", async () => {
    const config = 'authorization { user: "node", password: "pw-secret" }\nmax_payload: 65536';
    await using server = await NatsServer.start({ config });
    const env = { TEAMCHART_NATS_USER: "node", TEAMCHART_NATS_PASSWORD: "pw-secret" };
    const { code, stdout, report, of } = await doctor(["--bus", server.url], { env });
    expect([code, report?.["ok"]]).toEqual([0, true]);
    expect(of("nats-server")).toMatchObject({ state: "ok", text: expect.stringContaining(natsBinaries()[0].version) });
    expect(of("access")).toMatchObject({ state: "ok" });
    expect(of("encryption")).toMatchObject({ state: "ok", text: expect.stringContaining("nothing leaves") });
    expect(of("limits")).toMatchObject({ state: "warning", text: expect.stringContaining("65536 bytes") });
    expect(stdout).not.toContain("pw-secret");
    const connection = await connect({ servers: server.url, user: "node", pass: "pw-secret" });
    const { streams } = await jetstreamManager(connection);
    expect(await streams.list().next()).toEqual([]);
    await connection.close();
    const refused = await doctor(["--bus", server.url], { env: { ...env, TEAMCHART_NATS_PASSWORD: "wrong" } });
    expect([refused.code, refused.report?.["ok"]]).toEqual([1, false]);
    expect(refused.of("nats-server")).toMatchObject({ state: "missing", next: "Check the credentials" });
  });

  test("that lets anybody in is a warning; where none answers, or none could be started, it is missing", async () => {
    await using server = await NatsServer.start();
    expect(await checkBus(server.url, {})).toContainEqual(
      expect.objectContaining({ name: "access", state: "warning", next: expect.stringContaining("docs/nats.md") }),
    );
    const missing = (next: RegExp) => [
      expect.objectContaining({ name: "nats-server", state: "missing", next: expect.stringMatching(next) }),
    ];
    expect(await checkBus("nats://127.0.0.1:1", {})).toEqual(missing(/Start nats-server/));
    expect(await checkBus("nats", { NATS_SERVER: "/nowhere/nats-server" })).toEqual(missing(/Install one/));
    const own = await checkBus("nats", { NATS_SERVER: natsBinaries()[0].path });
    expect(own[0]).toMatchObject({ state: "ok", text: expect.stringContaining("started when it is needed") });
  });

  test.each(natsBinaries())("tells the time on $version once there is a stream", async ({ path, version }) => {
    await using server = await NatsServer.start({ path });
    await (await natsBus({ servers: server.url })).close();
    const clock = (await checkBus(server.url, {})).find(({ name }) => name === "clock");
    expect(clock?.state).toBe(version.startsWith("2.9.") ? "absent" : "ok");
  });
});

test.each([
  ["2.9.10", 4],
  ["2.10.26", 4],
  ["2.10.27", 3],
  ["2.11.0", 4],
  ["2.11.15", 2],
  ["2.11.16", 0],
  ["2.12.6", 2],
  ["2.12.7", 0],
  ["2.13.9", 2],
  ["2.14.0", 0],
  ["2.15.1", 0],
])("nats-server %s has %d of the known holes", (version, holes) => {
  expect(knownHoles(version)).toHaveLength(holes);
});

test("for people it ends with a verdict and the next command", async () => {
  const { stdout } = await teamchart(["doctor"]);
  expect(stdout).toMatch(/Scripted runs work here\. Try: teamchart demo\n$/);
});
