import { constants } from "node:fs";
import { access, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Check } from "./check.ts";

const problemOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Whether the temporary folder takes files: one is made and removed. */
async function checkTemporary(): Promise<Check> {
  const name = "temporary folder";
  try {
    await rm(await mkdtemp(join(tmpdir(), "teamchart-doctor-")), { recursive: true });
    return { name, state: "ok", text: `${tmpdir()} takes files`, next: null };
  } catch (error) {
    return {
      name,
      state: "missing",
      text: problemOf(error),
      next: "TMPDIR=<a folder that you may write> teamchart doctor",
    };
  }
}

/** Whether `.teamchart` takes files, or could be made. Nothing is made for the asking. */
async function checkOwnFolder(cwd: string): Promise<Check> {
  const name = ".teamchart";
  const folder = join(cwd, name);
  for (const place of [folder, dirname(folder)]) {
    try {
      await access(place, constants.W_OK | constants.X_OK);
      const text = place === folder ? `${folder} takes files` : `${folder} is not there yet and can be made`;
      return { name, state: "ok", text, next: null };
    } catch (error) {
      // A folder that is not there yet is made in the one around it, which is asked next.
      if (error instanceof Error && "code" in error && error.code === "ENOENT") continue;
      return {
        name,
        state: "missing",
        text: problemOf(error),
        next: `cd to a folder that you may write, or name one with --out`,
      };
    }
  }
  return { name, state: "missing", text: `${cwd} is gone`, next: "cd to a folder that exists" };
}

/** Where a run would leave something behind. */
export const checkFolders = (cwd: string): Promise<Check[]> => Promise.all([checkOwnFolder(cwd), checkTemporary()]);
