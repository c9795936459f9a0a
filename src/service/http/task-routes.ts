import { z } from "zod";
import { TaskChange, TaskSpec } from "../../protocol/task.ts";
import { commandsOf } from "./commands-of.ts";
import { route, type Route } from "./route.ts";
import { TaskAddedAnswer, TaskClaimedAnswer, TaskUpdatedAnswer } from "./schemas.ts";

/** What every change of a board may be refused for. */
const boardErrors = ["no_team", "team_dissolved", "disabled", "unknown_member", "not_assignable"] as const;
/** What a task itself may be wrong in. */
const taskErrors = [...boardErrors, "unknown_dependency", "unknown_agent_type", "cycle"] as const;

const add = route({
  method: "post",
  path: "/api/sessions/:id/tasks",
  control: true,
  summary: "Puts a task onto the team's board",
  body: TaskSpec,
  answer: TaskAddedAnswer,
  errors: [...taskErrors, "too_many_tasks"],
  handle: async ({ session, body }) => (await commandsOf(session)).board.add(body),
});

const claim = route({
  method: "post",
  path: "/api/sessions/:id/tasks/claim",
  control: true,
  summary: "Gives a member a task to do; without `task` the next one that it may do",
  body: z.strictObject({ owner: z.string(), task: z.int().min(1).optional() }),
  answer: TaskClaimedAnswer,
  errors: [...boardErrors, "unknown_task", "task_blocked", "task_taken", "task_closed"],
  handle: async ({ session, body: { owner, task } }) => {
    const taken = await (await commandsOf(session)).board.claim({ owner, ...(task === undefined ? {} : { task }) });
    // Read from what is shown, where secrets are hidden.
    return { task: taken === null ? null : (session.tasks().find((each) => each.task === taken.task) ?? null) };
  },
});

const update = route({
  method: "post",
  path: "/api/sessions/:id/tasks/:task",
  control: true,
  summary: "Changes one task, whole or not at all; `null` takes away what was set",
  body: TaskChange.omit({ task: true }),
  answer: TaskUpdatedAnswer,
  errors: [...taskErrors, "unknown_task", "task_blocked", "task_taken", "task_closed"],
  handle: async ({ session, params: { task }, body }) =>
    (await commandsOf(session)).board.update({ ...body, task: Number(task) }),
});

/** Routes that change the task board. */
export const taskRoutes: readonly Route[] = [add, claim, update];
