import type { ModelMessage } from "ai";
import { TeamError } from "../errors/index.ts";
import type { Limits } from "../protocol/limits.ts";
import { estimateTextTokens } from "./models/estimate-tokens.ts";

/** A limit of tokens. */
export type TokenLimit = "memberTokensMax" | "teamTokensMax";

/** Tokens that were reported so far; `member` is null for the lead and its sub-agents, who have no budget of their own. */
export interface TokenUse {
  readonly member: number | null;
  readonly team: number;
}

/** The budgets as one caller meets them. */
export interface CallBudget {
  /** Whether there is any: without one nothing has to be estimated. */
  readonly isLimited: boolean;
  /** Keeps room for a prompt; what it returns gives it back. Throws `budget_exceeded` when there is none. */
  reserve(promptTokens: number): () => void;
  /** A budget of which a prompt of this size would use 80 % or more, or null. */
  nearlyUsed(promptTokens: number): TokenLimit | null;
}

/** The part of a budget from which on its end is told. */
const landingShare = 0.8;

/**
 * The token budgets of one session. What a call under way will cost is known only at its end, so its prompt is reserved
 * before it: each budget is overshot by one answer per call at most, however many begin at once.
 */
export class TokenBudget {
  readonly #limits: Pick<Limits, TokenLimit>;
  /** Prompts of calls under way. A member has one call at a time, so only the team's sum is needed. */
  #reserved = 0;

  constructor(limits: Pick<Limits, TokenLimit>) {
    this.#limits = limits;
  }

  /** The budgets of a caller who has used this much whenever it is asked. */
  for(useOf: () => TokenUse): CallBudget {
    const { memberTokensMax, teamTokensMax } = this.#limits;
    const isLimited = memberTokensMax > 0 || teamTokensMax > 0;
    return {
      isLimited,
      reserve: (promptTokens) => {
        if (!isLimited) return () => {};
        const full = this.#rows(useOf()).find(({ used, reserved, max }) => used + reserved + promptTokens > max);
        if (full !== undefined) {
          throw new TeamError("budget_exceeded", { budget: full.limit, used: full.used, max: full.max });
        }
        this.#reserved += promptTokens;
        return () => (this.#reserved -= promptTokens);
      },
      nearlyUsed: (promptTokens) => {
        const near = ({ used, reserved, max }: Row): boolean => used + reserved + promptTokens >= max * landingShare;
        return this.#rows(useOf()).find(near)?.limit ?? null;
      },
    };
  }

  #rows({ member, team }: TokenUse): Row[] {
    const { memberTokensMax, teamTokensMax } = this.#limits;
    const rows: Row[] = [];
    if (member !== null && memberTokensMax > 0) {
      rows.push({ limit: "memberTokensMax", used: member, reserved: 0, max: memberTokensMax });
    }
    if (teamTokensMax > 0) {
      rows.push({ limit: "teamTokensMax", used: team, reserved: this.#reserved, max: teamTokensMax });
    }
    return rows;
  }
}

interface Row {
  readonly limit: TokenLimit;
  readonly used: number;
  readonly reserved: number;
  readonly max: number;
}

/** About how many tokens a call's prompt has, without its tools. */
export const estimateCallTokens = (instructions: string, messages: readonly ModelMessage[]): number =>
  estimateTextTokens(instructions) + estimateTextTokens(JSON.stringify(messages));
