import type { EventLine, Session } from "../../index.ts";
import { printable } from "../printable.ts";

const textMax = 160;

const quoted = (text: string | null | undefined): string =>
  text === null || text === undefined || text === "" ? "" : `  "${printable(text, { charactersMax: textMax })}"`;

/** Says an event in one line, or null for one that people need not see. */
export type NotableEvents = (line: EventLine) => string | null;

type Say = (line: EventLine, session: Session) => string | null;

const taskOf = (event: EventLine["event"]): string =>
  `#${Number(event["task"])} ${printable(String(event["subject"]), { charactersMax: 80 })}`;

/** What is said of an input or post by its type; refused ones are here as well. */
const sayings: Readonly<Record<string, Say>> = {
  "message.send": ({ step, from, event, verdict }) => {
    if (step > 0) return null;
    const to = printable(String(event["to"]), { charactersMax: 80 });
    const size = verdict === "handled" ? `message, ${Number(event["bytes"])} bytes` : `message ${verdict}`;
    return `${printable(from)} -> ${to}  ${size}`;
  },
  "lead.prompt": ({ verdict }) => (verdict === "handled" ? "user -> Lead  prompt" : null),
  "team.create": ({ step, verdict, team }, session) => {
    if (step > 0) return null;
    if (verdict !== "handled") return "Team  not created";
    return `Team  created: ${session.status().members.length} members${quoted(team)}`;
  },
  "team.replan": ({ step, verdict }) => {
    if (step > 0) return null;
    return verdict === "handled" ? "Team  replanned" : `Team  replan ${verdict}`;
  },
  "team.invite": ({ step, verdict, event }) => {
    if (step > 0) return null;
    const agent = event["agent"];
    const name = typeof agent === "object" && agent !== null && "name" in agent ? String(agent.name) : "somebody";
    return verdict === "handled" ? `Team  ${printable(name)} joins` : `Team  invitation ${verdict}`;
  },
  "team.judged": ({ event, verdict }) =>
    verdict === "handled" ? `Team  ${printable(String(event["verdict"]))}` : null,
  "team.dissolved": ({ actor }, session) => (actor === "Lead" ? `Team  dissolved: ${session.status().state}` : null),
  "run.erred": ({ actor, event, verdict }) => {
    if (verdict !== "handled") return null;
    const seconds = (Number(event["retryInMs"]) / 1_000).toFixed(1);
    return `${printable(actor)}  tries again in ${seconds} s${quoted(String(event["reason"]))}`;
  },
  "permission.ask": ({ step, from, event, verdict }) =>
    step === 0 && verdict === "handled" ? `${printable(from)}  asks for ${printable(String(event["tool"]))}` : null,
  "permission.answer": ({ step, from, event, verdict }) => {
    if (step > 0 || verdict !== "handled") return null;
    return `${printable(from)}  ${event["approve"] === true ? "approves" : "denies"} a permission`;
  },
  "task.added": ({ from, event, verdict }) =>
    verdict === "handled" ? `${printable(from)}  adds ${taskOf(event)}` : null,
  "task.claimed": ({ event, verdict }) =>
    verdict === "handled" ? `${printable(String(event["owner"]))}  takes ${taskOf(event)}` : null,
  "task.updated": ({ event, verdict }) => {
    if (verdict !== "handled") return null;
    const owner = typeof event["owner"] === "string" ? ` (${printable(event["owner"])})` : "";
    const note = typeof event["note"] === "string" ? quoted(event["note"]) : "";
    return `${taskOf(event)}  ${printable(String(event["status"]))}${owner}${note}`;
  },
  "worktree.closed": ({ event, verdict }) =>
    verdict === "handled" && event["kept"] === true
      ? `${printable(String(event["member"]))}  leaves changes on ${printable(String(event["branch"]))}`
      : null,
  "plan.submit": ({ step, from, verdict }) =>
    step === 0 && verdict === "handled" ? `${printable(from)}  submits its plan` : null,
  "question.ask": ({ step, verdict }, session) => {
    if (step > 0 || verdict !== "handled") return null;
    return `Lead  asks the user${quoted(session.questions.at(-1)?.question)}`;
  },
  "turn.ended": ({ actor, verdict }, session) =>
    actor === "Lead" && verdict === "handled" ? `Lead  answers${quoted(session.answer)}` : null,
  "run.failed": ({ actor, event, verdict }) =>
    actor === "Lead" && verdict === "handled" ? `Lead  failed${quoted(String(event["reason"]))}` : null,
};

/** Follows a session and says what people want to know of it: changes of status, mail, plans, failures. */
export function notableEvents(session: Session): NotableEvents {
  const statuses = new Map<string, string>();
  return (line) => {
    const { actor, team, status, verdict, event } = line;
    if (verdict === "error")
      return `${printable(actor)}  kernel_error at ${printable(event.type)}; nothing was changed`;
    // A later team of the session may have a member of the same name.
    const key = `${team} ${actor}`;
    const before = statuses.get(key) ?? "blocked";
    if (status !== undefined && status !== before) {
      statuses.set(key, status);
      const member = session.member(actor);
      const attempt = status === "in_progress" && (member?.attempt ?? 1) > 1 ? `  (attempt ${member?.attempt})` : "";
      const why = status === "completed" ? member?.summary : status === "in_progress" ? null : member?.reason;
      return `${printable(actor)}  ${before} -> ${status}${attempt}${quoted(why)}`;
    }
    const say = Object.hasOwn(sayings, event.type) ? sayings[event.type] : undefined;
    return say?.(line, session) ?? null;
  };
}
