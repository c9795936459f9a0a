import { memberByName, type FactReader, type MemberRecord, type SessionState } from "teamchart/machines";
import type { AnyMachineSnapshot } from "xstate";

/** The kinds of actors a session has. */
export type ActorKind = "session" | "lead" | "team" | "member";

/** An actor of a session, as one looks at it. */
export interface ActorRef {
  readonly kind: ActorKind;
  readonly token: string;
  readonly name: string;
}

/** The actor of a display name; null when nobody is called so. */
export function actorByName(session: SessionState, name: string): ActorRef | null {
  if (name === "session") return { kind: "session", token: "session", name };
  if (name === "Lead") return { kind: "lead", token: "lead", name };
  if (name === "Team") return session.team === null ? null : { kind: "team", token: session.team.token, name };
  const member = memberByName(session, name);
  return member === undefined ? null : { kind: "member", token: member.token, name: member.name };
}

/** The actor's machine, where it is; undefined when there is none of this token. */
export function snapshotOf(session: SessionState, token: string): AnyMachineSnapshot | undefined {
  if (token === "session") return session.snapshot;
  if (token === "lead") return session.lead.snapshot;
  if (session.team?.token === token) return session.team.snapshot;
  return session.members.get(token)?.snapshot;
}

/** A state as people are shown it: one of five, whatever kind of actor it is. */
export type Mark = "blocked" | "in_progress" | "completed" | "failed" | "cancelled";

/** The order in which states are listed. */
export const marks: readonly Mark[] = ["failed", "in_progress", "blocked", "completed", "cancelled"];

/** What a state is called. */
export const markText: Readonly<Record<Mark, string>> = {
  blocked: "Blocked",
  in_progress: "In progress",
  completed: "Completed",
  failed: "Failed",
  cancelled: "Cancelled",
};

/** A member's work state; a member that waits for somebody's word counts as at work. */
export const memberMark = (member: MemberRecord, facts: FactReader): Mark => facts.member(member.snapshot).work;

/** A team's state as one of the five. */
export function teamMark(state: string): Mark {
  if (state === "running" || state === "dissolving" || state === "forming") return "in_progress";
  if (state === "stalled") return "blocked";
  if (state === "finished" || state === "completed") return "completed";
  return state === "failed" || state === "rejected" ? "failed" : "cancelled";
}

/** A lead's turn as one of the five. */
export function leadMark(turn: string): Mark {
  if (turn === "waiting_user" || turn === "ended" || turn === "awaiting_team" || turn === "asking_user")
    return "blocked";
  return turn === "shutdown" ? "cancelled" : "in_progress";
}

/** A wire value as words. */
export const words = (value: string): string => value.replaceAll("_", " ");
