import { messageCounts, type FactReader, type SessionState } from "../../machines/index.ts";
import type { SessionSummary } from "../../protocol/service-api.ts";

/** A session in the list of sessions. */
export function summaryOf(
  state: SessionState,
  facts: FactReader,
  { id, isClosed }: { readonly id: string; readonly isClosed: boolean },
): SessionSummary {
  const { config, lead, team, requests, revision, at } = state;
  return {
    id,
    state: isClosed ? "closed" : "open",
    lead: { kind: config?.lead ?? "none", status: facts.lead(lead.snapshot).turn },
    team:
      team === null
        ? null
        : { name: team.name, state: facts.team(team.snapshot), revision, members: team.counts.total },
    pendingRequests: requests.length,
    unread: messageCounts(state).unread,
    updatedAt: at,
  };
}
