import type { SessionStatus } from "../../index.ts";
import { printable, printableLines } from "../printable.ts";
import type { LiveAsk, LiveFrame, LiveRow, Size } from "./live-frame.ts";
import type { Ask } from "./open-asks.ts";
import { wrapText } from "./wrap-text.ts";

type Member = SessionStatus["members"][number];

/** What a frame is made of. */
export interface FrameSource {
  readonly status: SessionStatus;
  readonly asks: readonly Ask[];
  readonly events: readonly string[];
  /** How the agents are driven, such as "scripted model, no LLM". */
  readonly models: string;
  readonly hasLead: boolean;
  readonly nowMs: number;
  readonly startedAtMs: number;
}

const duration = (ms: number): string => {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  if (seconds < 60) return `${seconds}s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)}m${String(seconds % 60).padStart(2, "0")}`;
  return `${Math.floor(seconds / 3_600)}h${String(Math.floor(seconds / 60) % 60).padStart(2, "0")}`;
};

const short = (count: number): string => {
  if (count < 10_000) return String(count);
  return count < 1_000_000 ? `${Math.floor(count / 1_000)}k` : `${(count / 1_000_000).toFixed(1)}M`;
};

/** Who needs the eye first when there is no room for all: the lower, the sooner. */
function urgency({ status, activity }: Member): number {
  if (activity?.startsWith("waiting_") === true) return 0;
  if (status === "failed") return 1;
  if (status === "in_progress") return 2;
  return status === "blocked" ? 3 : 4;
}

/** Those that fit into `rowsMax`, in the order of their declaration, and those that don't. */
function pick(members: readonly Member[], rowsMax: number): { shown: readonly Member[]; hidden: readonly Member[] } {
  if (members.length <= rowsMax) return { shown: members, hidden: [] };
  // One row is needed to say what is missing. Sorting is stable: among equals the declaration decides.
  const room = Math.max(0, rowsMax - 1);
  const chosen = new Set(members.toSorted((a, b) => urgency(a) - urgency(b)).slice(0, room));
  return { shown: members.filter((each) => chosen.has(each)), hidden: members.filter((each) => !chosen.has(each)) };
}

const countBy = (members: readonly Member[]): string => {
  const counts = new Map<string, number>();
  for (const { status } of members) counts.set(status, (counts.get(status) ?? 0) + 1);
  return [...counts].map(([status, count]) => `${count} ${status}`).join(", ");
};

/** `tasks 3/7`: done of all that are to be done, and what is in the way. */
function tasksText(tasks: NonNullable<SessionStatus["tasks"]>): string {
  const count = (wanted: string): number => tasks.filter(({ status }) => status === wanted).length;
  const failed = count("failed");
  const done = `tasks ${count("completed")}/${tasks.length - count("cancelled")}`;
  return failed === 0 ? done : `${done}, ${failed} failed`;
}

const rowOf = (member: Member, nowMs: number): LiveRow => ({
  name: printable(member.name, { charactersMax: 64 }),
  status: member.status,
  activity: member.activity ?? (member.presence === "idle" ? "idle" : ""),
  since: duration(nowMs - member.since),
  // Whoever is over waits for nobody; a failure's reason is what one wants to see instead.
  waitingOn:
    member.status === "failed"
      ? printable(member.reason ?? "", { charactersMax: 200 })
      : member.status === "blocked"
        ? member.waitingOn.map((name) => printable(name, { charactersMax: 64 })).join(", ")
        : "",
  unread: member.unread === 0 ? "" : String(member.unread),
  tokens: member.tokens === 0 ? "" : short(member.tokens),
});

/** Rows of an ask beside its lines: one free, its title, and the line of input. */
const askRowsMin = 3;
/** Members that an ask leaves room for, however long it is. */
const membersMin = 3;

/** The whole ask, if that many lines hold it; otherwise its beginning, and how much is missing. */
function askOf(asks: readonly Ask[], linesMax: number, columns: number): LiveAsk | null {
  const [ask] = asks;
  if (ask === undefined) return null;
  const { id, kind, from, text, choices } = ask;
  const waiting = asks.length > 1 ? ` (1 of ${asks.length})` : "";
  const listed = kind === "question" ? choices.map((choice, index) => `${index + 1}) ${printable(choice)}`) : [];
  const body = [printableLines(text).trim(), ...listed].join("\n");
  // The bar tells what an agent wrote from what we say.
  const all = wrapText(body, columns - 2).map((line) => `│ ${line}`);
  const fitting = Math.max(2, linesMax);
  const missing = all.length - fitting + 1;
  const lines =
    missing <= 1
      ? all
      : [...all.slice(0, fitting - 1), `… ${missing} more lines; \`--no-color\` or the inspector shows all`];
  const hint =
    kind === "question"
      ? "type an answer or a number, Enter sends it"
      : "y, n, or with a note (n: why); Enter sends it";
  return { id, kind, title: `${kind} of ${printable(from)}${waiting}`, lines, hint };
}

/** Lays a session out for a terminal of this size. One row stays free, so that nothing scrolls. */
export function layOutFrame(source: FrameSource, { rows, columns }: Size): LiveFrame {
  const { status, nowMs, startedAtMs, models } = source;
  const { members, messages } = status;
  const ask = askOf(source.asks, rows - 4 - askRowsMin - Math.min(members.length, membersMin), columns);
  const askRows = ask === null ? 0 : ask.lines.length + askRowsMin;
  // Title, summary, head of the table and the free row.
  const room = Math.max(0, rows - 4 - askRows);
  const eventsMax = Math.min(10, Math.floor(room / 4));
  const events = eventsMax === 0 ? [] : source.events.slice(-eventsMax);
  const { shown, hidden } = pick(members, room - events.length);
  const team =
    status.team === null ? "no team yet" : `${printable(status.team, { charactersMax: 64 })}: ${status.state}`;
  const tokens = members.reduce((sum, member) => sum + member.tokens, 0);
  const parts = [
    duration(nowMs - startedAtMs),
    ...(source.hasLead ? [`lead ${status.lead}`] : []),
    ...(members.length === 0 ? [] : [countBy(members)]),
    ...(status.tasks === undefined || status.tasks.length === 0 ? [] : [tasksText(status.tasks)]),
    `${messages.accepted} messages`,
    `${short(tokens)} tokens`,
  ];
  return {
    title: `${team}  (${models})`,
    summary: parts.join(" · "),
    rows: shown.map((member) => rowOf(member, nowMs)),
    more: hidden.length === 0 ? null : `+ ${hidden.length} more: ${countBy(hidden)}`,
    events,
    ask,
  };
}
