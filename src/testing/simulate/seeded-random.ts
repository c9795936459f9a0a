/**
 * Chance that a seed decides: the same seed and the same questions give the same answers, on every machine. A `fork` is a
 * stream of its own, so that one more question to the one changes nothing of what the other answers.
 */
export class SeededRandom {
  readonly #seed: number;
  #state: number;

  constructor(seed: number) {
    this.#seed = seed >>> 0;
    this.#state = this.#seed;
  }

  /** A number from 0 up to 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** A whole number from `from` to `to`, both included. */
  int(from: number, to: number): number {
    return from + Math.floor(this.next() * (to - from + 1));
  }

  /** True with this probability. */
  chance(probability: number): boolean {
    return this.next() < probability;
  }

  /** One of the values, of which there must be one. */
  pick<Value>(values: readonly Value[]): Value {
    const value = values[this.int(0, values.length - 1)];
    if (value === undefined) throw new RangeError("there is nothing to pick from");
    return value;
  }

  /** The values that chance keeps, in their order. */
  some<Value>(values: readonly Value[], probability: number): readonly Value[] {
    return values.filter(() => this.chance(probability));
  }

  /** A stream of its own for what this label names. */
  fork(label: string): SeededRandom {
    let hash = 0x811c9dc5 ^ this.#seed;
    for (let at = 0; at < label.length; at++) hash = Math.imul(hash ^ label.charCodeAt(at), 0x01000193);
    return new SeededRandom(hash ^ (hash >>> 13));
  }
}
