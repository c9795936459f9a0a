import { execFile } from "node:child_process";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { compareTexts } from "./finding.ts";

/** Paths below a folder, with forward slashes, by path; and folders that could not be listed. */
export interface ListedFiles {
  readonly paths: readonly string[];
  readonly skipped: readonly { readonly path: string; readonly reason: string }[];
}

/** Folders that hold what others wrote or what was made from the sources. */
const SKIPPED_FOLDERS: ReadonlySet<string> = new Set([
  "node_modules",
  "bower_components",
  "dist",
  "build",
  "out",
  "coverage",
  "target",
  "vendor",
  "venv",
  "__pycache__",
]);

const GIT_ANSWER_BYTES_MAX = 256 * 1024 * 1024;

/**
 * Asks git, with everything off by which the folder's own configuration could run a program. Null when git is missing
 * or the folder is in no work tree.
 */
const listByGit = (root: string, signal: AbortSignal | undefined): Promise<string[] | null> => {
  const args = ["--no-optional-locks", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"];
  const list = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  // Variables such as GIT_DIR would make git answer for another repository.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("GIT_")));
  return new Promise((resolve) => {
    const options = { cwd: root, env, maxBuffer: GIT_ANSWER_BYTES_MAX, signal, encoding: "utf8" } as const;
    execFile("git", [...args, ...list], options, (error, answer) => {
      // Whatever keeps git from answering, the folder can still be walked.
      resolve(error === null ? [...new Set(answer.split("\0").filter((path) => path !== ""))] : null);
    });
  });
};

const listByWalk = async (root: string, signal: AbortSignal | undefined): Promise<ListedFiles> => {
  const paths: string[] = [];
  const skipped: { path: string; reason: string }[] = [];
  const open: string[] = [""];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    signal?.throwIfAborted();
    try {
      for (const entry of await readdir(join(root, folder), { withFileTypes: true })) {
        const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
        const isHidden = entry.name.startsWith(".") && !entry.name.startsWith(".env");
        if (!entry.isDirectory()) {
          if (!isHidden) paths.push(path);
        } else if (!isHidden && !SKIPPED_FOLDERS.has(entry.name)) open.push(path);
      }
    } catch (error) {
      if (folder === "") throw error;
      skipped.push({ path: folder, reason: `folder cannot be listed (${String(error)})` });
    }
  }
  return { paths, skipped };
};

/**
 * The files of a folder: those that git tracks or would add, else all but those in folders that hold no sources. A
 * folder that git ignores as a whole is walked, because whoever names it wants it read.
 */
export const listFiles = async (root: string, signal: AbortSignal | undefined): Promise<ListedFiles> => {
  const byGit = await listByGit(root, signal);
  signal?.throwIfAborted();
  const found = byGit === null || byGit.length === 0 ? await listByWalk(root, signal) : { paths: byGit, skipped: [] };
  return { paths: found.paths.toSorted(compareTexts), skipped: found.skipped };
};
