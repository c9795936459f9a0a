import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { isTeamError } from "../../src/errors/index.ts";
import { readTeamFile } from "../../src/cli/read-team-file.ts";

const team = "team: { name: T, members: [ { name: Ä, prompt: p } ] }\n";

async function fileWith(content: string | Uint8Array) {
  const dir = await mkdtemp(join(tmpdir(), "team-file-"));
  const path = join(dir, "a.team.yaml");
  await writeFile(path, content);
  return { dir, path, [Symbol.asyncDispose]: () => rm(dir, { recursive: true }) };
}

test("a file is read, with a byte order mark too", async () => {
  await using file = await fileWith(`\uFEFF${team}`);
  expect((await readTeamFile(file.path)).team?.members[0]?.name).toBe("Ä");
});

test("errors name the file as it was given", async () => {
  await using file = await fileWith("tem: 1\n");
  await expect(readTeamFile(file.path)).rejects.toThrow(
    `${file.path}: line 1:1: unknown key "tem" (did you mean "team"?)`,
  );
});

test("what is no readable file is bad_file in plain words", async () => {
  await using file = await fileWith(team);
  await expect(readTeamFile(`${file.path}x`)).rejects.toThrow("there is no such file");
  await expect(readTeamFile(`${file.path}/x`)).rejects.toThrow("there is no such file");
  await expect(readTeamFile(file.dir)).rejects.toThrow("it is a folder; name a file");
  await expect(readTeamFile("a\0b")).rejects.toMatchObject({ code: "bad_file" });
  await chmod(file.path, 0o000);
  // Root reads everything.
  if (process.getuid?.() !== 0) await expect(readTeamFile(file.path)).rejects.toThrow("you may not read it");
});

test("a file above the limit is refused without reading it whole", async () => {
  await using file = await fileWith(`${team}#${"x".repeat(8 * 1024 * 1024)}`);
  await expect(readTeamFile(file.path)).rejects.toThrow("it has more than 8388608 bytes");
});

test("a file that is no UTF-8 is refused", async () => {
  await using file = await fileWith(Buffer.from(team, "utf16le"));
  await expect(readTeamFile(file.path)).rejects.toMatchObject({ code: "bad_file" });
  await using latin = await fileWith(Buffer.from(team, "latin1"));
  await expect(readTeamFile(latin.path)).rejects.toThrow("it is no UTF-8 text");
});

test("random bytes are bad_file", async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
      await using file = await fileWith(bytes);
      const error: unknown = await readTeamFile(file.path).catch((fault: unknown) => fault);
      expect(isTeamError(error, "bad_file")).toBe(true);
    }),
    { numRuns: 60 },
  );
});
