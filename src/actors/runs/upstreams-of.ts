import { worktreeOf, type MemberRecord, type WorktreeRecord } from "../../machines/index.ts";
import type { WorktreeStatus } from "../../protocol/status.ts";
import type { SessionRuntime } from "../session/session-runtime.ts";

const placeOf = (worktree: WorktreeRecord | undefined): WorktreeStatus | null =>
  worktree === undefined ? null : { branch: worktree.branch, path: worktree.path, state: worktree.state };

/** What a member's upstreams delivered, in the order of its declaration. */
export function upstreamsOf(runtime: SessionRuntime, member: MemberRecord) {
  return member.dependsOn.flatMap((token) => {
    const upstream = runtime.state.members.get(token);
    if (upstream === undefined) return [];
    const result = runtime.resultOf(upstream);
    return [
      {
        name: upstream.name,
        status: runtime.facts.member(upstream.snapshot).work,
        summary: result?.summary ?? null,
        paths: result?.paths ?? [],
        worktree: placeOf(worktreeOf(runtime.state, token)),
        reason: upstream.reason,
      },
    ];
  });
}
