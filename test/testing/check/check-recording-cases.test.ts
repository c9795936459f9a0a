import { cpSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { checkRecording } from "../../../src/testing/index.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { teamchart } from "../../support/teamchart.ts";

/** Every team file of the cases and the examples, run by the command line and held against the model. */

const cases = join(import.meta.dirname, "../../cases");
const example = join(import.meta.dirname, "../../../examples/auth-review");
const files = [...globSync("*.team.yaml", { cwd: cases }).map((file) => join(cases, file)), example].toSorted();
const nameOf = (file: string): string => (file === example ? "auth-review" : basename(file, ".team.yaml"));

/** What each case is about, by the names of its moves. */
const about: Readonly<Record<string, readonly string[]>> = {
  "auth-review": ["Lead waits for news"],
  cycle: ["Lead creates a team of A, B, C"],
  diamond: ["SecurityReviewer writes to all", "Reporter completes", "Lead dissolves the team"],
  "failure-replan": [
    "A fails",
    "Lead replans: cancels A, adds A2 for A behind C",
    "Lead replans: cancels A, adds A2 for A",
    "A2 completes",
  ],
  "hang-dissolve": ["Lead dissolves the team", "the grace timer fires"],
  "malformed-call": ["A calls a tool", "A completes"],
  names: ["项目管理 writes to a.b > c", "a.b > c reads", "a.b > c completes"],
  "overload-retry": ["A is put off by its provider", "A tries again", "A completes"],
  "silent-member": ["A ends its turn"],
  "unknown-dependency": ["Lead creates a team of Alice, B"],
  "unknown-recipient": ['A sends 1 bytes to "Bb"', "A writes to Lead", 'A sends 1 bytes to "A"', "A completes"],
};

test("every team file has moves that it is about", () => {
  expect(files.map(nameOf).toSorted()).toEqual(Object.keys(about).toSorted());
});

test.each(files.map((file) => [nameOf(file), file]))("the run of %s is a path of the model", async (name, file) => {
  const folder = temporaryFolder();
  const path = join(folder, `${name}.ndjson`);
  // Its members write into its workspace.
  if (file === example) cpSync(example, folder, { recursive: true });
  const run = file === example ? join(folder, "team.yaml") : file;
  await teamchart(["run", run, "--json", "--bus", "memory", "--record", path]);
  const conformance = await checkRecording(path);
  expect(conformance.problems).toEqual([]);
  expect(conformance.path).toEqual(expect.arrayContaining([...(about[name] ?? ["a case"])]));
  expect(conformance.truncated).toBeNull();
});

test("a recording that was cut off is checked as far as it goes, and says so", async () => {
  const path = join(temporaryFolder(), "cut.ndjson");
  await teamchart(["run", join(cases, "diamond.team.yaml"), "--json", "--bus", "memory", "--record", path]);
  const whole = await checkRecording(path);
  const text = readFileSync(path, "utf8");
  writeFileSync(path, text.slice(0, text.length / 2));
  const cut = await checkRecording(path);
  expect(cut.problems).toEqual([]);
  expect(cut.truncated?.problem).toBe("the line is cut off");
  expect(whole.path.slice(0, cut.path.length)).toEqual(cut.path);
  expect(cut.path.length).toBeLessThan(whole.path.length);
});
