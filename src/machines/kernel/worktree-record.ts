/** A git worktree of a member. */
export interface WorktreeRecord {
  /** The member's. */
  readonly token: string;
  readonly branch: string;
  /** Relative to the workspace. */
  readonly path: string;
  /** The commit that it started from. */
  readonly base: string;
  /** `kept`: nobody works in it, and it holds changes. */
  readonly state: "open" | "kept";
}
