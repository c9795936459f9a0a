import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { NatsServer } from "../support/nats-server.ts";
import { teamchart } from "../support/teamchart.ts";

test("a session that runs on a nats-server is listed there and shown again by another process; the password is never printed", async () => {
  await using server = await NatsServer.start({ config: 'authorization { user: "node", password: "pw-secret" }' });
  const env = { TEAMCHART_BUS: server.url, TEAMCHART_NATS_USER: "node", TEAMCHART_NATS_PASSWORD: "pw-secret" };
  const run = await teamchart(["run", "test/cases/diamond.team.yaml", "--session", "d"], { env });
  expect(run.code).toBe(0);
  const status = await teamchart(["status"], { env });
  expect(status.stdout).toMatch(/^completed +d /);
  const again = await teamchart(["resume", "d"], { env });
  expect([again.code, again.stderr]).toEqual([0, expect.stringContaining("The session had ended")]);
  expect(JSON.stringify([run, status, again])).not.toContain("pw-secret");
  const refused = await teamchart(["status"], { env: { ...env, TEAMCHART_NATS_PASSWORD: "wrong" } });
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("refuses these credentials")]);
});

test("git add -A takes nothing of a stored session along", async () => {
  const cwd = mkdtempSync(join(tmpdir(), "teamchart-bus-"));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  execFileSync("git", ["init", "--quiet"], { cwd });
  const run = await teamchart(["run", resolve("test/cases/diamond.team.yaml"), "--session", "d", "--bus", "sqlite"], {
    cwd,
  });
  expect([run.code, existsSync(join(cwd, ".teamchart/teamchart.db"))]).toEqual([0, true]);
  execFileSync("git", ["add", "-A"], { cwd });
  expect(execFileSync("git", ["status", "--porcelain"], { cwd, encoding: "utf8" })).toBe("");
});
