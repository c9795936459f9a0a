import type { InputOf } from "../../protocol/input.ts";
import { collisionKey } from "../../protocol/names.ts";
import type { Draft } from "./draft.ts";
import type { SessionState } from "./state.ts";
import type { WorktreeRecord } from "./worktree-record.ts";

/**
 * Which member works in which worktree. It steers nothing: machines know of no files. It is the session's and not the
 * member's, because a worktree is let go of only after its member, or the whole team, has ended.
 */

/** The worktree of a member, or undefined. */
export const worktreeOf = ({ worktrees }: Pick<SessionState, "worktrees">, token: string): WorktreeRecord | undefined =>
  worktrees.length === 0 ? undefined : worktrees.find((each) => each.token === token);

/** Takes in what the owner says of a worktree; gives why it is about nothing, or null. */
export function noteWorktree(draft: Draft, event: InputOf<"worktree.opened" | "worktree.closed">): string | null {
  const { worktrees, team } = draft.state;
  const { branch } = event;
  if (event.type === "worktree.opened") {
    const token = team?.byKey.get(collisionKey(event.member));
    if (token === undefined) return "nobody is called so";
    const { path, base } = event;
    // What earlier members have kept is theirs no more: nobody will be shown it.
    const others = worktrees.filter(
      (each) => each.token !== token && (each.state === "open" || draft.member(each.token) !== undefined),
    );
    draft.set({ worktrees: [...others, { token, branch, path, base, state: "open" }] });
  } else {
    const found = worktrees.find((each) => each.branch === branch && each.state === "open");
    if (found === undefined) return "no worktree is open on this branch";
    const others = worktrees.filter((each) => each !== found);
    draft.set({ worktrees: event.kept ? [...others, { ...found, state: "kept" }] : others });
  }
  draft.changed.add("session");
  draft.visible = true;
  return null;
}
