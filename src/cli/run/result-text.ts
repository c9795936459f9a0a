import type { ResultLine } from "../../index.ts";
import { printable, printableLines } from "../printable.ts";

/** How many members are listed one by one. */
const listedMax = 50;

const plural = (count: number, one: string): string => `${count.toLocaleString("en")} ${one}${count === 1 ? "" : "s"}`;

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** How many tasks are done, for the line of the outcome; nothing without tasks. */
function tasksText(tasks: NonNullable<ResultLine["tasks"]>): string {
  const done = tasks.filter(({ status }) => status === "completed").length;
  return tasks.length === 0 ? "" : `${done} of ${plural(tasks.length, "task")} done, `;
}

/** What a result is told with beside itself. */
export interface ResultTextOptions {
  /** Why the lead's last turn failed, or null. */
  readonly leadFailure: string | null;
}

/** A result for people: the members, the mail, the outcome, and the answer last, where the eye is. */
export function resultText(result: ResultLine, { leadFailure }: ResultTextOptions): string {
  const { outcome, answer, members, messages, tasks = [], durationMs } = result;
  const lines: string[] = [""];
  for (const { name, status, reason, summary, attempt, worktree } of members.slice(0, listedMax)) {
    const text = status === "completed" ? summary : reason;
    const shown = text === null || text === "" ? "" : `  ${printable(text, { charactersMax: 300 })}`;
    lines.push(`${status.padEnd(11)}  ${printable(name)}${attempt > 1 ? ` (attempt ${attempt})` : ""}${shown}`);
    if (worktree !== undefined) {
      lines.push(`${" ".repeat(11)}  changes on ${printable(worktree.branch)} in ${printable(worktree.path)}`);
    }
  }
  if (members.length > listedMax) lines.push(`... and ${plural(members.length - listedMax, "more member")}`);
  for (const { task, subject, status, owner, note } of tasks.slice(0, listedMax)) {
    const by = owner === null ? "" : `  ${printable(owner)}`;
    const why = note === null || note === "" ? "" : `  ${printable(note, { charactersMax: 300 })}`;
    lines.push(`${status.padEnd(11)}  #${task} ${printable(subject, { charactersMax: 100 })}${by}${why}`);
  }
  if (tasks.length > listedMax) lines.push(`... and ${plural(tasks.length - listedMax, "more task")}`);
  if (messages.accepted + messages.refused > 0) {
    const { accepted, delivered, deadLettered, unread, refused } = messages;
    lines.push(
      `messages     ${accepted} accepted, ${delivered} delivered, ${deadLettered} dead-lettered, ${unread} unread, ${refused} refused`,
    );
  }
  const calls = sum(members.map(({ modelCalls }) => modelCalls));
  const tokens = sum(members.map((member) => member.tokens));
  const work =
    members.length === 0
      ? ""
      : `${plural(members.length, "member")}, ${plural(calls, "model call")}, ${plural(tokens, "token")}, `;
  lines.push(`${outcome}: ${work}${tasksText(tasks)}${(durationMs / 1_000).toFixed(1)} s`);
  if (leadFailure !== null) lines.push(`The lead failed: ${printable(leadFailure)}`);
  if (answer !== null && answer !== "") lines.push("", printableLines(answer));
  return `${lines.join("\n")}\n`;
}
