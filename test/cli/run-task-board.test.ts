import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { codeBlocks } from "../repository/checks/code-blocks.ts";
import { jsonLines, teamchart } from "../support/teamchart.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const path = "docs/task-board.md";
const guide = readFileSync(join(import.meta.dirname, "../..", path), "utf8");
const released = codeBlocks({ path, text: guide }).find(({ language }) => language === "yaml");

/** Writes the guide's first team file into a new folder and gives its path. */
function guideFile(): string {
  const file = join(temporaryFolder(), "release.team.yaml");
  writeFileSync(file, released?.text ?? "");
  return file;
}

test("the team of the guide does all its tasks, in their order, and the result says so", async () => {
  const file = guideFile();
  const record = `${file}.ndjson`;
  const { code, stdout } = await teamchart(["run", file, "--json", "--record", record]);
  const lines = jsonLines(stdout);
  const taken = lines.flatMap(({ event }) => {
    const { type, task, owner } = (event ?? {}) as { type?: string; task?: number; owner?: string };
    return type === "task.claimed" ? [`#${task} ${owner}`] : [];
  });
  expect(taken).toEqual(["#1 Ann", "#2 Ann", "#3 Tess"]);
  expect(lines.at(-1)).toMatchObject({
    outcome: "completed",
    tasks: [
      { task: 1, subject: "Write the parser", status: "completed", owner: "Ann", note: "Parses all of it." },
      { task: 2, status: "completed", owner: "Ann", note: null },
      { task: 3, status: "completed", owner: "Tess", note: "Both work." },
    ],
  });
  expect(code).toBe(0);
  const replayed = await teamchart(["replay", record]);
  expect([replayed.code, replayed.stdout]).toEqual([0, expect.stringContaining("result: completed")]);
});

test("for people, tasks are lines as they move, and stand in the result", async () => {
  const { stdout } = await teamchart(["run", guideFile()]);
  expect(stdout).toContain("Ann  takes #1 Write the parser\n");
  expect(stdout).toContain('#1 Write the parser  completed (Ann)  "Parses all of it."\n');
  expect(stdout).toContain("completed    #3 Test both  Tess  Both work.\n");
  expect(stdout).toMatch(/^completed: 2 members, .*, 3 of 3 tasks done, /m);
});

test("a lead of a file with a board declares tasks with its team, and gives one out", async () => {
  const file = join(temporaryFolder(), "led.team.json");
  const call = (tool: string, input: object = {}) => ({ calls: [{ tool, input }] });
  const member = { name: "Ann", prompt: "Wait.", lifetime: "persistent" };
  const content = {
    board: {},
    lead: { prompt: "go" },
    script: {
      Lead: [
        call("team_create", {
          name: "T",
          members: [member],
          tasks: [{ subject: "a" }, { subject: "b", dependsOn: ["1"] }],
        }),
        { waitFor: { Ann: "completed" } },
        call("team_task_claim", { task: 1, owner: "Ann" }),
        call("team_task_update", { task: 2, status: "cancelled", unassign: true }),
        call("team_task_list", {}),
        { text: "given out" },
        { text: "done" },
      ],
      Ann: [
        call("team_task_claim"),
        call("complete", { summary: "ready" }),
        call("team_task_list", { owner: "Ann" }),
        call("team_task_update", { task: 1, status: "completed" }),
        { text: "done" },
      ],
    },
  };
  writeFileSync(file, JSON.stringify(content));
  const { stdout } = await teamchart(["run", file, "--json"]);
  expect(jsonLines(stdout).at(-1)).toMatchObject({
    outcome: "completed",
    tasks: [
      { task: 1, status: "completed", owner: "Ann" },
      { task: 2, status: "cancelled", owner: null },
    ],
  });
});

test("what is wrong with the tasks of a file is told with its place, before anything starts", async () => {
  const file = join(temporaryFolder(), "bad.team.yaml");
  const team = "team: { name: T, members: [{ name: A, prompt: p }], ";
  writeFileSync(file, `${team}tasks: [{ subject: s, dependson: [1] }] }\n`);
  const unknown = await teamchart(["run", file]);
  expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('did you mean "dependsOn"?')]);
  writeFileSync(file, `${team}tasks: [{ subject: s, dependsOn: [2] }, { subject: s, dependsOn: [1] }] }\n`);
  const cyclic = await teamchart(["run", file, "--model", "ollama/none"]);
  expect([cyclic.code, cyclic.stderr]).toEqual([2, expect.stringContaining("#1 -> #2 -> #1")]);
});
