import type { JournalEntry } from "./conversation.ts";
import type { TokenLimit } from "./token-budget.ts";

/** A limit whose end is told before it comes. */
export type LandingLimit = TokenLimit | "stepsMax";

/** The part of the steps of a turn from which on their end is told. */
const landingShare = 0.8;

/** The limits of whose end a conversation has told. */
export const landingsOf = (journal: readonly JournalEntry[]): string[] =>
  journal.flatMap((entry) => {
    if (entry.type === "compacted") return entry.landings;
    return entry.type === "injected" && entry.landing !== undefined ? [entry.landing] : [];
  });

/** Decides when a model is told that a budget is about to run out: once per budget, however many calls are left. */
export class SoftLanding {
  readonly #told = new Set<string>();
  readonly #stepsAt: number;

  /** `journal` says what was told before this turn: tokens stay used, the steps of a turn are new. */
  constructor(journal: readonly JournalEntry[], stepsMax: number) {
    for (const limit of landingsOf(journal)) if (limit !== "stepsMax") this.#told.add(limit);
    this.#stepsAt = Math.max(1, Math.floor(stepsMax * landingShare));
  }

  /** The limit to tell of now, or null. */
  due(steps: number, tokens: TokenLimit | null): LandingLimit | null {
    const limit = tokens !== null && !this.#told.has(tokens) ? tokens : steps >= this.#stepsAt ? "stepsMax" : null;
    if (limit === null || this.#told.has(limit)) return null;
    this.#told.add(limit);
    return limit;
  }
}

/** What the model is told. */
export const landingText = (limit: LandingLimit): string =>
  `Your budget is about to run out (${limit}): deliver what you have with complete now, and say what is missing.`;
