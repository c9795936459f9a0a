import { realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { endServers, serversWith } from "../../../src/cli/own-nats/server-processes.ts";
import { natsBinaries } from "../../support/nats-server.ts";
import { jsonLines, teamchart } from "../../support/teamchart.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const env = { TEAMCHART_BUS: "nats", NATS_SERVER: natsBinaries()[0].path };
const complete = (summary: string) => ({ calls: [{ tool: "complete", input: { summary, paths: [] } }] });

/** A member that is done at once, and one that takes its time. */
const team = {
  team: {
    name: "T",
    members: [
      { name: "A", agentType: "general", prompt: "a" },
      { name: "B", agentType: "general", prompt: "b", dependsOn: ["A"] },
    ],
  },
  script: { A: [complete("did A")], B: [{ ...complete("did B"), delayMs: 1_500 }] },
};

function newPlace() {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, "team.json"), JSON.stringify(team));
  const config = join(realpathSync(cwd), ".teamchart", "nats", "server.conf");
  onTestFinished(() => endServers(config));
  const run = (args: readonly string[], signals: readonly NodeJS.Signals[] = []) =>
    teamchart(args, {
      cwd,
      env,
      onStdout: (text, child) => {
        if (text.includes("B  blocked -> in_progress")) for (const signal of signals) child.kill(signal);
      },
    });
  return { run, servers: () => serversWith(config) };
}

test("a run that is killed leaves its session and its server; the next command goes on with both, and ends the server", async () => {
  const { run, servers } = newPlace();
  expect(await run(["status"])).toMatchObject({ code: 0, stdout: "There are no sessions here.\n" });
  expect(servers()).toEqual([]);
  await run(["run", "team.json", "--session", "s"], ["SIGKILL"]);
  const left = servers();
  expect(left).toHaveLength(1);
  const listed = await run(["status"]);
  expect(listed.stdout).toBe("interrupted  s  T: 1 of 2 completed\n");
  expect(servers()).toEqual([]);
  const again = await run(["resume", "s", "--json"]);
  expect(jsonLines(again.stdout).at(-1)).toMatchObject({
    outcome: "completed",
    members: [
      { name: "A", summary: "did A", modelCalls: 1 },
      { name: "B", summary: "did B", modelCalls: 1 },
    ],
  });
  expect([again.code, servers()]).toEqual([0, []]);
});

test("an interrupt keeps the session and ends the server", async () => {
  const { run, servers } = newPlace();
  const kept = await run(["run", "team.json", "--session", "s"], ["SIGINT"]);
  expect(kept.code).toBe(130);
  expect(kept.stderr).toContain("Go on with it: teamchart resume s --bus nats");
  expect(servers()).toEqual([]);
});
