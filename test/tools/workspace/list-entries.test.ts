import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openTestWorkspace } from "./test-workspace.ts";

test("a folder is listed by name, with types and sizes; links are named, not followed", async () => {
  await using at = await openTestWorkspace();
  const { path, entries, note } = await at.workspace.for("Ann").list();
  expect({ path, note }).toEqual({ path: ".", note: null });
  expect(entries.map((entry) => `${entry.type} ${entry.path} ${entry.bytes}`)).toEqual([
    "folder folder null",
    "link link-circle null",
    "link link-dangling null",
    "link link-file null",
    "link link-in null",
    "link link-lost null",
    "link link-out null",
    "link link-up null",
  ]);
});

test("depth 2 shows what is in the folders, after the folders themselves", async () => {
  await using at = await openTestWorkspace();
  const { entries } = await at.workspace.for("Ann").list({ depth: 2 });
  expect(entries.at(-1)).toEqual({ path: "folder/a.txt", type: "file", bytes: 6 });
  expect(entries).toHaveLength(9);
});

test("a file is listed as itself, a link to a folder as that folder", async () => {
  await using at = await openTestWorkspace();
  const ann = at.workspace.for("Ann");
  expect(await ann.list({ path: "folder/a.txt" })).toMatchObject({ entries: [{ path: "folder/a.txt", bytes: 6 }] });
  expect(await ann.list({ path: "link-in" })).toMatchObject({ path: "folder", entries: [{ path: "folder/a.txt" }] });
  await expect(ann.list({ path: "not-there" })).rejects.toMatchObject({ code: "missing_path" });
});

test(".git and node_modules are named and only looked into when asked for", async () => {
  await using at = await openTestWorkspace();
  const ann = at.workspace.for("Ann");
  await mkdir(join(at.root, "folder/node_modules/pkg"), { recursive: true });
  const { entries, note } = await ann.list({ path: "folder", depth: 3 });
  expect(entries.map(({ path }) => path)).toEqual(["folder/a.txt", "folder/node_modules"]);
  expect(note).toBe("Not looked into: folder/node_modules; name one as path to do so.");
  expect((await ann.list({ path: "folder/node_modules" })).entries).toMatchObject([
    { path: "folder/node_modules/pkg" },
  ]);
});

test("a folder with copies of everything is no part of a listing or a search, unless it is named", async () => {
  await using at = await openTestWorkspace();
  const ann = at.workspace.for("Ann");
  await mkdir(join(at.root, ".teamchart/worktrees/s/Bob"), { recursive: true });
  await writeFile(join(at.root, ".teamchart/worktrees/s/Bob/a.txt"), "needle");
  expect((await ann.list({ depth: 9 })).entries.filter(({ path }) => path.includes("Bob"))).toEqual([]);
  expect((await ann.search({ pattern: "needle" })).matches).toEqual([]);
  const found = await ann.search({ pattern: "needle", path: ".teamchart/worktrees/s/Bob" });
  expect(found.matches.map(({ path }) => path)).toEqual([".teamchart/worktrees/s/Bob/a.txt"]);
});

test("listEntriesMax entries are shown; of one more the number is said (S21)", async () => {
  await using at = await openTestWorkspace({ limits: { listEntriesMax: 8 } });
  const ann = at.workspace.for("Ann");
  expect(await ann.list()).toMatchObject({ note: null });
  await writeFile(join(at.root, "zzz"), "");
  const { entries, note } = await ann.list();
  expect(entries).toHaveLength(8);
  expect(note).toBe("1 more entries are not shown; list a folder below instead.");
});

test("a list stops counting at scanEntriesMax and says so (S21)", async () => {
  await using at = await openTestWorkspace({ limits: { scanEntriesMax: 8 } });
  const ann = at.workspace.for("Ann");
  expect(await ann.list()).toMatchObject({ note: null });
  await writeFile(join(at.root, "zzz"), "");
  const { entries, note } = await ann.list();
  expect(entries).toHaveLength(8);
  expect(note).toMatch(/^At least 1 more entries are not shown/u);
});

test("the paths of a list never have more than fileBytesMax bytes (S21)", async () => {
  await using at = await openTestWorkspace({ limits: { fileBytesMax: 20 } });
  expect(await at.workspace.for("Ann").list()).toMatchObject({
    entries: [{ path: "folder" }, { path: "link-circle" }],
    note: "6 more entries are not shown; list a folder below instead.",
  });
});

test("a depth of depthMax is accepted, one more and zero are refused", async () => {
  await using at = await openTestWorkspace({ limits: { depthMax: 3 } });
  const ann = at.workspace.for("Ann");
  await ann.list({ depth: 3 });
  await expect(ann.list({ depth: 4 })).rejects.toMatchObject({ code: "bad_input" });
  await expect(ann.list({ depth: 0 })).rejects.toMatchObject({ code: "bad_input" });
});

test("an aborted list rejects with the reason", async () => {
  await using at = await openTestWorkspace();
  await expect(at.workspace.for("Ann").list({ signal: AbortSignal.abort(new Error("stop")) })).rejects.toThrow("stop");
});
