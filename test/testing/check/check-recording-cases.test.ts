import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { checkRecording } from "../../../src/testing/index.ts";
import { inProcess } from "../../support/in-process.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

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

/** A team that hangs until its grace period is over holds up no other: all run at once. */
let folder = "";
const recordings = new Map<string, string>();

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "teamchart-test-"));
  const record = async (file: string): Promise<void> => {
    const own = join(folder, nameOf(file));
    mkdirSync(own);
    const path = join(own, "recording.ndjson");
    // Its members write into its workspace.
    if (file === example) cpSync(example, own, { recursive: true });
    const run = file === example ? join(own, "team.yaml") : file;
    await inProcess(["run", run, "--json", "--bus", "memory", "--record", path]);
    recordings.set(nameOf(file), path);
  };
  await Promise.all(files.map(record));
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const recordingOf = (name: string): string => recordings.get(name) ?? `no recording of ${name}`;

test.each(files.map(nameOf))("the run of %s is a path of the model", async (name) => {
  const conformance = await checkRecording(recordingOf(name));
  expect(conformance.problems).toEqual([]);
  expect(conformance.path).toEqual(expect.arrayContaining([...(about[name] ?? ["a case"])]));
  expect(conformance.truncated).toBeNull();
});

test("a recording that was cut off is checked as far as it goes, and says so", async () => {
  const whole = await checkRecording(recordingOf("diamond"));
  const text = readFileSync(recordingOf("diamond"), "utf8");
  const path = join(temporaryFolder(), "cut.ndjson");
  writeFileSync(path, text.slice(0, text.length / 2));
  const cut = await checkRecording(path);
  expect(cut.problems).toEqual([]);
  expect(cut.truncated?.problem).toBe("the line is cut off");
  expect(whole.path.slice(0, cut.path.length)).toEqual(cut.path);
  expect(cut.path.length).toBeLessThan(whole.path.length);
});
