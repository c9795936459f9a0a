import { z } from "zod";
import type { Reply } from "../../protocol/reply.ts";
import { TaskChange, TaskSpec, type TaskStatus } from "../../protocol/task.ts";
import type { TaskCommand } from "../../tools/port.ts";
import { boardCommand } from "../commands/board-command.ts";
import { expectReply } from "../commands/expect-reply.ts";
import type { Outgoing } from "../owner/owner.ts";
import { parseInput } from "../parse-input.ts";
import type { SessionRuntime } from "./session-runtime.ts";
import type { MemberBoard, TaskBoard } from "./task-board.ts";
import { taskList } from "./task-list.ts";

const TaskNumber = z.int().min(1);
const GivenClaim = z.strictObject({ task: TaskNumber.optional(), owner: z.string() });

/** Who is to do which task; without a number the next one that the member may do. */
export type GivenClaim = z.input<typeof GivenClaim>;

/** The board in the hands of whoever has the session: the user's, or the Lead's own without a hosted lead. */
export interface SessionBoard extends TaskBoard {
  /** Gives a member a task to do: it is its owner at once, and is told. Resolves with the task; null = there is none. */
  readonly claim: (claim: GivenClaim) => Promise<TaskStatus | null>;
}

type Send = (command: TaskCommand) => Promise<Reply>;

/** What every board has, over a way to send commands. */
function boardOver(runtime: SessionRuntime, send: Send) {
  const list = (): readonly TaskStatus[] => taskList(runtime.state);
  const take = async (task: number | null, owner: string | null): Promise<TaskStatus | null> => {
    const claimed = expectReply(await send({ type: "task.claim", task, owner }), "task_claimed");
    return claimed.task === null ? null : (list().find((each) => each.task === claimed.task) ?? null);
  };
  const board: TaskBoard = {
    list,
    async add(task) {
      return expectReply(await send({ type: "task.add", spec: parseInput(TaskSpec, task, "task") }), "task_added");
    },
    async update(change) {
      const given = parseInput(TaskChange, change, "change");
      return expectReply(await send({ type: "task.update", change: given }), "task_updated");
    },
  };
  return { ...board, take };
}

/** The board of a session's current team, whichever that is when it is asked. */
export function sessionBoard(
  runtime: SessionRuntime,
  command: (outgoing: Omit<Outgoing, "from">) => Promise<Reply>,
): SessionBoard {
  const { take, ...board } = boardOver(runtime, (task) =>
    command(boardCommand(task, runtime.state.team?.token ?? "session")),
  );
  return Object.freeze({
    ...board,
    async claim(claim: GivenClaim) {
      const { task = null, owner } = parseInput(GivenClaim, claim, "claim");
      return take(task, owner);
    },
  });
}

/** The board in the hands of one run of a member. */
export function memberBoard(runtime: SessionRuntime, send: Send): MemberBoard {
  const { take, ...board } = boardOver(runtime, send);
  return Object.freeze({
    ...board,
    claim: async (task?: number) => take(task === undefined ? null : parseInput(TaskNumber, task, "task"), null),
  });
}
