import type { Draft } from "./draft.ts";

/** How somebody stands to the rest: who still takes mail, and whether the team is being dissolved. */

/** From the dissolve on, members neither send nor get messages. */
export function isDissolving(draft: Draft): boolean {
  const { team } = draft.state;
  if (team === null) return false;
  const state = draft.facts.team(team.snapshot);
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
