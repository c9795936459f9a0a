import type { FactReader } from "./facts.ts";
import type { LeadRecord, MemberRecord, SessionState } from "./state.ts";

/** Which runs must be alive is a function of the state alone; a reconciler makes reality match. */

/** A run that must be alive. `close` calls no model: it ends the open calls of an accepted `complete`. */
export interface DesiredRun {
  readonly actor: string;
  readonly epoch: number;
  readonly n: number;
  readonly kind: "work" | "close";
}

/** The run of a member, or null. */
export function desiredRun(session: SessionState, member: MemberRecord, facts: FactReader): DesiredRun | null {
  const { activity } = facts.member(member.snapshot);
  if (activity === null) return null;
  const kind = member.run.closing ? "close" : "work";
  return { actor: member.token, epoch: member.run.adopted ?? session.epoch, n: member.snapshot.context.run, kind };
}

/** The run of the lead, or null. */
export function desiredLeadRun(session: SessionState, lead: LeadRecord, facts: FactReader): DesiredRun | null {
  if (!facts.lead(lead.snapshot).live) return null;
  return { actor: "lead", epoch: lead.run.adopted ?? session.epoch, n: lead.snapshot.context.run, kind: "work" };
}

/** Every run that must be alive. */
export function desiredRuns(session: SessionState, facts: FactReader): DesiredRun[] {
  const runs = [...session.members.values()].map((member) => desiredRun(session, member, facts));
  return [desiredLeadRun(session, session.lead, facts), ...runs].filter((run) => run !== null);
}
