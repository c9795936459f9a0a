import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { gitFolder } from "../support/git-folder.ts";
import { jsonLines, teamchart } from "../support/teamchart.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/** Writes a team file into a new folder and gives its path. */
function teamFile(content: object): string {
  const path = join(temporaryFolder(), "x.team.json");
  writeFileSync(path, JSON.stringify(content));
  return path;
}

const call = (tool: string, input: object = {}) => ({ calls: [{ tool, input }] });
const complete = call("complete", { summary: "done" });

test("what a file says of its types and its lead holds for the run", async () => {
  const path = teamFile({
    agents: {
      default: { stepsMax: 2 },
      long: { contextTokens: 600, compactAt: 0.5, toolResultBytesMax: 100, isolation: "shared" },
      talks: { turnsMax: 2, effort: "low" },
    },
    toolVisibility: "role",
    lead: { prompt: "go", leadMode: "delegate", effort: "high" },
    script: {
      Lead: [
        call("write_file", { path: "a.txt", text: "a" }),
        call("team_create", {
          name: "T",
          members: [
            { name: "Short", prompt: "a" },
            { name: "Long", agentType: "long", prompt: "b" },
            { name: "Talks", agentType: "talks", prompt: "c" },
          ],
        }),
        { waitFor: { Short: "failed", Long: "completed", Talks: "failed" } },
        { text: "seen" },
      ],
      Short: [call("team_status"), call("team_dissolve"), complete],
      Long: [call("team_status"), { compact: "I looked." }, complete],
      Talks: [{ text: "hm" }, { text: "hm" }, { text: "hm" }],
    },
  });
  const { stdout, stderr } = await teamchart(["run", path, "--json"]);
  const lines = jsonLines(stdout);
  const result = lines.at(-1) as { members: { name: string; status: string; reason: string | null }[] };
  const refused = lines.filter(({ event }) => (event as { verdict?: string } | undefined)?.verdict === "error");
  expect(refused.map(({ actor }) => actor)).toEqual(["Lead", "Short"]);
  expect(result.members.map(({ name, status, reason }) => [name, status, reason])).toEqual([
    ["Short", "failed", "budget: stepsMax: 2 of 2"],
    ["Long", "completed", null],
    ["Talks", "failed", "budget: it took all its turns without a result (turnsMax)"],
  ]);
  expect(lines.filter(({ event }) => (event as { type?: string } | undefined)?.type === "run.compacted")).toHaveLength(
    1,
  );
  expect(stderr).toContain("effort low of scripted model, no LLM");
});

test("a fallback that can't be had is refused before anything starts", async () => {
  const path = teamFile({
    agents: { it: { model: "scripted", fallbackModel: "openai/gpt-5" } },
    team: { name: "T", members: [{ name: "A", agentType: "it", prompt: "p" }] },
    script: { A: [complete] },
  });
  const { code, stdout } = await teamchart(["run", path, "--json"], { env: {} });
  expect([code, jsonLines(stdout).map(({ type, code: error }) => [type, error])]).toEqual([
    2,
    [["error", "no_model_key"]],
  ]);
});

test("R54: a run says which branch holds what, and its result too", async () => {
  const folder = gitFolder();
  const path = teamFile({
    agents: { it: { isolation: "worktree" } },
    workspace: folder,
    team: { name: "T", members: ["Ann", "Bob"].map((name) => ({ name, agentType: "it", prompt: "p" })) },
    script: { Ann: [call("write_file", { path: "new.txt", text: "n" }), complete], Bob: [complete] },
  });
  const session = ["--session", "s", "--bus", "memory"];
  const { code, stdout } = await teamchart(["run", path, "--json", ...session]);
  expect(code).toBe(0);
  const members = jsonLines(stdout).at(-1)?.["members"] as readonly { name: string; worktree?: object }[];
  const worktree = { branch: "teamchart/s/Ann", path: ".teamchart/worktrees/s/Ann" };
  expect(members.map((each) => [each.name, each.worktree])).toEqual([
    ["Ann", worktree],
    ["Bob", undefined],
  ]);
  const shown = (await teamchart(["run", path, ...session])).stdout;
  expect(shown).toContain("Ann  leaves changes on teamchart/s/Ann-2\n");
  expect(shown).toMatch(/^ {11} {2}changes on teamchart\/s\/Ann-2 in \.teamchart\/worktrees\/s\/Ann-2$/mu);
});

test.each([
  [{ it: { isolation: "worktree" } }, "isolation_unavailable"],
  [{ reviewer: {}, Reviewer: {} }, "name_collision"],
  [{ it: { stepsMax: 51 } }, "bad_input"],
  [{ it: { effort: "much" } }, "bad_file"],
])("a file with the types %j is refused with %s", async (agents, error) => {
  const path = teamFile({
    agents,
    workspace: ".",
    team: { name: "T", members: [{ name: "A", prompt: "p" }] },
    script: { A: [complete] },
  });
  const { code, stdout } = await teamchart(["run", path, "--json"]);
  expect([code, jsonLines(stdout)[0]?.["code"]]).toEqual([2, error]);
});
