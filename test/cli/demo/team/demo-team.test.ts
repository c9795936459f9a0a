import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { openProject } from "../../../../src/cli/demo/project.ts";
import { readProject } from "../../../../src/cli/demo/read-project.ts";
import type { ReviewedFinding } from "../../../../src/cli/demo/report/combine-findings.ts";
import { demoTeam } from "../../../../src/cli/demo/team/demo-team.ts";
import { createTeamSystem } from "../../../../src/index.ts";

const fixtures = join(import.meta.dirname, "../../../fixtures/demo");
const folders: string[] = [];
afterEach(async () => {
  await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true, force: true })));
});

async function scratch(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "demo-team-"));
  folders.push(folder);
  return folder;
}

/** Runs the demo's team on a folder and gives back what it wrote and what its members were told. */
async function review(dir: string, { exchange = true } = {}) {
  const out = await scratch();
  let findings: readonly ReviewedFinding[] = [];
  const team = demoTeam({
    title: "fixture",
    exchange,
    project: async () => {
      const { files, skipped } = await readProject(dir, { filesMax: 1_000, fileBytesMax: 1_000_000 });
      return openProject(files, { skipped });
    },
    onReport: (found) => {
      findings = found;
    },
  });
  await using system = await createTeamSystem({
    agents: team.agents,
    script: team.script,
    workspace: out,
    environment: {},
  });
  const session = await system.openSession({ lead: {} });
  const answer = await session.send(team.prompt);
  const { members, messages } = session.status();
  return { answer, findings, members, messages, report: await readFile(join(out, "REVIEW.md"), "utf8") };
}

test("the team finds what was planted, with file and line, and writes every finding into the report", async () => {
  const { findings, report, members } = await review(join(fixtures, "planted"));
  expect(members.map(({ name, status }) => [name, status])).toEqual([
    ["SecurityReviewer", "completed"],
    ["PerfAnalyzer", "completed"],
    ["TestReviewer", "completed"],
    ["Reporter", "completed"],
  ]);
  expect(new Set(findings.map(({ reviewer }) => reviewer))).toEqual(
    new Set(["SecurityReviewer", "PerfAnalyzer", "TestReviewer"]),
  );
  expect(findings.some(({ severity }) => severity === "high")).toBe(true);
  for (const { path, line } of findings) expect(report).toContain(`${path}:${line}`);
});

test("a clean project has no high finding", async () => {
  const { findings } = await review(join(fixtures, "clean"));
  expect(findings.filter(({ severity }) => severity === "high")).toEqual([]);
});

test("the reviewers tell each other what they find, and the report is another without that", async () => {
  const told = await review(join(fixtures, "planted"));
  const untold = await review(join(fixtures, "planted"), { exchange: false });
  expect(told.messages.accepted).toBeGreaterThanOrEqual(6);
  expect(told.messages).toMatchObject({ deadLettered: 0, refused: 0, unread: 0 });
  expect(untold.messages.accepted).toBe(0);
  expect(told.findings.some(({ related }) => related !== undefined)).toBe(true);
  expect(untold.findings.every(({ related }) => related === undefined)).toBe(true);
  expect(told.report).not.toBe(untold.report);
});

test("the same folder gives the same report, byte by byte", async () => {
  const [first, second] = [await review(join(fixtures, "planted")), await review(join(fixtures, "planted"))];
  expect(second.report).toBe(first.report);
});

test("a file that can't be parsed is reported with its line, and stops nobody", async () => {
  const dir = await scratch();
  await cp(join(fixtures, "planted"), dir, { recursive: true });
  await writeFile(join(dir, "src", "broken.ts"), "export const a = 1;\nexport const b = (;\n");
  const { report, members } = await review(dir);
  expect(members.every(({ status }) => status === "completed")).toBe(true);
  expect(report).toMatch(/broken\.ts:2/);
});
