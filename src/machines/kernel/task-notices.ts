import type { NoticeKind } from "../../protocol/notice.ts";
import { taskName, type TaskRecord } from "./board-state.ts";
import type { Draft } from "./draft.ts";
import { deliver } from "./mail.ts";
import { isOpen } from "./standing.ts";

/** What members are told of tasks: mail of the system, so that a wake is never lost and what was read is in the journal. */

type TaskNotice = Extract<NoticeKind, "task_available" | "task_assigned" | "task_withdrawn">;

const notices: ReadonlySet<NoticeKind | null> = new Set<TaskNotice>([
  "task_available",
  "task_assigned",
  "task_withdrawn",
]);

/** A task in a few words. */
export const taskText = ({ id, subject }: Pick<TaskRecord, "id" | "subject">): string => `${taskName(id)} ${subject}`;

/** Tells a member of a task. One notice of a kind stands for all: whoever reads it looks at the board. */
export function notifyOfTask(draft: Draft, token: string, notice: TaskNotice, task: TaskRecord): void {
  if (!isOpen(draft, token)) return;
  const member = draft.mustMember(token);
  const told = member.unread.filter((mail) => mail.notice === notice);
  if (told.length > 0) {
    draft.changeMember(token, { unread: member.unread.filter((mail) => mail.notice !== notice) });
    draft.noteMail({ type: "replaced", to: token, ids: told.map(({ id }) => id) });
  }
  const { seq, input } = draft.record;
  deliver(draft, token, {
    id: `${input.id}:${notice}:${token}`,
    seq,
    from: "system",
    kind: "system",
    notice,
    about: null,
    reason: taskText(task).slice(0, reasonMax).toWellFormed(),
    bytes: 0,
    hops: 0,
    broadcast: false,
    body: null,
    wakes: true,
    at: input.at,
  });
}

const reasonMax = 600;

/** A function that has returned had its chance to look at the board: what told it to is read. */
export function readTaskNotices(draft: Draft, token: string): void {
  const { unread } = draft.mustMember(token);
  const read = unread.filter((mail) => notices.has(mail.notice));
  if (read.length === 0) return;
  draft.changeMember(token, { unread: unread.filter((mail) => !notices.has(mail.notice)) });
  draft.noteMail({ type: "delivered", to: token, ids: read.map(({ id }) => id) });
}
