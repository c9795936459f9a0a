import { expect, test } from "vitest";
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
