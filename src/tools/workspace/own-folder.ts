import { mkdir, readFile, readdir, rm, rmdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { systemCode } from "./system-error.ts";

/** The folder in which a project has what is Teamchart's: stored sessions, its own server, worktrees of members. */
export const ownFolder = ".teamchart";

/** What its `.gitignore` says: all of it, so that nobody commits conversations by `git add -A`. */
const ignoresAll = "*\n";

/**
 * Makes the folder below `parent`, for this user alone, unless it is there, and puts a `.gitignore` into it unless it has
 * one. Rejects with the system's error.
 */
export async function makeOwnFolder(parent: string): Promise<void> {
  const folder = join(parent, ownFolder);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  try {
    await writeFile(join(folder, ".gitignore"), ignoresAll, { flag: "wx" });
  } catch (error) {
    if (systemCode(error) !== "EEXIST") throw error;
  }
}

/** Removes the folder below `parent` if nothing is in it but the `.gitignore` that was put there; any other stays. */
export async function dropOwnFolder(parent: string): Promise<void> {
  const folder = join(parent, ownFolder);
  const ignores = join(folder, ".gitignore");
  const names = await readdir(folder).catch(() => []);
  const isOurs = (await readFile(ignores, "utf8").catch(() => "")) === ignoresAll;
  if (!isOurs || names.length > 1) return;
  await rm(ignores, { force: true });
  // Somebody has just put something there.
  await rmdir(folder).catch(() => makeOwnFolder(parent));
}
