import { nudgesMax } from "../member-events.ts";
import type { Draft } from "./draft.ts";
import { nameOf } from "./roster.ts";
import type { MemberRecord } from "./state.ts";

/** Why a member failed or was cancelled, `class: sentence`, from the input that made it so. */

const reasonMax = 600;

/** Who gave a command, as a sentence names it. */
function whoOf(draft: Draft): string {
  const { from } = draft.input;
  if (from === "user") return "the user";
  if (from !== "lead") return nameOf(draft, from);
  // Where nobody leads, the host gives the lead's commands.
  return draft.state.config?.lead === "none" ? "the host" : "the Lead";
}

const because = (reason: string | undefined): string => (reason === undefined || reason === "" ? "" : `: ${reason}`);

/** Why a member failed. */
export function failureReason(draft: Draft, member: MemberRecord): string {
  const { event } = draft.input;
  if (event.type === "run.failed") return event.reason;
  if (event.type === "run.lost") {
    return event.reason.startsWith("owner_lost") ? event.reason : `owner_lost: ${event.reason}`;
  }
  if (event.type === "member.interrupt")
    return `interrupted: by ${whoOf(draft)}${because(event.reason)}`.slice(0, reasonMax);
  if (event.type !== "turn.ended" && event.type !== "run.completed") return "interrupted: its run ended";
  const { lifetime, nudges } = member.snapshot.context;
  return lifetime === "oneshot" && nudges >= nudgesMax && member.unread.length === 0
    ? `no_report: it ended ${nudgesMax + 1} turns without calling complete`
    : "budget: it took all its turns without a result (turnsMax)";
}

/** Why a member was cancelled. */
export function cancelReason(draft: Draft, member: MemberRecord): string {
  return `interrupted: ${cancelSentence(draft, member)}`.slice(0, reasonMax);
}

function cancelSentence(draft: Draft, { token }: MemberRecord): string {
  const { record, input } = draft;
  const { event } = input;
  switch (event.type) {
    case "team.replan": {
      const reason = record.plan !== undefined && "rewire" in record.plan ? record.plan.reason : undefined;
      return `cancelled by ${whoOf(draft)}${because(reason)}`;
    }
    case "team.dissolve":
      return `the team was dissolved by ${whoOf(draft)}${because(event.reason)}`;
    case "session.closed":
      return "the session was closed";
    case "timer.due":
      return timeoutSentence(event.key);
    case "shutdown.replied":
      return event.accept ? "it was asked to shut down and agreed" : "it was asked to shut down a second time";
    default:
      return input.actor === token
        ? "it was asked to shut down"
        : `${nameOf(draft, input.actor)}, which it depends on, failed`;
  }
}

function timeoutSentence(key: string): string {
  if (key === "grace") return "the team was dissolved, and it had not stopped when the grace period was over";
  if (key.startsWith("shutdown:")) return "it was asked to shut down, and had not answered when its time was over";
  return "it was idle for as long as it may be, without having delivered";
}
