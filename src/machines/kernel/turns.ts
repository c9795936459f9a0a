import type { MemberRecord, SessionState } from "./state.ts";

/** The turns of a member from a start or wake to the next idle: what its agent says, else what the limits say. */
export function turnsMaxOf({ config }: Pick<SessionState, "config">, { agentType, invited }: MemberRecord): number {
  const own = invited === null ? config?.agentTypes.find(({ name }) => name === agentType)?.turnsMax : invited.turnsMax;
  return own ?? config?.limits.turnsMax ?? Infinity;
}
