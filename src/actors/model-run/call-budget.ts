import type { ModelMessage } from "ai";
import { TeamError } from "../../errors/index.ts";
import type { Limits } from "../../protocol/limits.ts";
import { costOf, costParts, moneyOf, type Price } from "../../protocol/prices.ts";
import { estimateTextTokens } from "../models/estimate-tokens.ts";

/** A limit of what model calls use. */
export type SpendLimit = "memberTokensMax" | "teamTokensMax" | "memberCostMax" | "teamCostMax";

/** What was reported so far; cost in millionths of a unit of money. */
export interface Spent {
  readonly tokens: number;
  readonly cost: number;
}

/** What one caller has used, and its team; `member` is null for the lead and its sub-agents, who have no budget of their own. */
export interface SpentBy {
  readonly member: Spent | null;
  readonly team: Spent;
}

/** A prompt that is about to be sent: about how many tokens it has, and what they cost where that is known. */
export interface PromptSize {
  readonly tokens: number;
  readonly price: Price | null;
}

/** The budgets as one caller meets them. */
export interface CallBudget {
  /** Whether there is any: without one nothing has to be estimated. */
  readonly isLimited: boolean;
  /** Keeps room for a prompt; what it returns gives it back. Throws `budget_exceeded` when there is none. */
  reserve(prompt: PromptSize): () => void;
  /** A budget of which a prompt of this size would use 80 % or more, or null. */
  nearlyUsed(prompt: PromptSize): SpendLimit | null;
}

/** The part of a budget from which on its end is told. */
export const landingShare = 0.8;

/**
 * The budgets of one session for what model calls use. What a call under way will use is known only at its end, so its
 * prompt is reserved before it: each budget is overshot by one answer per call at most, however many begin at once.
 */
export class SessionBudget {
  readonly #limits: Pick<Limits, SpendLimit>;
  /** Prompts of calls under way. A member has one call at a time, so only the team's sum is needed. */
  #reserved: Spent = { tokens: 0, cost: 0 };

  constructor(limits: Pick<Limits, SpendLimit>) {
    this.#limits = limits;
  }

  /** The budgets of a caller who has used this much whenever it is asked. */
  for(spentBy: () => SpentBy): CallBudget {
    const { memberTokensMax, teamTokensMax, memberCostMax, teamCostMax } = this.#limits;
    const isLimited = memberTokensMax > 0 || teamTokensMax > 0 || memberCostMax > 0 || teamCostMax > 0;
    return {
      isLimited,
      reserve: (prompt) => {
        if (!isLimited) return () => {};
        const own = spendOf(prompt);
        const full = this.#rows(spentBy(), own).find(({ used, asked, max }) => used + asked > max);
        if (full !== undefined) {
          const { limit, used, max } = full;
          const shown = isCost(limit) ? { used: moneyOf(used), max: moneyOf(max) } : { used, max };
          throw new TeamError("budget_exceeded", { budget: limit, ...shown });
        }
        this.#add(own, 1);
        return () => this.#add(own, -1);
      },
      nearlyUsed: (prompt) => {
        const near = ({ used, asked, max }: Row): boolean => used + asked >= max * landingShare;
        return this.#rows(spentBy(), spendOf(prompt)).find(near)?.limit ?? null;
      },
    };
  }

  #add({ tokens, cost }: Spent, by: 1 | -1): void {
    this.#reserved = { tokens: this.#reserved.tokens + by * tokens, cost: this.#reserved.cost + by * cost };
  }

  #rows({ member, team }: SpentBy, own: Spent): Row[] {
    const { memberTokensMax, teamTokensMax, memberCostMax, teamCostMax } = this.#limits;
    const reserved = this.#reserved;
    const rows: Row[] = [];
    const add = (limit: SpendLimit, used: number, asked: number, max: number): void => {
      if (max > 0) rows.push({ limit, used, asked, max });
    };
    if (member !== null) add("memberTokensMax", member.tokens, own.tokens, memberTokensMax);
    add("teamTokensMax", team.tokens, reserved.tokens + own.tokens, teamTokensMax);
    if (member !== null) add("memberCostMax", member.cost, own.cost, memberCostMax * costParts);
    add("teamCostMax", team.cost, reserved.cost + own.cost, teamCostMax * costParts);
    return rows;
  }
}

interface Row {
  readonly limit: SpendLimit;
  readonly used: number;
  /** What is reserved and what is asked for now. */
  readonly asked: number;
  readonly max: number;
}

const isCost = (limit: SpendLimit): boolean => limit === "memberCostMax" || limit === "teamCostMax";

const spendOf = ({ tokens, price }: PromptSize): Spent => ({
  tokens,
  cost: price === null ? 0 : costOf({ input: tokens, output: 0 }, price),
});

/** About how many tokens a call's prompt has, without its tools. */
export const estimateCallTokens = (instructions: string, messages: readonly ModelMessage[]): number =>
  estimateTextTokens(instructions) + estimateTextTokens(JSON.stringify(messages));
