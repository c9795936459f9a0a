import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
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

test("for people it ends with a verdict and the next command", async () => {
  const { stdout } = await teamchart(["doctor"]);
  expect(stdout).toMatch(/Scripted runs work here\. Try: teamchart demo\n$/);
});
