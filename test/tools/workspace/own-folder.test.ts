import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { dropOwnFolder, makeOwnFolder } from "../../../src/tools/workspace/own-folder.ts";

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
