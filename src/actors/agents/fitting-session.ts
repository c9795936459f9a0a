import { TeamError } from "../../errors/index.ts";
import { membersInOrder, type MemberRecord, type SessionState } from "../../machines/index.ts";
import { nearestName } from "../../protocol/names.ts";
import type { LeadKind } from "../../protocol/session-config.ts";
import { agentOf } from "./agent-types.ts";
import type { AgentSource } from "./agent.ts";
import type { HostedLead } from "./hosted-lead.ts";
import type { Invitations } from "./invitations.ts";

/** The kind of a lead by how it is given. */
export const leadKind = (lead: HostedLead | "own" | undefined): LeadKind =>
  lead === undefined ? "none" : lead === "own" ? "own" : "hosted";

/** What a session that was found is opened with. */
interface Given {
  readonly session: string;
  readonly lead: LeadKind;
  readonly agents: ReadonlyMap<string, AgentSource>;
  readonly invitations: Pick<Invitations, "agentOf">;
}

const howToGive: Readonly<Record<LeadKind, string>> = {
  hosted: "lead: { model, ... }",
  own: 'lead: "own"',
  none: "no lead",
};

/**
 * Refuses to go on with a session that has ended (`fenced`), whose lead is of another kind (`bad_input`), or of whose
 * members one that may still work has an agent type that isn't given (`unknown_agent_type`) or is an invited agent that isn't
 * among those that may be invited (`not_invitable`): nothing has happened then.
 */
export function requireFitting(state: SessionState, { session, lead, agents, invitations }: Given): void {
  if (state.snapshot.value === "closed") {
    throw new TeamError("fenced", { reason: `the session "${session}" has ended`, closed: true });
  }
  const kind = state.config?.lead ?? "none";
  if (kind !== lead) {
    const problem = `the session "${session}" was opened with ${howToGive[kind]}, and this call gives ${howToGive[lead]}`;
    throw new TeamError("bad_input", { what: "lead", problem });
  }
  for (const member of membersInOrder(state)) {
    if (member.snapshot.matches({ presence: "shutdown" })) continue;
    // An invited agent has no type: it is one of its own.
    if (member.invited !== null) invitations.agentOf(member);
    else requireType(member, agents);
  }
}

function requireType({ name, agentType }: MemberRecord, agents: Given["agents"]): void {
  if (agentOf(agents, agentType) !== undefined) return;
  const known = [...agents.keys()];
  const nearest = nearestName(agentType, known);
  throw new TeamError("unknown_agent_type", { member: name, agentType, known, nearest });
}
