import { LEAD } from "../../protocol/names.ts";
import type { TaskStatus } from "../../protocol/task.ts";
import { waitingOn, type TaskRecord } from "./board-state.ts";
import type { SessionState } from "./state.ts";

/** The tasks of a session's team as people and models see them, by their numbers; null without a board. */
export function taskStatuses(session: SessionState): TaskStatus[] | null {
  const board = session.team?.board ?? null;
  return board === null ? null : board.tasks.map((task) => taskStatus(session, task));
}

function taskStatus(session: SessionState, task: TaskRecord): TaskStatus {
  const board = session.team?.board ?? null;
  const nameOf = (token: string): string => (token === "lead" ? LEAD : (session.members.get(token)?.name ?? token));
  const { description, owner, assignee, agentType, note } = task;
  return {
    task: task.id,
    subject: task.subject,
    ...(description === null ? {} : { description }),
    status: task.status,
    ...(owner === null ? {} : { owner: nameOf(owner) }),
    ...(assignee === null ? {} : { assignee: nameOf(assignee) }),
    ...(agentType === null ? {} : { agentType }),
    priority: task.priority,
    dependsOn: task.dependsOn,
    waitingOn: board === null ? [] : waitingOn(board, task),
    ...(note === null ? {} : { note }),
    addedBy: nameOf(task.addedBy),
    since: task.since,
  };
}
