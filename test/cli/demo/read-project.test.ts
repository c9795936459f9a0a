import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { once } from "node:events";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readProject } from "../../../src/cli/demo/read-project.ts";

const limits = { filesMax: 100, fileBytesMax: 10_000 };
let world = "";
let dir = "";

beforeEach(() => {
  world = mkdtempSync(join(tmpdir(), "teamchart-read-"));
  dir = join(world, "project");
  mkdirSync(dir);
});
afterEach(() => rmSync(world, { recursive: true }));

const write = (path: string, content: string | Uint8Array = "a\n"): void => {
  mkdirSync(dirname(join(dir, path)), { recursive: true });
  writeFileSync(join(dir, path), content);
};

const git = (...args: string[]) =>
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.com", ...args], { cwd: dir, encoding: "utf8" });

const pathsOf = async (options = limits) => (await readProject(dir, options)).files.map(({ path }) => path);
const skippedOf = async (options = limits) => (await readProject(dir, options)).skipped;

/** Everything in a folder with its size and times. */
const stateOf = (folder: string): unknown =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .toSorted()
    .map((path) => {
      const { size, mtimeMs, mode } = statSync(join(folder, path));
      return [path, size, mtimeMs, mode];
    });

test("files come by path, with their text and language", async () => {
  write("b.py", "x = 1\n");
  write("a.ts", "\uFEFFconst a = 'ü';\n");
  expect((await readProject(dir, limits)).files).toEqual([
    { path: "a.ts", text: "const a = 'ü';\n", language: "typescript" },
    { path: "b.py", text: "x = 1\n", language: "python" },
  ]);
});

test("outside git, folders that hold no sources are left out", async () => {
  for (const path of ["a.ts", "node_modules/x/i.js", "dist/a.js", ".cache/a.js", "coverage/a.js"]) write(path);
  expect(await pathsOf()).toEqual(["a.ts"]);
});

test("in a git work tree, .gitignore decides: ignored files are out, new ones in", async () => {
  git("init", "-q");
  for (const path of ["a.ts", "dist/kept.ts", "new.ts", "secret.ts"]) write(path);
  write(".gitignore", "secret.ts\n");
  git("add", "a.ts");
  expect(await pathsOf()).toEqual([".gitignore", "a.ts", "dist/kept.ts", "new.ts"]);
});

test("a folder within a work tree is read by itself", async () => {
  git("init", "-q");
  write("a.ts");
  write("sub/b.ts");
  expect((await readProject(join(dir, "sub"), limits)).files.map(({ path }) => path)).toEqual(["b.ts"]);
});

test("a folder that git ignores as a whole is read all the same", async () => {
  git("init", "-q");
  write(".gitignore", "ignored\n");
  write("ignored/b.ts");
  expect((await readProject(join(dir, "ignored"), limits)).files.map(({ path }) => path)).toEqual(["b.ts"]);
});

test("names with blanks, line ends and letters of any script are read", async () => {
  git("init", "-q");
  for (const path of ["a b.ts", "ü/中.ts", "line\nend.ts"]) write(path);
  expect(await pathsOf()).toEqual(["a b.ts", "line\nend.ts", "ü/中.ts"]);
});

test("links are never followed, neither to files nor through folders", async () => {
  writeFileSync(join(world, "outside.ts"), "secret\n");
  mkdirSync(join(world, "out"));
  writeFileSync(join(world, "out", "a.ts"), "secret\n");
  git("init", "-q");
  write("in/a.ts", "mine\n");
  git("add", ".");
  rmSync(join(dir, "in"), { recursive: true });
  symlinkSync(join(world, "out"), join(dir, "in"));
  symlinkSync(join(world, "outside.ts"), join(dir, "link.ts"));
  const { files, skipped } = await readProject(dir, limits);
  expect(files).toEqual([]);
  expect(skipped).toEqual([
    { path: "in", reason: "symbolic link" },
    { path: "in/a.ts", reason: "behind a symbolic link" },
    { path: "link.ts", reason: "symbolic link" },
  ]);
});

test("a project may itself be reached by a link", async () => {
  write("a.ts");
  symlinkSync(dir, join(world, "link"));
  expect((await readProject(join(world, "link"), limits)).files.map(({ path }) => path)).toEqual(["a.ts"]);
});

test("binary and odd files are skipped with the reason", async () => {
  write("a.png");
  write("b.dat", new Uint8Array([65, 0, 66]));
  write("c.txt", new Uint8Array([0xc3, 0x28]));
  const server = createServer().listen(join(dir, "socket"));
  await once(server, "listening");
  const skipped = await skippedOf();
  server.close();
  expect(skipped).toEqual([
    { path: "a.png", reason: "binary, by its name" },
    { path: "b.dat", reason: "binary, or not UTF-8" },
    { path: "c.txt", reason: "binary, or not UTF-8" },
    { path: "socket", reason: "no regular file" },
  ]);
});

test("a file of exactly the limit is read, and one byte more is reported", async () => {
  write("a.ts", "x".repeat(10));
  write("b.ts", "x".repeat(11));
  const { files, skipped } = await readProject(dir, { ...limits, fileBytesMax: 10 });
  expect(files.map(({ path }) => path)).toEqual(["a.ts"]);
  expect(skipped).toEqual([{ path: "b.ts", reason: "larger than the limit of 10 bytes (11)" }]);
});

test("beyond the limit of files sources stay, and every other file is reported", async () => {
  for (const path of ["a.md", "b.md", "z.ts"]) write(path);
  const { files, skipped } = await readProject(dir, { ...limits, filesMax: 2 });
  expect(files.map(({ path }) => path)).toEqual(["a.md", "z.ts"]);
  expect(skipped).toEqual([{ path: "b.md", reason: "beyond the limit of 2 files" }]);
});

test("a tracked file that was deleted is reported", async () => {
  git("init", "-q");
  write("a.ts");
  git("add", ".");
  rmSync(join(dir, "a.ts"));
  expect(await skippedOf()).toEqual([{ path: "a.ts", reason: "not there: deleted, or an odd name" }]);
});

test("the folder is only read, the repository in it too", async () => {
  git("init", "-q");
  write("a.ts");
  git("add", ".");
  const before = stateOf(dir);
  await readProject(dir, limits);
  expect(stateOf(dir)).toEqual(before);
});

test("a program that the repository's own settings name is not run", async () => {
  git("init", "-q");
  write("a.ts");
  git("add", ".");
  const hook = join(world, "hook.sh");
  writeFileSync(hook, `#!/bin/sh\ntouch ${join(world, "ran")}\n`, { mode: 0o755 });
  git("config", "core.fsmonitor", hook);
  expect(await pathsOf()).toEqual(["a.ts"]);
  expect(readdirSync(world)).not.toContain("ran");
});

test.each([
  ["gone", "cannot be read (ENOENT)"],
  ["file", "is no folder"],
])("a DIR that is %s is the caller's mistake", async (name, problem) => {
  writeFileSync(join(world, "file"), "");
  await expect(readProject(join(world, name), limits)).rejects.toMatchObject({ code: "bad_input", data: { problem } });
});

test("an aborted read stops with the reason", async () => {
  write("a.ts");
  await expect(readProject(dir, { ...limits, signal: AbortSignal.abort(new Error("enough")) })).rejects.toThrow(
    "enough",
  );
});
