import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { jsonLines, teamchart } from "../support/teamchart.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/** Runs a file; it must be refused in plain words, whatever it is. */
async function refused(path: string) {
  const { code, stdout, stderr } = await teamchart(["run", path, "--json"]);
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

test("random bytes and random YAML never give a stack trace", async () => {
  const folder = temporaryFolder();
  const words = fc.constantFrom(
    "team",
    "lead",
    "members",
    "name",
    "prompt",
    ": ",
    "- ",
    "\n",
    "  ",
    "{",
    "}",
    "[",
    "]",
    "&a",
    "*a",
    "!!x",
    "'",
    '"',
    "1",
    "中",
  );
  const content = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    fc.array(words, { maxLength: 60 }).map((each) => each.join("")),
  );
  await fc.assert(
    fc.asyncProperty(content, async (bytes) => {
      const path = join(folder, "x.team.yaml");
      writeFileSync(path, bytes);
      await refused(path);
    }),
    { numRuns: 6 },
  );
});
