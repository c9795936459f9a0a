/** What the model of an actor is just saying: it is never stored, and the journalled answer takes its place. */
export interface TokenStream {
  readonly run: number;
  readonly text: string;
}

/** Characters of a stream that are kept: its end. */
const charsMax = 20_000;

/** The token streams of live runs, by the display name of their actor. */
export class TokenStreams {
  readonly #streams = new Map<string, TokenStream>();
  readonly #observers = new Set<() => void>();
  #dropped = 0;

  /** Pieces that the service had to leave out, because this page was too slow. */
  get dropped(): number {
    return this.#dropped;
  }

  get(actor: string): TokenStream | undefined {
    return this.#streams.get(actor);
  }

  add(actor: string, run: number, text: string): void {
    const before = this.#streams.get(actor);
    const whole = before?.run === run ? before.text + text : text;
    this.#streams.set(actor, { run, text: whole.length > charsMax ? whole.slice(-charsMax) : whole });
    this.tell();
  }

  drop(count: number): void {
    this.#dropped += count;
    this.tell();
  }

  /** What an actor said is journalled now, or its run is over. */
  end(actor: string): void {
    if (this.#streams.delete(actor)) this.tell();
  }

  clear(): void {
    this.#streams.clear();
    this.tell();
  }

  subscribe(observer: () => void): () => void {
    this.#observers.add(observer);
    return () => void this.#observers.delete(observer);
  }

  tell(): void {
    for (const observer of this.#observers) observer();
  }
}
