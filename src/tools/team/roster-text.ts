import type { MemberStatus, TeamStatus } from "../../protocol/status.ts";
import { frame } from "./frame-text.ts";
import { countTasks } from "./task-list.ts";
import { requestResult, shownOf } from "./status-result.ts";

/** Members that a roster shows; it stands in a conversation that has just been made short. */
const membersShownMax = 100;

const listOf = (names: readonly string[]): string | null => (names.length === 0 ? null : names.join(", "));

const memberLine = (member: MemberStatus): string =>
  frame(
    "member",
    {
      name: member.name,
      type: member.agentType,
      status: member.status,
      presence: member.presence,
      "waiting-on": listOf(member.waitingOn),
      unread: member.unread === 0 ? null : member.unread,
      attempt: member.attempt > 1 ? member.attempt : null,
    },
    "",
  );

/**
 * How a team stands, for somebody whose conversation doesn't say it any more: every member with its state, whom it waits
 * for, and what it hasn't read. `self` is the member that reads it: it gets its own line and those of its upstreams.
 */
export function rosterText(status: TeamStatus, self: string | null = null): string {
  if (status.team === null) return frame("team-roster", {}, "There is no team.");
  const own = status.members.find(({ name }) => name === self);
  const near = own === undefined ? status.members : [own, ...status.members.filter(isUpstreamOf(own))];
  const shown = shownOf(near, undefined, membersShownMax);
  const left = near.length - shown.length;
  const lines = shown.map(memberLine);
  if (left > 0) lines.push(`${left} more; team_status shows them.`);
  for (const each of own === undefined ? status.permissionRequests : []) {
    // Whoever is to answer it has to name it.
    const { member, tool, request = null } = requestResult(each);
    lines.push(frame("permission-request", { from: member, tool, request }, ""));
  }
  const { team, state, revision, pendingMessages } = status;
  const attributes = {
    team,
    state,
    revision,
    "your-unread": pendingMessages === 0 ? null : pendingMessages,
    tasks: tasksOf(status),
  };
  return frame("team-roster", attributes, `\n${lines.join("\n")}\n`);
}

/** How the board stands, such as `2 pending, 1 completed`; null without one. */
function tasksOf({ tasks }: TeamStatus): string | null {
  const counts = Object.entries(countTasks(tasks ?? [])).map(([state, count]) => `${count} ${state}`);
  return counts.length === 0 ? null : counts.join(", ");
}

const isUpstreamOf =
  ({ dependsOn }: MemberStatus) =>
  ({ name }: MemberStatus): boolean =>
    dependsOn.includes(name);
