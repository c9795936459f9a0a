import { membersInOrder, type Mail, type SessionState } from "../../machines/index.ts";
import { LEAD } from "../../protocol/names.ts";
import type { MailboxDepth } from "./session-source.ts";

const depthOf = (actor: string, unread: readonly Mail[]): MailboxDepth => ({
  actor,
  unread: unread.length,
  bytes: unread.reduce((sum, { bytes }) => sum + bytes, 0),
  oldestAt: unread[0]?.at ?? null,
});

/** What the mailboxes of a session hold: the lead's, and its members' in the order of their declaration. */
export const mailboxesOf = (state: SessionState): readonly MailboxDepth[] => [
  depthOf(LEAD, state.lead.unread),
  ...membersInOrder(state).map(({ name, unread }) => depthOf(name, unread)),
];
