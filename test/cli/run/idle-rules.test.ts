import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { idleRules } from "../../../src/cli/run/idle-rules.ts";
import { TeamFile } from "../../../src/protocol/team-file.ts";

function told(file: object): readonly string[] {
  const cwd = mkdtempSync(join(tmpdir(), "teamchart-rules-"));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  mkdirSync(join(cwd, "files/src"), { recursive: true });
  writeFileSync(join(cwd, "files/a.txt"), "a");
  const team = { name: "T", members: [{ name: "Ann", prompt: "Go." }] };
  const parsed = TeamFile.parse({ workspace: "files", ...("lead" in file ? {} : { team }), ...file });
  return idleRules({ file: parsed, path: "team.yaml", cwd, model: null });
}

test("a rule for a tool that nobody can have is told, of every policy of the file, with the nearest name", () => {
  const lead = { prompt: "Go.", permissions: { rules: { ask: ["no_such_tool"] } } };
  const agents = { it: { permissions: { rules: { allow: ["read_files", "read_file(src/**)"] } } } };
  expect(told({ lead, agents, permissions: { rules: { deny: ["writefile(secret/**)", "complete"] } } })).toEqual([
    'permissions.rules.deny: "writefile(secret/**)" speaks of no call, since "writefile" is no tool of a team file (did you mean "write_file"?).',
    'lead.permissions.rules.ask: "no_such_tool" speaks of no call, since "no_such_tool" is no tool of a team file.',
    'agents.it.permissions.rules.allow: "read_files" speaks of no call, since "read_files" is no tool of a team file (did you mean "read_file"?).',
  ]);
});

test("rules with a wildcard as their tool are not judged", () => {
  expect(told({ permissions: { rules: { deny: ["*", "writ*(a)"] } } })).toEqual([]);
});

test("a directory that is no folder of the workspace is told", () => {
  expect(told({ permissions: { directories: ["src", "sorce", "a.txt", "a.txt/b"] } })).toEqual([
    'permissions.directories: there is no folder "sorce" in the workspace.',
    'permissions.directories: there is no folder "a.txt" in the workspace.',
    'permissions.directories: there is no folder "a.txt/b" in the workspace.',
  ]);
});

test("an agent beside the team is judged by its own folder", () => {
  const permissions = { directories: ["src", "lib"] };
  const invitables = {
    Ann: { description: "Reads.", workspace: "files", permissions },
    Bob: { description: "Reads.", permissions },
  };
  expect(told({ lead: { prompt: "Go." }, invitables })).toEqual([
    'invitables.Ann.permissions.directories: there is no folder "lib" in the workspace.',
  ]);
});
