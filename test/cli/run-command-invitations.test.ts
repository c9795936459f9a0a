import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { codeBlocks } from "../repository/checks/code-blocks.ts";
import { ROOT } from "../repository/checks/source-file.ts";
import { jsonLines, teamchart } from "../support/teamchart.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const guide = { path: "docs/invitations.md", text: readFileSync(join(ROOT, "docs/invitations.md"), "utf8") };
const files = codeBlocks(guide).filter(({ language }) => language === "yaml");

/** Writes a team file of the guide into a folder of its own. */
function guideFile(index: number): string {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "archive"), { recursive: true });
  const path = join(folder, "team.yaml");
  writeFileSync(path, files[index]?.text ?? "");
  return path;
}

test.each([
  [0, "a lead that invites", "The licence was changed in 2019."],
  [1, "a file that invites", null],
])("team file %i of the guide to invitations, %s, runs to its end", async (index, _what, answer) => {
  const { code, stdout } = await teamchart(["run", guideFile(index), "--json"]);
  const lines = jsonLines(stdout);
  expect(lines.at(-1)).toMatchObject({
    type: "result",
    outcome: "completed",
    answer,
    members: [
      { name: "Reader", status: "completed" },
      { name: "Historian", kind: "invited", status: "completed", summary: "In 2019." },
    ],
  });
  expect(code).toBe(0);
  const invited = lines.filter(({ event }) => (event as { type?: string } | undefined)?.type === "team.invite");
  expect(invited).toMatchObject([{ verdict: "handled", actor: "Team" }]);
});

test("a file that invites somebody whom it does not have is refused, with whom it does have", async () => {
  const path = guideFile(1);
  writeFileSync(path, readFileSync(path, "utf8").replace("agent: Archivist", "agent: Archivst"));
  const { code, stdout } = await teamchart(["run", path, "--json"]);
  expect(jsonLines(stdout).find(({ type }) => type === "error")).toMatchObject({
    code: "not_invitable",
    data: { known: ["Archivist"], nearest: "Archivist" },
  });
  expect(code).toBe(2);
});

test.each([
  ["invite: [{ agent: A, prompts: x }]", 'invite[0]: unknown key "prompts" (did you mean "prompt"?)'],
  [
    "invitables: { A: { description: d, modle: scripted } }",
    'invitables.A: unknown key "modle" (did you mean "model"?)',
  ],
  ["invitables: { A: { model: scripted } }", "invitables.A.description: it is missing"],
])("%s is refused with its place and what was meant", async (line, problem) => {
  const path = join(temporaryFolder(), "team.yaml");
  writeFileSync(path, `team: { name: T, members: [{ name: M, prompt: p }] }\n${line}\n`);
  const { code, stderr } = await teamchart(["run", path]);
  expect(stderr).toContain(problem);
  expect(code).toBe(2);
});

test("`invite` beside a lead is refused: a lead invites by its tool", async () => {
  const path = join(temporaryFolder(), "team.yaml");
  writeFileSync(path, "lead: { model: scripted, prompt: p }\ninvite: [{ agent: A }]\n");
  const { stderr } = await teamchart(["run", path]);
  expect(stderr).toContain("it stands without `team`; a lead invites by team_invite");
});
