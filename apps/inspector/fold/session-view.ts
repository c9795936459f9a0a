import {
  memberStatus,
  messageCounts,
  projectStatus,
  type FactReader,
  type MemberRecord,
  type SessionState,
} from "teamchart/machines";
import type { MemberStatus, MessageCounts, TeamStatus } from "teamchart/protocol";

/** The status of a session as a service tells it, without what only bodies know. */
export interface SessionView extends TeamStatus {
  readonly lead: string;
  readonly messages: MessageCounts;
}

/** How a whole session stands. */
export const viewOf = (session: SessionState, facts: FactReader): SessionView => ({
  ...projectStatus(session, facts, () => undefined, { changed: true, caller: "lead" }),
  lead: facts.lead(session.lead.snapshot).turn,
  messages: messageCounts(session),
});

/** How one member stands: what a row of the roster shows. */
export const rowOf = (session: SessionState, member: MemberRecord, facts: FactReader): MemberStatus =>
  memberStatus(session, member, facts, () => undefined);
