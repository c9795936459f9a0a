import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { isTeamError } from "../../../src/errors/index.ts";
import { dropOwnFolder, makeOwnFolder } from "../../../src/tools/workspace/own-folder.ts";
import { openWorkspace } from "../../../src/tools/workspace/workspace.ts";
import { openTestWorkspace } from "./test-workspace.ts";

const codeOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => "done",
    (error: unknown) => (isTeamError(error) ? error.code : String(error)),
  );

async function parentFolder(): Promise<string> {
  const parent = await mkdtemp(join(tmpdir(), "teamchart-own-"));
  onTestFinished(() => rm(parent, { recursive: true, force: true }));
  return parent;
}

test("is made for this user alone, with a .gitignore for all of it, and goes when nothing else is in it", async () => {
  const parent = await parentFolder();
  const folder = join(parent, ".teamchart");
  await makeOwnFolder(parent);
  await makeOwnFolder(parent);
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
  expect(await readFile(join(folder, ".gitignore"), "utf8")).toBe("*\n");
  await writeFile(join(folder, "teamchart.db"), "x");
  await dropOwnFolder(parent);
  expect(await readdir(folder)).toEqual([".gitignore", "teamchart.db"]);
  await rm(join(folder, "teamchart.db"));
  await dropOwnFolder(parent);
  await dropOwnFolder(parent);
  expect(await readdir(parent)).toEqual([]);
});

test("a .gitignore of somebody's own stays, with its folder", async () => {
  const parent = await parentFolder();
  await makeOwnFolder(parent);
  const ignores = join(parent, ".teamchart/.gitignore");
  await writeFile(ignores, "*.db\n");
  await makeOwnFolder(parent);
  await dropOwnFolder(parent);
  expect(await readFile(ignores, "utf8")).toBe("*.db\n");
});

test("nothing is written into a .teamchart, however it is reached, but by whose root lies below it", async () => {
  await using at = await openTestWorkspace();
  const ann = at.workspace.for("Ann");
  const worktree = join(at.root, ".teamchart/worktrees/s/Bob");
  await mkdir(worktree, { recursive: true });
  await symlink(".teamchart", join(at.root, "link-own"));
  for (const path of [
    ".teamchart/teamchart.db",
    ".TeamChart/.gitignore",
    ".teamchart/worktrees/s/Bob/a.txt",
    "folder/.teamchart/x",
    "link-own/worktrees/s/Bob/a.txt",
    join(worktree, "a.txt"),
  ]) {
    expect(await codeOf(ann.write(path, "x"))).toBe("bad_input");
  }
  expect(await readdir(worktree)).toEqual([]);
  const bob = (await openWorkspace({ root: worktree })).for("Bob");
  expect((await bob.write("a.txt", "x")).created).toBe(true);
  expect(await codeOf(bob.write(".teamchart/x", "x"))).toBe("bad_input");
});
