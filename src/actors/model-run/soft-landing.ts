import { landingShare, type SpendLimit } from "./call-budget.ts";
import type { JournalEntry } from "./conversation.ts";

/** A limit whose end is told before it comes. */
export type LandingLimit = SpendLimit | "attemptMs" | "teamMs" | "turnsMax" | "stepsMax";

/** What a turn is held to beside what its calls use. */
export interface TurnLimits {
  readonly stepsMax: number;
  /** A limit of time that is nearly over, or null. */
  readonly nearTime: () => "attemptMs" | "teamMs" | null;
  /** Whether the turns are nearly used up. */
  readonly nearTurns: () => boolean;
}

/** Limits that begin anew with a turn, a wake or an attempt: of each the end is told once a turn. */
const renewed: ReadonlySet<string> = new Set<LandingLimit>(["stepsMax", "turnsMax", "attemptMs"]);

/** The limits of whose end a conversation has told. */
export const landingsOf = (journal: readonly JournalEntry[]): string[] =>
  journal.flatMap((entry) => {
    if (entry.type === "compacted") return entry.landings;
    return entry.type === "injected" && entry.landing !== undefined ? [entry.landing] : [];
  });

/** Decides when a model is told that a budget is about to run out: once per budget, however many calls are left. */
export class SoftLanding {
  readonly #told = new Set<string>();
  readonly #limits: TurnLimits;
  readonly #stepsAt: number;

  /** `journal` says what was told before this turn: what was used up stays so, the steps of a turn are new. */
  constructor(journal: readonly JournalEntry[], limits: TurnLimits) {
    for (const limit of landingsOf(journal)) if (!renewed.has(limit)) this.#told.add(limit);
    this.#limits = limits;
    this.#stepsAt = Math.max(1, Math.floor(limits.stepsMax * landingShare));
  }

  /** The limit to tell of now, or null; `spend` is the one that the next call would nearly use up. */
  due(steps: number, spend: SpendLimit | null): LandingLimit | null {
    const near: readonly (LandingLimit | null)[] = [
      spend,
      this.#limits.nearTime(),
      this.#limits.nearTurns() ? "turnsMax" : null,
      steps >= this.#stepsAt ? "stepsMax" : null,
    ];
    const limit = near.find((each) => each !== null && !this.#told.has(each)) ?? null;
    if (limit !== null) this.#told.add(limit);
    return limit;
  }
}

/** What the model is told. */
export const landingText = (limit: LandingLimit): string =>
  `Your budget is about to run out (${limit}): deliver what you have with complete now, and say what is missing.`;
