import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { jsonLines, MAIN, teamchart } from "../support/teamchart.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const file = {
  agents: { clerk: { runsOn: "workers", model: "scripted" }, helper: { model: "scripted" } },
  team: { name: "T", members: [{ name: "A", agentType: "clerk", prompt: "a" }] },
  script: { A: [{ calls: [{ tool: "complete", input: { summary: "did A", paths: [] } }] }] },
};
const env = { TEAMCHART_BUS: "sqlite" };

function folderWithFile(content: object = file): string {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, "team.json"), JSON.stringify(content));
  return cwd;
}

/** Starts a worker; resolves with its first words. */
async function startWorker(cwd: string, args: readonly string[]): Promise<{ child: ChildProcess; lines: string[] }> {
  const child = spawn(process.execPath, [MAIN, "worker", ...args, "--json"], {
    cwd,
    env: { PATH: process.env["PATH"] ?? "", ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const lines: string[] = [];
  child.stdout.setEncoding("utf8").on("data", (text: string) => lines.push(text));
  await once(child.stdout, "data");
  return { child, lines };
}

test("a run waits for a worker, says so in its status, and ends when one has come", async () => {
  const cwd = folderWithFile();
  let seen: Promise<unknown> = Promise.resolve();
  const run = teamchart(["run", "team.json", "--session", "s"], {
    cwd,
    env,
    timeoutMs: 90_000,
    onStdout: (text) => {
      if (text.includes("A  blocked -> in_progress")) seen = whenWaiting();
    },
  });
  const whenWaiting = async (): Promise<void> => {
    const waiting = await teamchart(["status", "s"], { cwd, env });
    expect(waiting.stdout).toContain("A waits for a worker that offers clerk\n");
    const { child, lines } = await startWorker(cwd, ["team.json", "--name", "w1"]);
    await run;
    child.kill("SIGTERM");
    expect(await once(child, "exit")).toEqual([0, null]);
    expect(jsonLines(lines.join(""))).toEqual([
      { type: "worker", worker: "w1", agents: ["clerk"], bus: "sqlite", models: "scripted model, no LLM" },
      { type: "run", state: "taken", session: "s", member: "A", agentType: "clerk" },
      { type: "run", state: "ended", session: "s", member: "A", agentType: "clerk" },
    ]);
  };
  const ended = await run;
  await seen;
  expect(ended.code).toBe(0);
  expect(ended.stdout).toContain("completed    A  did A");
});

test("the agents of a module are offered, and what a module or a file can't be is refused", async () => {
  const cwd = folderWithFile({ ...file, agents: { clerk: { model: "scripted" } } });
  writeFileSync(join(cwd, "options.mjs"), 'export default () => ({ agents: { clerk: { runsOn: "workers" } } });');
  writeFileSync(join(cwd, "nothing.mjs"), "export default 1;");
  const worker = startWorker(cwd, ["--config", "options.mjs", "--name", "w2"]);
  const refused = (args: readonly string[]) => teamchart(["worker", ...args, "--json"], { cwd, env });
  const all = await Promise.all(
    [
      ["team.json"],
      ["team.json", "--agents", "clrk"],
      ["team.json", "--config", "options.mjs"],
      ["--config", "nothing.mjs"],
      ["--config", "missing.mjs"],
      ["team.json", "--bus", "memory"],
    ].map(refused),
  );
  expect(all.map(({ code, stdout }) => [code, jsonLines(stdout)[0]?.["message"]])).toEqual([
    [2, expect.stringContaining("no agent type of team.json says runsOn: workers")],
    [2, expect.stringContaining('there is no agent type "clrk" (did you mean "clerk"?)')],
    [2, expect.stringContaining("expected a team file or --config MODULE, one of the two")],
    [2, expect.stringContaining("its default export is neither options of createTeamSystem nor a function")],
    [2, expect.stringContaining("it can't be loaded")],
    [2, expect.stringContaining("no other process can reach it; name the sqlite bus")],
  ]);
  expect(jsonLines((await worker).lines.join(""))[0]).toMatchObject({ worker: "w2", agents: ["clerk"] });
});
