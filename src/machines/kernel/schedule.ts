import type { Graph } from "../dag.ts";
import type { Draft } from "./draft.ts";
import { hasMail } from "./shutdown.ts";
import { isDissolving } from "./standing.ts";
import type { MemberRecord } from "./state.ts";

/** Scheduling: a member starts when its last upstream has completed. Costs one count per edge, whatever the team's size. */

/** The downstreams of members in their order, by index. */
export function graphOf(members: readonly Pick<MemberRecord, "token" | "index" | "downstream">[]): Graph {
  const indices = new Map(members.map(({ token, index }) => [token, index]));
  return members.map(({ downstream }) => downstream.flatMap((token) => indices.get(token) ?? []));
}

/** Starts a blocked member whose upstreams have all completed. */
export function startIfReady(draft: Draft, token: string): void {
  if (draft.state.team === null) return;
  draft.postMember(token, draft.team.token, (member) => {
    const ready = draft.roster.unmet(member.index) === 0 && draft.facts.member(member.snapshot).work === "blocked";
    return ready && !isDissolving(draft) ? { type: "member.start" } : null;
  });
}

/** An upstream is satisfied: everybody downstream waits for one less. */
export function satisfyDownstream(draft: Draft, upstream: MemberRecord): void {
  const { graph, order } = draft.team;
  for (const index of graph[upstream.index] ?? []) {
    const unmet = draft.roster.unmet(index) - 1;
    draft.roster.setUnmet(index, unmet);
    const token = order[index] ?? "";
    draft.counted.push(token);
    if (unmet === 0) startIfReady(draft, token);
  }
}

/** Whether an upstream in this state holds its downstreams up. */
export function holdsUp(draft: Draft, token: string): boolean {
  const { work } = draft.memberFacts(token);
  return work !== "completed" && !(work === "failed" && draft.team.upstreamFailure === "skip");
}

/** Counts a member's unmet upstreams anew, after a plan changed them. */
export function recountUnmet(draft: Draft, token: string): void {
  const member = draft.mustMember(token);
  const unmet = member.dependsOn.filter((upstream) => holdsUp(draft, upstream)).length;
  if (unmet === draft.roster.unmet(member.index)) return;
  draft.roster.setUnmet(member.index, unmet);
  draft.counted.push(token);
}

/** Everybody downstream of `token`, near ones first. */
function allDownstream(draft: Draft, token: string): string[] {
  const seen = new Set([token]);
  const queue = [token];
  // The queue grows while it is walked.
  for (const done of queue) {
    for (const next of draft.mustMember(done).downstream) {
      if (seen.has(next)) continue;
      seen.add(next);
      queue.push(next);
    }
  }
  return queue.slice(1);
}

/** What an upstream's failure does to its downstreams, by the team's policy; `block` (default) does nothing. */
export function applyFailurePolicy(draft: Draft, failed: MemberRecord): void {
  const { upstreamFailure, token } = draft.team;
  if (upstreamFailure === "skip") satisfyDownstream(draft, failed);
  if (upstreamFailure !== "cancel") return;
  for (const downstream of allDownstream(draft, failed.token)) {
    draft.postMember(downstream, token, (member) =>
      draft.facts.member(member.snapshot).work === "blocked"
        ? { type: "member.cancel", mail: hasMail(member.unread) }
        : null,
    );
  }
}
