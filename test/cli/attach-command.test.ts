import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { jsonLines, teamchart } from "../support/teamchart.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const env = { TEAMCHART_BUS: "sqlite" };

const file = {
  team: {
    name: "T",
    members: [
      { name: "A", agentType: "general", prompt: "a" },
      { name: "B", agentType: "general", prompt: "b", dependsOn: ["A"] },
    ],
  },
  script: {
    A: [{ calls: [{ tool: "complete", input: { summary: "did A", paths: [] } }] }],
    B: [{ calls: [{ tool: "complete", input: { summary: "did B", paths: [] } }], delayMs: 4_000 }],
  },
};

function folderWithTeam(): string {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, "team.json"), JSON.stringify(file));
  return cwd;
}

test("attach shows a session that another process runs until it ends, with its exit code", async () => {
  const cwd = folderWithTeam();
  const attached = Promise.withResolvers<Awaited<ReturnType<typeof teamchart>>>();
  let isAttached = false;
  const run = await teamchart(["run", "team.json", "--session", "s"], {
    cwd,
    env,
    onStdout: (text) => {
      if (isAttached || !text.includes("B  blocked -> in_progress")) return;
      isAttached = true;
      teamchart(["attach", "s", "--json"], { cwd, env }).then(attached.resolve, attached.reject);
    },
  });
  expect(run.code).toBe(0);
  const { code, stdout } = await attached.promise;
  const lines = jsonLines(stdout);
  expect(code).toBe(0);
  expect(lines.at(-1)).toMatchObject({ type: "result", outcome: "completed", members: [{ name: "A" }, { name: "B" }] });
  // Of one that has ended there is its result.
  const late = await teamchart(["attach", "s"], { cwd, env });
  expect(late).toMatchObject({ code: 0, stdout: expect.stringContaining("did B") });
});

test("attach says when nobody runs a session, and an interrupt leaves it as it is", async () => {
  const cwd = folderWithTeam();
  await teamchart(["run", "team.json", "--session", "s"], {
    cwd,
    env,
    onStdout: (text, child) => text.includes("B  blocked -> in_progress") && child.kill("SIGKILL"),
  });
  const left = await teamchart(["attach", "s"], {
    cwd,
    env,
    onStderr: (text, child) => text.includes("Nobody runs it now") && child.kill("SIGINT"),
  });
  expect(left).toMatchObject({ code: 130, stderr: expect.stringContaining("Go on with it: teamchart resume s") });
  expect((await teamchart(["status"], { cwd, env })).stdout).toBe("interrupted  s  T: 1 of 2 completed\n");
});

test.each([
  [["attach", "s"], "there is no session"],
  [["attach", "s", "--bus", "memory"], "name the sqlite bus"],
])("%j is refused with exit code 2", async (args, text) => {
  expect(await teamchart(args, { cwd: temporaryFolder(), env })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(text),
  });
});
