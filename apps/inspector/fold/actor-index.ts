import type { Entry } from "./entry.ts";

const none: readonly number[] = [];

/** Where on the timeline each actor took part, and which of its inputs make its conversation. */
export class ActorIndex {
  readonly #touched = new Map<string, number[]>();
  readonly #spoken = new Map<string, number[]>();
  #differences: number[] = [];

  /** Indexes of the entries that a step of this actor belongs to, ascending. */
  of(token: string): readonly number[] {
    return this.#touched.get(token) ?? none;
  }

  /** Indexes of the inputs that this actor's conversation is made of. */
  conversationOf(token: string): readonly number[] {
    return this.#spoken.get(token) ?? none;
  }

  /** Indexes of the entries that were recorded otherwise. */
  get differences(): readonly number[] {
    return this.#differences;
  }

  clear(): void {
    this.#touched.clear();
    this.#spoken.clear();
    this.#differences = [];
  }

  append({ record, steps, verdict, difference }: Entry, index: number): void {
    const { actor, event } = record.input;
    for (const step of steps) add(this.#touched, step.actor, index);
    add(this.#touched, actor, index);
    if (isSpoken(event.type) && (verdict === "handled" || verdict === "ignored")) add(this.#spoken, actor, index);
    if (difference !== null) this.#differences.push(index);
  }
}

const spoken: ReadonlySet<string> = new Set([
  "run.injected",
  "run.answered",
  "run.compacted",
  "tool.started",
  "tool.ended",
  "run.erred",
  "run.retried",
  "run.failed",
  "run.lost",
  "run.completed",
  "turn.ended",
  "lead.prompt",
  "lead.injected",
  "work.complete",
  "plan.submit",
]);
const isSpoken = (type: string): boolean => spoken.has(type);

function add(table: Map<string, number[]>, key: string, index: number): void {
  const list = table.get(key);
  if (list === undefined) table.set(key, [index]);
  else if (list.at(-1) !== index) list.push(index);
}

/** How many of ascending numbers are below a limit. */
export function countBelow(list: readonly number[], limit: number): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((list[middle] ?? 0) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
