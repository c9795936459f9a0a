import type { SessionState } from "../../machines/index.ts";
import type { Spent, SpentBy } from "../model-run/call-budget.ts";

/**
 * What an actor and its team have used, from the state alone, so that it holds after a takeover as well. The sum over a
 * team is taken only where a limit asks for it, once per model call.
 */
export function spentBy({ config, members, lead }: SessionState, token: string): SpentBy {
  const own = members.get(token);
  const member: Spent | null = own === undefined ? null : { tokens: own.tokens, cost: own.cost };
  if (config === null || (config.limits.teamTokensMax === 0 && config.limits.teamCostMax === 0)) {
    return { member, team: { tokens: 0, cost: 0 } };
  }
  let { tokens, cost } = lead;
  for (const each of members.values()) {
    tokens += each.tokens;
    cost += each.cost;
  }
  return { member, team: { tokens, cost } };
}
