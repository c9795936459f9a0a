import { symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openWorkspace } from "../../../src/tools/workspace/index.ts";
import { openTestWorkspace } from "./test-workspace.ts";

test("a root given through a link is its real folder, and absolute paths of both spellings work", async () => {
  await using at = await openTestWorkspace();
  const alias = join(at.outside, "alias");
  await symlink(at.root, alias);
  const workspace = await openWorkspace({ root: alias });
  expect(workspace.root).toBe(at.root);
  const ann = workspace.for("Ann");
  expect(await ann.read(join(alias, "folder/a.txt"))).toMatchObject({ path: "folder/a.txt" });
  expect(await ann.read(join(at.root, "folder/a.txt"))).toMatchObject({ path: "folder/a.txt" });
});

test("files are reached through open folders where the system allows it", async () => {
  await using at = await openTestWorkspace();
  expect(at.workspace.addressing).toBe(process.platform === "linux" ? "handle" : "path");
});

test("a root that is missing or no folder is refused", async () => {
  await using at = await openTestWorkspace();
  await expect(openWorkspace({ root: join(at.root, "not-there") })).rejects.toMatchObject({ code: "missing_path" });
  await writeFile(join(at.root, "file"), "");
  await expect(openWorkspace({ root: join(at.root, "file") })).rejects.toMatchObject({ code: "bad_input" });
});

test.each([{ fileBytesMax: -1 }, { searchMs: Number.NaN }, { writeBytesMax: 1.5 }, { filesMax: 1 }])(
  "the limits %j are refused",
  async (limits) => {
    await using at = await openTestWorkspace();
    await expect(openWorkspace({ root: at.root, limits })).rejects.toMatchObject({ code: "bad_input" });
  },
);
