import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { jsonLines, teamchart } from "../support/teamchart.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/** A member that is done at once, and one that takes its time in the first life and none in the second. */
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
    B: [{ calls: [{ tool: "complete", input: { summary: "did B", paths: [] } }], delayMs: 3_000 }],
  },
};

const env = { TEAMCHART_BUS: "sqlite" };

/** Runs the file until B works, and then sends the signal. */
async function interrupted(cwd: string, signal: "SIGINT" | "SIGKILL") {
  writeFileSync(join(cwd, "team.json"), JSON.stringify(file));
  return teamchart(["run", "team.json", "--session", "s"], {
    cwd,
    env,
    onStdout: (text, child) => text.includes("B  blocked -> in_progress") && child.kill(signal),
  });
}

test("R58: an interrupted run says how it is gone on with, and that brings it to its end without the file", async () => {
  const cwd = temporaryFolder();
  const first = await interrupted(cwd, "SIGINT");
  expect(first.code).toBe(130);
  expect(first.stderr).toContain("The session is kept. Go on with it: teamchart resume s");
  expect(first.stdout).toMatch(/interrupted: 2 members, 1 model call/);
  const listed = await teamchart(["status"], { cwd, env });
  expect(listed.stdout).toBe("interrupted  s  T: 1 of 2 completed\n");
  rmSync(join(cwd, "team.json"));
  const again = await teamchart(["resume", "s", "--json"], { cwd, env });
  expect(again.code).toBe(0);
  expect(jsonLines(again.stdout).at(-1)).toMatchObject({
    type: "result",
    outcome: "completed",
    members: [
      { name: "A", summary: "did A", modelCalls: 1 },
      { name: "B", summary: "did B", modelCalls: 1 },
    ],
  });
  const ended = await teamchart(["resume", "s"], { cwd, env });
  expect(ended).toMatchObject({ code: 0, stderr: "The session had ended; this is its result.\n" });
  expect(ended.stdout).toContain("completed    B  did B");
  expect((await teamchart(["status", "s"], { cwd, env })).stdout).toMatch(/^completed {4}s {2}T: 2 of 2 completed\n/);
});

test("W7: a run that was killed is listed as interrupted at once, and resumed", async () => {
  const cwd = temporaryFolder();
  expect(await interrupted(cwd, "SIGKILL")).toMatchObject({ code: null });
  const [status] = jsonLines((await teamchart(["status", "--json"], { cwd, env })).stdout);
  expect(status).toMatchObject({
    bus: "sqlite",
    sessions: [{ session: "s", state: "interrupted", completed: 1, resume: "teamchart resume s" }],
  });
  const again = await teamchart(["resume", "s", "--json"], { cwd, env });
  expect(jsonLines(again.stdout).at(-1)).toMatchObject({ outcome: "completed", members: [{ modelCalls: 1 }, {}] });
});

test("a name that is taken is refused by run; a file that is no database by all", async () => {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, "team.json"), JSON.stringify({ ...file, script: { A: file.script.A, B: file.script.A } }));
  const run = ["run", "team.json", "--session", "s"];
  expect((await teamchart(run, { cwd, env })).code).toBe(0);
  const twice = await teamchart(run, { cwd, env });
  expect(twice).toMatchObject({ code: 2, stderr: expect.stringContaining("teamchart resume s") });
  const bad = { TEAMCHART_BUS: "sqlite:team.json" };
  for (const args of [run, ["status"], ["resume", "s"]]) {
    expect(await teamchart(args, { cwd, env: bad })).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/the bus is not available: .*team\.json: it is no SQLite database/),
    });
  }
});

test("looking makes no file", async () => {
  const cwd = temporaryFolder();
  expect(await teamchart(["status"], { cwd, env })).toMatchObject({ code: 0, stdout: "There are no sessions here.\n" });
  expect((await teamchart(["status", "s"], { cwd, env })).code).toBe(2);
  expect((await teamchart(["resume", "s"], { cwd, env })).code).toBe(2);
  expect(existsSync(join(cwd, ".teamchart"))).toBe(false);
});
