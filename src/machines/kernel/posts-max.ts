import type { KernelRecord } from "./applied.ts";
import type { SessionState } from "./state.ts";

/** Posts that one input may cause, per member and beside that; a machine that exceeds it is broken. */
const perMemberMax = 16;
const baseMax = 4_000;

/** How many posts this input may cause in this session. */
export function postsMaxOf({ team, mail }: SessionState, { plan }: KernelRecord): number {
  const planned =
    plan === undefined
      ? []
      : "members" in plan
        ? plan.members
        : "add" in plan
          ? plan.add
          : "agent" in plan
            ? [plan]
            : [];
  const members = (team?.order.length ?? 0) + planned.length;
  // Every unread message may become a dead letter that two are told of.
  const unread = mail.accepted - mail.delivered - mail.deadLettered;
  return baseMax + perMemberMax * members + 2 * unread;
}
