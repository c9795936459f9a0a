import { execFileSync } from "node:child_process";
import { mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { temporaryFolder } from "./temporary-folder.ts";

const author = ["-c", "user.name=Test", "-c", "user.email=test@example.org", "-c", "commit.gpgsign=false"];

/** What git says in this folder, without the line end. Throws when it fails. */
export const git = (folder: string, ...args: readonly string[]): string =>
  execFileSync("git", [...author, ...args], {
    cwd: folder,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  }).trim();

/** A git repository with these files in its one commit, gone when the test is over. */
export function gitFolder(files: Readonly<Record<string, string>> = { "a.txt": "a\n" }): string {
  const folder = realpathSync(temporaryFolder());
  git(folder, "init", "--quiet", "--initial-branch=main");
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  git(folder, "add", ".");
  git(folder, "commit", "--quiet", "--allow-empty", "-m", "first");
  return folder;
}

/** Branches but the first one, and the folders of worktrees but the repository's own. */
export const leftBehind = (folder: string): { readonly branches: string[]; readonly folders: string[] } => ({
  branches: git(folder, "for-each-ref", "--format=%(refname:short)", "refs/heads")
    .split("\n")
    .filter((branch) => branch !== "" && branch !== "main"),
  folders: git(folder, "worktree", "list", "--porcelain")
    .split("\n")
    .flatMap((line) => (line.startsWith("worktree ") ? [line.slice("worktree ".length)] : []))
    .slice(1),
});
