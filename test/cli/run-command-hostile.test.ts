import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { inProcess } from "../support/in-process.ts";
import { jsonLines, teamchart, type Ended } from "../support/teamchart.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/** Runs a file; it must be refused in plain words, whatever it is. */
const refused = async (path: string) => expectRefused(await inProcess(["run", path, "--json"]));

function expectRefused({ code, stdout, stderr }: Ended) {
  const lines = jsonLines(stdout);
  expect(code).toBe(2);
  expect(stderr).not.toMatch(/\n\s+at |Error:/);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatchObject({ type: "error", code: expect.stringMatching(/^[a-z_]+$/), data: expect.any(Object) });
  return lines[0];
}

test.each<[string, string | Uint8Array]>([
  ["nothing", ""],
  ["blanks", "  \n\n"],
  ["zero bytes", new Uint8Array(1_000)],
  ["an ELF head", Uint8Array.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0])],
  ["half a UTF-8 character", Uint8Array.from([0x74, 0xe2, 0x82])],
  ["a million brackets", "[".repeat(1_000_000)],
  ["nested mappings", Array.from({ length: 5_000 }, (_, depth) => `${" ".repeat(depth)}a:`).join("\n")],
  ["nested JSON under a known key", `{"lead":${'{"prompt":'.repeat(20_000)}1${"}".repeat(20_000)}}`],
  [
    "aliases that explode",
    [
      "a: &a [x,x,x,x,x,x,x,x,x]",
      ..."bcdefgh".split("").map((name, index) => `${name}: &${name} [${`*${"abcdefg"[index]},`.repeat(9)}]`),
    ].join("\n"),
  ],
  ["two documents", "team: {}\n---\nteam: {}\n"],
  ["a tag that would run", "team: !!js/function 'function () {}'\n"],
  ["a file above the limit", `team: { name: T, members: [] }\n#${"x".repeat(9_000_000)}`],
  ["a prototype", '{"__proto__":{"team":1},"constructor":{"prototype":1}}'],
  ["a lead without a prompt", "lead: { model: scripted }\n"],
])("%s is refused", async (_what, content) => {
  const path = join(temporaryFolder(), "x.team.yaml");
  writeFileSync(path, content);
  expect(await refused(path)).toMatchObject({ code: "bad_file" });
});

test("a process ends as the command does", async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "two"), "team: {}\n---\nteam: {}\n");
  for (const name of ["two", "missing"]) {
    const args = ["run", join(folder, name), "--json"];
    const ended = await teamchart(args);
    expect(expectRefused(ended)).toMatchObject({ code: "bad_file" });
    expect(ended).toEqual(await inProcess(args));
  }
});

test("what is no file that can be read is refused", async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "dir"));
  symlinkSync(join(folder, "loop"), join(folder, "loop"));
  writeFileSync(join(folder, "locked"), "");
  chmodSync(join(folder, "locked"), 0o000);
  for (const name of ["missing", "dir", "loop", "locked", "x".repeat(5_000), "dir/../missing/y"]) {
    expect(await refused(join(folder, name))).toMatchObject({ code: "bad_file" });
  }
});

const words = fc.constantFrom(
  ..."team lead agents limits script workspace members name prompt agentType dependsOn calls scripted null".split(" "),
  ...": |- |\n|\n  |\n    |{|}|[|]|,|&a|*a|<<: |!!x|>|?|#|'|\"|\0|\t|\u2028".split("|"),
  ..."| 1 true 1e999 -0 0x1f 2001-01-01 ~ 中 __proto__ constructor %TAG --- ...".split(" "),
);
const anyContent = fc.oneof(
  fc.uint8Array({ maxLength: 300 }),
  fc.array(words, { maxLength: 80 }).map((each) => Buffer.from(each.join(""))),
  fc.json({ maxDepth: 6 }).map((each) => Buffer.from(each)),
);

test("random bytes, words of a team file and JSON are refused in plain words, never with a stack trace", async () => {
  const path = join(temporaryFolder(), "x.team.yaml");
  await fc.assert(
    fc.asyncProperty(anyContent, async (bytes) => {
      writeFileSync(path, bytes);
      expectRefused(await inProcess(["run", path, "--json"]));
    }),
    { numRuns: 600 },
  );
});
