import type { SeededRandom } from "./seeded-random.ts";

/** How bad a way to the store is; probabilities are per request or delivery. */
export interface LinkQuality {
  /** Longest delay of one way, in ms. */
  readonly delayMaxMs: number;
  /** A request is lost on its way there. */
  readonly lost: number;
  /** It was done, and the word of that is lost. */
  readonly unconfirmed: number;
  /** It arrives twice. */
  readonly duplicate: number;
  /** A delivery to a follower is lost. */
  readonly dropped: number;
  /** A request takes `slowMs`. */
  readonly slow: number;
  readonly slowMs: number;
}

/** A way without faults, and with some delay. */
export const calmLink: LinkQuality = {
  delayMaxMs: 5,
  lost: 0,
  unconfirmed: 0,
  duplicate: 0,
  dropped: 0,
  slow: 0,
  slowMs: 0,
};

/** What becomes of one request. */
export interface RequestFate {
  readonly toMs: number;
  readonly backMs: number;
  readonly loss: "request" | "confirmation" | null;
  readonly isDoubled: boolean;
}

/** Decides by chance what becomes of what is sent, at the quality that the link has at that moment. */
export class LinkFates {
  readonly #random: SeededRandom;
  readonly #quality: () => LinkQuality;
  readonly #counts: Map<string, number>;

  /** `counts` says how often which fault came. */
  constructor(random: SeededRandom, quality: () => LinkQuality, counts = new Map<string, number>()) {
    this.#random = random;
    this.#quality = quality;
    this.#counts = counts;
  }

  request(): RequestFate {
    const { lost, unconfirmed, duplicate, slow, slowMs } = this.#quality();
    const loss = this.#happens("lost", lost)
      ? "request"
      : this.#happens("unconfirmed", unconfirmed)
        ? "confirmation"
        : null;
    const slowness = this.#happens("slow", slow) ? slowMs : 0;
    const isDoubled = this.#happens("duplicate", duplicate);
    return { toMs: this.#delay() + slowness, backMs: this.#delay(), loss, isDoubled };
  }

  delivery(): { readonly ms: number; readonly isDropped: boolean; readonly isDoubled: boolean } {
    const { dropped, duplicate } = this.#quality();
    return {
      ms: this.#delay(),
      isDropped: this.#happens("dropped", dropped),
      isDoubled: this.#happens("duplicate", duplicate),
    };
  }

  #delay(): number {
    return this.#random.int(0, this.#quality().delayMaxMs);
  }

  #happens(fault: string, probability: number): boolean {
    if (probability === 0 || !this.#random.chance(probability)) return false;
    this.#counts.set(fault, (this.#counts.get(fault) ?? 0) + 1);
    return true;
  }
}
