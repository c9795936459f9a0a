/** Small numbers for texts: the same number for the same text, and for objects that were seen before without their text. */
export class Interner {
  readonly #numbers = new Map<string, number>();

  number(text: string): number {
    let number = this.#numbers.get(text);
    if (number === undefined) this.#numbers.set(text, (number = this.#numbers.size));
    return number;
  }
}

/** Numbers for objects that are never changed in place: worked out once for each object. */
export class ObjectNumbers<Value extends object> {
  readonly #known = new WeakMap<Value, number>();
  readonly #of: (value: Value) => number;

  constructor(of: (value: Value) => number) {
    this.#of = of;
  }

  number(value: Value): number {
    let number = this.#known.get(value);
    if (number === undefined) this.#known.set(value, (number = this.#of(value)));
    return number;
  }
}
