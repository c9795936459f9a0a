import { canonicalJson, digestOf } from "../owner/body-store.ts";

/** Digits of a digest that tell the calls of one run apart. */
const digestLength = 16;

/**
 * Ids of what a function asks its session for. They are made of what is asked, and of how often that was asked before in
 * this run: a run that takes the place of a lost one repeats what it repeats, and is given the first reply; whatever it
 * does otherwise is something else.
 */
export class FunctionCalls {
  readonly #counts = new Map<string, number>();

  /** The id of the next call that asks for this. */
  next(kind: "send" | "task", asked: unknown): string {
    const key = `${kind}-${digestOf(canonicalJson(asked)).slice(0, digestLength)}`;
    const count = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, count);
    return count === 1 ? key : `${key}-${count}`;
  }
}
