import { moneyOf } from "../../protocol/prices.ts";
import type { BudgetUse } from "../../protocol/status.ts";
import type { FactReader } from "./facts.ts";
import type { MemberRecord, SessionState } from "./state.ts";
import { turnsMaxOf } from "./turns.ts";

/** What is used of the budgets, as people see it: pure projections of the state. */

type Configured = Pick<SessionState, "config">;

/** The steps of one turn of a member: what its agent says, at most those of the limits; 0 = a function has none. */
function stepsMaxOf({ config }: Configured, { agentType, invited }: MemberRecord): number {
  const max = config?.limits.stepsMax ?? Infinity;
  if (invited !== null) return Math.min(invited.stepsMax ?? max, max);
  const type = config?.agentTypes.find(({ name }) => name === agentType);
  return type?.kind === "function" ? 0 : Math.min(type?.stepsMax ?? max, max);
}

/** One budget; nothing where there is no limit. */
function use(limit: BudgetUse["limit"], used: number, max: number): BudgetUse[] {
  if (max === 0 || !Number.isFinite(max)) return [];
  return [{ limit, used, max, share: Math.round((used / max) * 1_000) / 1_000 }];
}

/** What a member has used of what it may; steps, turns and time only while it works. `now`: ms of the wall clock. */
export function memberBudgets(
  session: SessionState,
  member: MemberRecord,
  facts: FactReader,
  now: number,
): BudgetUse[] {
  const limits = session.config?.limits;
  if (limits === undefined) return [];
  const { work, activity } = facts.member(member.snapshot);
  const isLive = activity !== null;
  return [
    ...use("memberTokensMax", member.tokens, limits.memberTokensMax),
    ...use("memberCostMax", moneyOf(member.cost), limits.memberCostMax),
    ...(isLive && work === "in_progress" ? use("attemptMs", Math.max(0, now - member.since), limits.attemptMs) : []),
    ...(isLive ? use("stepsMax", member.run.steps, stepsMaxOf(session, member)) : []),
    ...(isLive ? use("turnsMax", member.turn.turns, turnsMaxOf(session, member)) : []),
  ];
}

/** What the team and its lead have used together of what they may. */
export function teamBudgets({ config, team, lead, members }: SessionState, now: number): BudgetUse[] {
  if (config === null) return [];
  const { teamTokensMax, teamCostMax, teamMs } = config.limits;
  let [tokens, cost] = [lead.tokens, lead.cost];
  if (teamTokensMax > 0 || teamCostMax > 0) {
    for (const member of members.values()) {
      tokens += member.tokens;
      cost += member.cost;
    }
  }
  return [
    ...use("teamTokensMax", tokens, teamTokensMax),
    ...use("teamCostMax", moneyOf(cost), teamCostMax),
    ...(team === null ? [] : use("teamMs", Math.max(0, now - team.createdAt), teamMs)),
  ];
}
