import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { jsonLines, teamchart as run, type Ended, type RunOptions } from "../support/teamchart.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/** A check takes seconds of work, and more on a busy machine. */
const teamchart = (args: readonly string[], options: RunOptions = {}): Promise<Ended> =>
  run(args, { timeoutMs: 110_000, ...options });

const caseFile = (name: string): string => join(import.meta.dirname, "../cases", `${name}.team.yaml`);

/** Writes a team file, and gives back its path. */
function fileOf(text: string): string {
  const path = join(temporaryFolder(), "t.team.yaml");
  writeFileSync(path, text);
  return path;
}

const chain = fileText(["{ name: A, prompt: p }", "{ name: B, prompt: p, dependsOn: [A] }"]);

function fileText(members: readonly string[]): string {
  return `team:\n  name: Chain\n  members:\n${members.map((member) => `    - ${member}\n`).join("")}`;
}

/** A team that is explored at once. */
const single = fileText(["{ name: A, prompt: p }"]);

const independent = (count: number): string =>
  fileText(Array.from({ length: count }, (_, index) => `{ name: M${index}, prompt: p }`));

test("a declared team holds: a line for each stage, coverage, and the verdict last", async () => {
  const { code, stdout, stderr } = await teamchart(["check", fileOf(chain)]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const lines = stdout.trimEnd().split("\n");
  expect(lines[0]).toBe("Chain, 2 members without a lead: A, B<-A");
  expect(lines[1]).toMatch(/^ {2}nothing {8}holds +\d+ states +\d+ transitions +\d+\.\d s +[\d,]+\/s$/);
  expect(lines[2]).toMatch(/^ {2}any one {8}holds/);
  expect(stdout).toMatch(/^Coverage of the machines: \d+ of \d+ transitions were taken, \d+ of \d+ states reached\./m);
  expect(lines.at(-1)).toMatch(
    /^G1 to G10 hold in all [\d,]+ states that Chain can reach with any three interventions of different kinds\.$/,
  );
  // No colours and no line that is drawn over where nobody looks.
  for (const drawn of ["\r", "\u001B"]) expect(stdout).not.toContain(drawn);
});

test("--json is one object a stage and a last one with the verdict and the coverage", async () => {
  const { code, stdout } = await teamchart(["check", fileOf(single), "--json"]);
  expect(code).toBe(0);
  const lines = jsonLines(stdout);
  const [first] = lines;
  expect(Object.keys(first ?? {})).toEqual([
    "type",
    "team",
    "members",
    "lead",
    "stage",
    "strategy",
    "budgets",
    "interventionsMax",
    "verdict",
    "states",
    "transitions",
    "depth",
    "seconds",
    "limitsHit",
    "violation",
  ]);
  expect(lines.slice(0, -1).every(({ type, verdict }) => type === "check" && verdict === "holds")).toBe(true);
  const result = lines.at(-1);
  expect(result).toMatchObject({ type: "result", verdict: "holds", teams: 1, property: null, written: [] });
  expect(result?.["coverage"]).toMatchObject({ taken: expect.arrayContaining(["member.work.blocked|member.start|0"]) });
});

test("--coverage names what was not met", async () => {
  const { stdout } = await teamchart(["check", fileOf(single), "--coverage"]);
  expect(stdout).toMatch(/^ {2}not taken: \w[\w.]*\|[\w.]+\|\d.* -> /m);
});

test("every team of a script is checked, with its lead", async () => {
  const { code, stdout } = await teamchart(["check", caseFile("failure-replan"), "--json"]);
  expect(code).toBe(0);
  expect(jsonLines(stdout)[0]).toMatchObject({ type: "check", lead: "hosted" });
});

test("a script with two teams has both checked, and a call that would be refused is told", async () => {
  const create = (name: string, members: string) =>
    `    - calls: [{ tool: team_create, input: { name: ${name}, members: [${members}] } }]\n`;
  const text = `lead: { model: scripted, prompt: p }\r\nscript:\r\n  lead:\r\n${create("One", "{ name: A, prompt: p }")}${create("Loop", "{ name: A, prompt: p, dependsOn: [A] }")}${create("Two", "{ name: B, prompt: p }")}`;
  const { code, stdout, stderr } = await teamchart(["check", fileOf(text), "--json"]);
  expect(code).toBe(0);
  expect(new Set(jsonLines(stdout).flatMap(({ team }) => team ?? []))).toEqual(new Set(["One", "Two"]));
  expect(stderr).toMatch(/^A team_create of the script is left out: /);
});

test("a team of one's own with JSON is checked like one with YAML", async () => {
  const file = JSON.stringify({ team: { name: "J", members: [{ name: "A", prompt: "p", lifetime: "persistent" }] } });
  const { code, stdout } = await teamchart(["check", fileOf(file), "--json"]);
  expect(code).toBe(0);
  expect(jsonLines(stdout).at(-1)).toMatchObject({ verdict: "holds" });
});

test.each<[string, readonly string[], string | null, RegExp]>([
  [
    "a lead with a real model",
    [],
    "lead: { model: a/b, prompt: p }",
    /up to a\/b, so there is none to check; declare one under `team`/,
  ],
  [
    "a script without a team",
    [],
    "lead: { prompt: p }\nscript: { Lead: [{ text: hi }] }",
    /creates no team, so there is none to check/,
  ],
  [
    "a script whose only team is refused",
    [],
    "lead: { prompt: p }\nscript: { Lead: [{ calls: [{ tool: team_create, input: { name: T, members: [] } }] }] }",
    /./,
  ],
  ["a cycle", [], fileText(["{ name: A, prompt: p, dependsOn: [A] }"]), /form a cycle/],
  ["an unknown flag", ["--depe"], chain, /unknown option '--depe' \(Did you mean --deep\?\)/],
  ["no number of minutes", ["--minutes", "soon"], chain, /--minutes: expected minutes/],
  ["no time at all", ["--minutes", "0"], chain, /--minutes: expected minutes/],
  ["a file that is not there", ["nowhere.yaml"], null, /nowhere\.yaml: there is no such file/],
  ["50,000 members", [], independent(50_000), /the team has 50000 members, and at most 2000 are checked/],
])("%s is refused with 2", async (_what, args, file, expected) => {
  const { code, stdout, stderr } = await teamchart(["check", ...(file === null ? [] : [fileOf(file)]), ...args]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toMatch(expected);
  expect(stderr).not.toMatch(/\n\s+at /);
});

test("a team that is too large is walked at random, which ends with 3 and says so", async () => {
  const { code, stdout } = await teamchart(["check", fileOf(independent(300)), "--minutes", "0.1"]);
  expect(code).toBe(3);
  expect(stdout).toMatch(/^ {2}nothing {8}inconclusive/m);
  expect(stdout.trimEnd().split("\n").at(-1)).toMatch(/^Inconclusive\. .*which proves nothing of the others\.$/);
});

test("a time that is over ends a check with 3", async () => {
  const { code, stdout } = await teamchart(["check", fileOf(independent(5)), "--deep", "--minutes", "0.02", "--json"]);
  expect(code).toBe(3);
  expect(jsonLines(stdout).at(-1)).toMatchObject({ type: "result", verdict: "inconclusive" });
});

test("--print-config tells the settings and explores nothing", async () => {
  const env = { TEAMCHART_DEEP: "1", TEAMCHART_TEST: "t.test.ts" };
  const { code, stdout } = await teamchart(["check", fileOf(chain), "--print-config"], { env });
  expect(code).toBe(0);
  expect(stdout).toMatch(/^deep +true +\(TEAMCHART_DEEP\)$/m);
  expect(stdout).toMatch(/^minutes +60 +\(default\)$/m);
  expect(stdout).toMatch(/^test +t\.test\.ts +\(TEAMCHART_TEST\)$/m);
  expect(stdout).not.toContain("holds");
});

test("Ctrl-C ends a check that is at work with 130, and what holds is told", async () => {
  const { code, stdout } = await teamchart(["check", fileOf(independent(5)), "--deep"], {
    onStdout: (text, child) => {
      if (text.includes("nothing")) child.kill("SIGINT");
    },
  });
  expect(code).toBe(130);
  expect(stdout).toMatch(/^Interrupted\. G1 to G10 hold in all [\d,]+ states .* when nobody interferes\.$/m);
});

test("a reader that goes away ends a check", async () => {
  const { code, stderr } = await teamchart(["check", fileOf(independent(5)), "--deep"], {
    onStdout: (_text, child) => child.stdout?.destroy(),
  });
  expect({ code, stderr }).toEqual({ code: 130, stderr: "" });
});
