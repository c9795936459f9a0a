import type { Draft } from "./draft.ts";
import type { FactReader } from "./facts.ts";
import type { SessionState } from "./state.ts";

/** How somebody stands to the rest: who still takes mail, and whether the team is being dissolved. */

/** From the dissolve on, members neither send nor get messages. */
export const isDissolving = (draft: Draft): boolean => isGoing(draft.state, draft.facts);

/** Whether a session's team is being dissolved, or is dissolved. */
export function isGoing({ team }: Pick<SessionState, "team">, facts: FactReader): boolean {
  if (team === null) return false;
  const state = facts.team(team.snapshot);
  return state !== "running" && state !== "stalled" && state !== "finished" && state !== "forming";
}

/** Whether a member still takes mail: not failed, draining or shut down. */
export function isOpen(draft: Draft, token: string): boolean {
  const { work, presence } = draft.memberFacts(token);
  return work !== "failed" && presence !== "draining" && presence !== "shutdown";
}

/** The state that a receipt names. */
export function statusOf(draft: Draft, token: string): string {
  if (token === "lead") return draft.facts.lead(draft.lead.snapshot).turn;
  const { work, presence } = draft.memberFacts(token);
  return work === "blocked" || work === "failed" || presence === "parked" ? work : presence;
}
