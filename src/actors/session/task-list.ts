import { TeamError } from "../../errors/index.ts";
import { taskStatuses, type SessionState } from "../../machines/index.ts";
import type { TaskStatus } from "../../protocol/task.ts";

/** The tasks of a session's team, by their numbers. Throws `no_team`, and `disabled` for a team without a board. */
export function taskList(state: SessionState): readonly TaskStatus[] {
  const { team } = state;
  if (team === null) throw new TeamError("no_team", {});
  const tasks = taskStatuses(state);
  if (tasks !== null) return tasks;
  const how = "Declare board or tasks with the team, or give the system a board";
  throw new TeamError("disabled", { what: `the task board of "${team.name}"`, how });
}
