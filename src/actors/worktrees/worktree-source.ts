import { openWorkspace, type Workspace } from "../../tools/workspace/index.ts";
import { noWorktree, Repository } from "./repository.ts";

/** Where a system's members get worktrees from: the repository of its workspace, opened when the first one needs it. */
export class WorktreeSource {
  readonly #workspace: Workspace | null;
  #repository: Promise<Repository> | null = null;

  constructor(workspace: Workspace | null) {
    this.#workspace = workspace;
  }

  /** Rejects with `isolation_unavailable` where there is none; the next one asks anew. */
  repository(): Promise<Repository> {
    const { root } = this.#workspace ?? {};
    if (root === undefined) return Promise.reject(noWorktree("there is no workspace, so members have no files"));
    this.#repository ??= Repository.open(root).catch((fault: unknown) => {
      this.#repository = null;
      throw fault;
    });
    return this.#repository;
  }

  /** A member's folder as its workspace, with the limits of the shared one. */
  workspaceAt(root: string): Promise<Workspace> {
    const { limits, addressing } = this.#workspace ?? {};
    return openWorkspace({
      root,
      ...(limits === undefined ? {} : { limits }),
      ...(addressing === "path" ? { addressing } : {}),
    });
  }
}
