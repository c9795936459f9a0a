import { lstat, mkdir, readdir, readFile, realpath, rm, rmdir, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { TeamError } from "../../errors/index.ts";
import { dropOwnFolder, makeOwnFolder } from "../../tools/workspace/own-folder.ts";
import { cannotRunGit, complaintOf, runGit, type GitEnd } from "./git.ts";
import { worktreeNames, worktreesFolder, type WorktreeNames } from "./worktree-names.ts";

/** A worktree as the log knows it. */
export interface Worktree {
  readonly branch: string;
  /** The member's folder, relative to the workspace. */
  readonly path: string;
  /** The commit that it started from. */
  readonly base: string;
}

/** The error of a worktree that can't be had. */
export const noWorktree = (reason: string, cause?: unknown): TeamError =>
  new TeamError("isolation_unavailable", { isolation: "worktree", reason }, { cause });

const exists = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );

/** Branches of one member's name in one session that are tried. */
const namesMax = 100;

/**
 * The git repository that a workspace lies in, and the worktrees of members in it. What it does is done one after the other:
 * git's own locks are for one at a time, and whoever finds one taken fails.
 */
export class Repository {
  readonly #workspace: string;
  /** The workspace below the root of the repository; "" = it is the root. */
  readonly #prefix: string;
  readonly #gitFolder: string;
  #last: Promise<unknown> = Promise.resolve();

  private constructor(workspace: string, prefix: string, gitFolder: string) {
    this.#workspace = workspace;
    this.#prefix = prefix;
    this.#gitFolder = gitFolder;
  }

  /** Rejects with `isolation_unavailable` where members can't have worktrees: no git, no repository, no commit in it. */
  static async open(workspace: string): Promise<Repository> {
    const asked = await git(workspace, ["rev-parse", "--is-inside-work-tree", "--show-prefix", "--git-common-dir"]);
    const [isInside = "", prefix = "", common = ""] = asked.stdout.split("\n");
    if (asked.code !== 0) {
      const isNone = asked.stderr.includes("not a git repository");
      throw noWorktree(isNone ? `the workspace "${workspace}" is in no git repository` : complaintOf(asked));
    }
    if (isInside !== "true") throw noWorktree(`the workspace "${workspace}" is in no work tree of its git repository`);
    const gitFolder = await realpath(join(common.startsWith("/") ? "" : workspace, common));
    const repository = new Repository(workspace, prefix.replace(/\/$/u, ""), gitFolder);
    await repository.head();
    return repository;
  }

