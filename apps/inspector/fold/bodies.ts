/** What is known of a body. */
export type Body =
  | { readonly state: "loading" }
  | { readonly state: "here"; readonly value: unknown }
  | { readonly state: "missing"; readonly why: string };

/** Fetches a body of the session; rejects with what went wrong. */
export type LoadBody = (digest: string) => Promise<unknown>;

const loading: Body = { state: "loading" };
/** Bodies kept; those that were fetched first are let go first, and are fetched again when they are asked for. */
const bodiesMax = 5_000;

/** Prompts, answers, results and mail, by digest. They come with a recording, or one by one when somebody looks at them. */
export class Bodies {
  readonly #known = new Map<string, Body>();
  readonly #observers = new Set<() => void>();
  #load: LoadBody | null = null;

  /** From where bodies come that are not here; null = from nowhere. Forgets those that were missing. */
  loadBy(load: LoadBody | null): void {
    this.#load = load;
    for (const [digest, body] of this.#known) if (body.state !== "here") this.#known.delete(digest);
    this.#tell();
  }

  /** Keeps one that came with a recording; these are never let go. */
  keep(digest: string, value: unknown): void {
    this.#known.set(digest, { state: "here", value });
  }

  /** What is known of it now; asking for one that isn't here starts to fetch it. The same object until that changes. */
  get(digest: string): Body {
    const known = this.#known.get(digest);
    if (known !== undefined) return known;
    if (this.#load === null)
      return this.#set(digest, { state: "missing", why: "The recording does not hold this text." });
    this.#known.set(digest, loading);
    this.#load(digest).then(
      (value) => this.#arrived(digest, { state: "here", value }),
      (fault: unknown) =>
        this.#arrived(digest, { state: "missing", why: fault instanceof Error ? fault.message : String(fault) }),
    );
    return loading;
  }

  clear(): void {
    this.#known.clear();
    this.#tell();
  }

  subscribe(observer: () => void): () => void {
    this.#observers.add(observer);
    return () => void this.#observers.delete(observer);
  }

  #arrived(digest: string, body: Body): void {
    this.#set(digest, body);
    if (this.#known.size > bodiesMax)
      for (const first of this.#known.keys()) {
        this.#known.delete(first);
        break;
      }
    this.#tell();
  }

  #set(digest: string, body: Body): Body {
    this.#known.set(digest, body);
    return body;
  }

  #tell(): void {
    for (const observer of this.#observers) observer();
  }
}
