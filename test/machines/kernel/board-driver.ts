import type { Applied } from "../../../src/machines/index.ts";
import { TaskChange, TaskSpec, type TaskSpecInput, type TeamSpecInput } from "../../../src/protocol/index.ts";
import { taskStatuses } from "../../../src/machines/index.ts";
import { Driver, memberOf, type SessionOptions } from "../driver.ts";

/** A session with a team that has a board, driven by hand. */
export class BoardDriver extends Driver {
  add(task: Partial<TaskSpecInput> = {}, by = "lead"): Applied {
    const plan = TaskSpec.parse({ subject: "do it", ...task });
    const event = { type: "task.add", plan: "digest" } as const;
    return this.#by(by, event, plan);
  }

  /** A member takes a task; `owner` names whom the Lead or the user gives it to. */
  take(by: string, task?: number, owner?: string): Applied {
    return this.#by(by, {
      type: "task.claim",
      ...(task !== undefined && { task }),
      ...(owner !== undefined && { owner }),
    });
  }

  change(change: object, by = "lead"): Applied {
    return this.#by(by, { type: "task.update", plan: "digest" }, TaskChange.parse(change));
  }

  #by(by: string, event: Parameters<Driver["command"]>[0], plan?: TaskSpec | TaskChange): Applied {
    const more = plan === undefined ? {} : { plan };
    if (by === "lead" || by === "user") return this.command(event, { from: by, ...more });
    const { token } = this.member(by);
    return this.call(by, event, { actor: this.session.team?.token ?? token, ...more });
  }

  /** The tasks in a few words: `#1 in_progress A`. */
  get board(): string[] {
    return (taskStatuses(this.session) ?? []).map(({ task, status, owner, assignee }) =>
      [
        `#${task} ${status}`,
        ...(owner === undefined ? [] : [owner]),
        ...(assignee === undefined ? [] : [`(${assignee})`]),
      ].join(" "),
    );
  }

  notices(name: string): string[] {
    return this.member(name).unread.map((mail) => mail.notice ?? mail.kind);
  }
}

/** A team with a board of these tasks. */
export function boardTeam(
  members: readonly string[],
  tasks: readonly Partial<TaskSpecInput>[] = [],
  { board = { selfClaim: true }, session = {}, ...more }: Partial<TeamSpecInput> & { session?: SessionOptions } = {},
): BoardDriver {
  const driver = new BoardDriver(session);
  driver.create(
    members.map((each) => memberOf(each)),
    {
      board,
      tasks: tasks.map((task, index) => ({ subject: `task ${index + 1}`, ...task })),
      ...more,
    },
  );
  return driver;
}

/** The reply's value, or its codes. */
export const replyOf = ({ replies }: Applied): unknown => {
  const reply = replies[0]?.reply;
  if (reply === undefined) return "none";
  return "refused" in reply ? reply.refused.map(({ code }) => code) : reply.ok;
};
