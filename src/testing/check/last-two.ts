/** One answer, and what it was worked out from. */
interface Known<Value, Live, Beside> {
  value: Value;
  live: Live;
  beside: Beside;
  number: number;
}

/**
 * The numbers of the two values that were asked for last, by identity, with what else they depend on. A search comes back
 * to the state before after each of its steps, so of each part of a session there are two to be known: as it was, and as the
 * step has made it.
 */
export class LastTwo<Value extends object, Live, Beside> {
  readonly #of: (value: Value, live: Live, beside: Beside) => number;
  #last: Known<Value, Live, Beside> | null = null;
  #other: Known<Value, Live, Beside> | null = null;

  constructor(of: (value: Value, live: Live, beside: Beside) => number) {
    this.#of = of;
  }

  number(value: Value, live: Live, beside: Beside): number {
    const [last, other] = [this.#last, this.#other];
    if (last?.value === value && last.live === live && last.beside === beside) return last.number;
    this.#last = other;
    this.#other = last;
    if (other?.value === value && other.live === live && other.beside === beside) return other.number;
    const number = this.#of(value, live, beside);
    if (other === null) this.#last = { value, live, beside, number };
    else [other.value, other.live, other.beside, other.number] = [value, live, beside, number];
    return number;
  }
}
