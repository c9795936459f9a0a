import type { SessionState } from "../machines/index.ts";
import type { TokenUse } from "./token-budget.ts";

/**
 * What an actor and its team have used, from the state alone, so that it holds after a takeover as well. The sum over a
 * team is taken only where `teamTokensMax` asks for it, once per model call.
 */
export function tokensUsed({ config, members, lead }: SessionState, token: string): TokenUse {
  const member = members.get(token)?.tokens ?? null;
  if (config === null || config.limits.teamTokensMax === 0) return { member, team: 0 };
  let team = lead.tokens;
  for (const { tokens } of members.values()) team += tokens;
  return { member, team };
}
