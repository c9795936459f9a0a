import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { jsonLines, teamchart as run, type Ended, type RunOptions } from "../support/teamchart.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/** A check takes seconds of work, and more on a busy machine. */
const teamchart = (args: readonly string[], options: RunOptions = {}): Promise<Ended> =>
  run(args, { timeoutMs: 110_000, ...options });

/** Writes a team file, and gives back its path. */
function fileOf(text: string): string {
  const path = join(temporaryFolder(), "t.team.yaml");
  writeFileSync(path, text);
  return path;
}

function fileText(members: readonly string[]): string {
  return `team:\n  name: Chain\n  members:\n${members.map((member) => `    - ${member}\n`).join("")}`;
}

/** A team that is explored at once. */
const single = fileText(["{ name: A, prompt: p }"]);

const independent = (count: number): string =>
  fileText(Array.from({ length: count }, (_, index) => `{ name: M${index}, prompt: p }`));

/** One check, for all that is said of what it shows: every process that checks takes seconds. */
let shown: Ended;
const folder = mkdtempSync(join(tmpdir(), "teamchart-test-"));
beforeAll(async () => {
  writeFileSync(join(folder, "t.team.yaml"), single);
  shown = await teamchart(["check", "t.team.yaml", "--coverage"], { cwd: folder });
}, 110_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("a declared team holds: a line for each stage, coverage, and the verdict last", () => {
  const { code, stdout, stderr } = shown;
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const lines = stdout.trimEnd().split("\n");
  expect(lines[0]).toBe("Chain, 1 member without a lead: A");
  expect(lines[1]).toMatch(/^ {2}nothing {8}holds +\d+ states +\d+ transitions +\d+\.\d s +[\d,]+\/s$/);
  expect(lines[2]).toMatch(/^ {2}any one {8}holds/);
  expect(stdout).toMatch(/^Coverage of the machines: \d+ of \d+ transitions were taken, \d+ of \d+ states reached\./m);
  expect(lines.at(-1)).toMatch(
    /^G1 to G10 hold in all [\d,]+ states that Chain can reach with any three interventions of different kinds\.$/,
  );
});

test("no colours, and no line that is drawn over, where nobody looks", () => {
  for (const drawn of ["\r", "\u001B"]) expect(shown.stdout).not.toContain(drawn);
});

test("--coverage names what was not met", () => {
  expect(shown.stdout).toMatch(/^ {2}not taken: \w[\w.]*\|[\w.]+\|\d.* -> /m);
});

test("--json, of a file that is JSON too, is one object a stage and a last one with the verdict and the coverage", async () => {
  const file = JSON.stringify({ team: { name: "J", members: [{ name: "A", prompt: "p" }] } });
  const { code, stdout } = await teamchart(["check", fileOf(file), "--json"]);
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

test.each<[string, readonly string[], string | null, RegExp]>([
  ["a cycle", [], fileText(["{ name: A, prompt: p, dependsOn: [A] }"]), /form a cycle/],
  ["an unknown flag", ["--depe"], single, /unknown option '--depe' \(Did you mean --deep\?\)/],
  ["no number of minutes", ["--minutes", "soon"], single, /--minutes: expected minutes/],
  ["no time at all", ["--minutes", "0"], single, /--minutes: expected minutes/],
  ["a file that is not there", ["nowhere.yaml"], null, /nowhere\.yaml: there is no such file/],
])("%s is refused with 2", async (_what, args, file, expected) => {
  const { code, stdout, stderr } = await teamchart(["check", ...(file === null ? [] : [fileOf(file)]), ...args]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toMatch(expected);
  expect(stderr).not.toMatch(/\n\s+at /);
});

test("a time that is over ends a check with 3", async () => {
  const { code, stdout } = await teamchart(["check", fileOf(independent(5)), "--deep", "--minutes", "0.01", "--json"]);
  expect(code).toBe(3);
  expect(jsonLines(stdout).at(-1)).toMatchObject({ type: "result", verdict: "inconclusive" });
});

test("--print-config tells the settings and explores nothing", async () => {
  const env = { TEAMCHART_DEEP: "1", TEAMCHART_TEST: "t.test.ts" };
  const { code, stdout } = await teamchart(["check", fileOf(single), "--print-config"], { env });
  expect(code).toBe(0);
  expect(stdout).toMatch(/^deep +true +\(TEAMCHART_DEEP\)$/m);
  expect(stdout).toMatch(/^minutes +60 +\(default\)$/m);
  expect(stdout).toMatch(/^test +t\.test\.ts +\(TEAMCHART_TEST\)$/m);
  expect(stdout).not.toContain("holds");
});

test("Ctrl-C ends a check that is at work with 130, and what holds is told", async () => {
  const { code, stdout } = await teamchart(["check", fileOf(independent(3)), "--deep"], {
    onStdout: (text, child) => {
      if (text.includes("nothing")) child.kill("SIGINT");
    },
  });
  expect(code).toBe(130);
  expect(stdout).toMatch(
    /^Interrupted\. G1 to G10 hold in all [\d,]+ states .* when nobody interferes\. The next check begins anew: it can't be gone on with\.$/m,
  );
});

test("a reader that goes away ends a check", async () => {
  const { code, stderr } = await teamchart(["check", fileOf(independent(3)), "--deep"], {
    onStdout: (_text, child) => child.stdout?.destroy(),
  });
  expect({ code, stderr }).toEqual({ code: 130, stderr: "" });
});