  /** Does something that must not run beside anything else of this repository. */
  alone<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => {});
    return done;
  }

  /** The commit that a new worktree starts from. */
  async head(): Promise<string> {
    const head = await this.#commitOf("HEAD");
    if (head === null) throw noWorktree("the git repository has no commit yet that members could start from");
    return head;
  }

  /** Takes a branch that nobody has, at this commit. Its folder is still to be made. */
  async claim(session: string, member: string, base: string): Promise<Worktree> {
    for (let nth = 1; nth <= namesMax; nth++) {
      const names = worktreeNames(session, member, nth);
      if ((await this.#commitOf(`refs/heads/${names.branch}`)) !== null) continue;
      if (await exists(join(this.#workspace, names.folder))) continue;
      // Nothing for the old value: it must not be there, whoever else makes it at this moment.
      const made = await this.#git(["update-ref", `refs/heads/${names.branch}`, base, "0".repeat(base.length)]);
      if (made.code === 0) return { branch: names.branch, path: this.#memberPath(names), base };
      if ((await this.#commitOf(`refs/heads/${names.branch}`)) === null) throw noWorktree(complaintOf(made));
    }
    const { branch } = worktreeNames(session, member, 1);
    throw noWorktree(`the branches "${branch}" to "${branch}-${namesMax}" are taken; delete those that are not needed`);
  }

  /** Makes sure that the worktree is there, as it was left or new; gives the absolute path of the member's folder. */
  async ensure({ branch, path, base }: Worktree): Promise<string> {
    const root = this.#rootOf(path);
    const isThere = await exists(join(root, ".git"));
    const admin = await this.#adminOf(root);
    if (!isThere || admin === null || (await this.#isHalfMade(admin))) {
      // One that was begun and not ended holds nothing; one whose folder was deleted by somebody is made anew.
      if (admin !== null && (await this.#isHalfMade(admin))) await this.#git(["worktree", "remove", "-f", "-f", root]);
      await this.#make(root, branch, base, admin !== null);
    }
    const folder = join(this.#workspace, path);
    await mkdir(folder, { recursive: true });
    return folder;
  }

  /** Whether anything in it is worth keeping: commits, or files that differ from the last one, ignored ones too. */
  async isChanged({ branch, path, base }: Worktree): Promise<boolean> {
    const tip = await this.#commitOf(`refs/heads/${branch}`);
    if (tip !== null && tip !== base) return true;
    const root = this.#rootOf(path);
    const admin = await this.#adminOf(root);
    if (!(await exists(root))) return false;
    // Git knows nothing of what is there.
    if (admin === null) return true;
    // Not by the folder's own `.git`, which its member can write: it would decide whose settings hold.
    const at = [`--git-dir=${admin}`, `--work-tree=${root}`];
    const head = await git(root, [...at, "rev-parse", "--verify", "--quiet", "HEAD"]);
    if (head.stdout.trim() !== base) return true;
    const status = await git(root, [...at, "status", "--porcelain", "--ignored", "--untracked-files=normal"]);
    return status.code !== 0 || status.stdout !== "";
  }

  /** Removes a worktree in which nothing was changed, with its branch. Rejects, and leaves it, when something is. */
  async remove({ branch, path, base }: Worktree): Promise<void> {
    const root = this.#rootOf(path);
    if ((await this.#adminOf(root)) !== null) {
      const removed = await this.#git(["worktree", "remove", root]);
      if (removed.code !== 0) throw noWorktree(complaintOf(removed));
    }
    const tip = await this.#commitOf(`refs/heads/${branch}`);
    // Only as long as it is what it was.
    if (tip !== null) await this.#git(["update-ref", "-d", `refs/heads/${branch}`, base]);
    await this.#tidy(dirname(root));
  }

  async #make(root: string, branch: string, base: string, isRegistered: boolean): Promise<void> {
    if ((await this.#commitOf(`refs/heads/${branch}`)) === null) {
      const made = await this.#git(["update-ref", `refs/heads/${branch}`, base, "0".repeat(base.length)]);
      if (made.code !== 0) throw noWorktree(complaintOf(made));
    }
    await this.#makeSessionFolder(dirname(root));
    const force = isRegistered ? ["--force"] : [];
    const added = await this.#git(["worktree", "add", "--quiet", ...force, root, branch]);
    if (added.code !== 0) throw noWorktree(complaintOf(added));
  }

  /** The folder of a session's worktrees; git does not see what is in it, or everybody would commit it. */
  async #makeSessionFolder(folder: string): Promise<void> {
    for (let tries = 0; ; tries++) {
      try {
        await makeOwnFolder(this.#workspace);
        await mkdir(folder, { recursive: true });
        await writeFile(join(folder, ".gitignore"), "*\n");
        return;
      } catch (error) {
        // Another session has just tidied up what they share.
        if (tries === 3) throw error;
      }
    }
  }

  /** Removes the folders of worktrees that hold none any more. */
  async #tidy(sessionFolder: string): Promise<void> {
    const names = await readdir(sessionFolder).catch(() => null);
    if (names === null || names.some((name) => name !== ".gitignore")) return;
    await rm(join(sessionFolder, ".gitignore"), { force: true });
    for (const folder of [sessionFolder, dirname(sessionFolder)]) {
      const isGone = await rmdir(folder).then(
        () => true,
        () => false,
      );
      // What holds something else stays.
      if (!isGone) return;
    }
    await dropOwnFolder(this.#workspace);
  }

  /** The folder in the repository that keeps what git knows of a worktree; null = git knows of none there. */
  async #adminOf(root: string): Promise<string | null> {
    const folder = join(this.#gitFolder, "worktrees");
    for (const name of await readdir(folder).catch(() => [])) {
      const admin = join(folder, name);
      const at = await readFile(join(admin, "gitdir"), "utf8").catch(() => "");
      if (at.trim() === join(root, ".git")) return admin;
    }
    return null;
  }

  async #isHalfMade(admin: string): Promise<boolean> {
    return (await readFile(join(admin, "locked"), "utf8").catch(() => "")).trim() === "initializing";
  }

  /** The member sees of its worktree what the team sees of the repository. */
  #memberPath({ folder }: WorktreeNames): string {
    return this.#prefix === "" ? folder : `${folder}/${this.#prefix}`;
  }

  #rootOf(path: string): string {
    const own =
      this.#prefix !== "" && path.endsWith(`/${this.#prefix}`) ? path.slice(0, -this.#prefix.length - 1) : path;
    const root = join(this.#workspace, own);
    const below = relative(join(this.#workspace, worktreesFolder), root);
    if (below === "" || below.startsWith("..")) throw noWorktree(`"${path}" is no folder of a worktree`);
    return root;
  }

  async #commitOf(name: string): Promise<string | null> {
    const { code, stdout } = await this.#git(["rev-parse", "--verify", "--quiet", `${name}^{commit}`]);
    return code === 0 ? stdout.trim() : null;
  }

  #git(args: readonly string[]): Promise<GitEnd> {
    return git(this.#workspace, args);
  }
}

async function git(cwd: string, args: readonly string[]): Promise<GitEnd> {
  try {
    return await runGit(cwd, args);
  } catch (error) {
    throw noWorktree(cannotRunGit(error), error);
  }
}
