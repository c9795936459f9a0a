import type { BudgetTable } from "./budgets.ts";
import { roomFor, TupleTable } from "./tuple-table.ts";

/**
 * The states that were met: their keys, what was left of the budgets, and how each was reached first. Where only what can
 * happen matters, a state is taken for one with the same key and more left: whatever follows from it follows there too.
 */
export class StateGraph {
  readonly #keys = new TupleTable();
  readonly #budgets: BudgetTable;
  readonly #isExact: boolean;
  #parents = new Int32Array(1 << 10);
  /** Which of the parent's moves led here. */
  #moves = new Int32Array(1 << 10);
  #left = new Int32Array(1 << 10);
  /** The state with the same key that was met before; -1 = none. */
  #before = new Int32Array(1 << 10);
  /** Per key, the state that was met last. */
  #last = new Int32Array(1 << 10);
  #count = 0;
  /** Whether the last `add` met a key for the first time. */
  isNewKey = false;
  /** Whether the last `add` made a new state. */
  isNew = false;

  /** `isExact` keeps states with different budgets apart, as liveness needs it. */
  constructor(budgets: BudgetTable, isExact: boolean) {
    this.#budgets = budgets;
    this.#isExact = isExact;
  }

  get size(): number {
    return this.#count;
  }

  /** Bytes in use by the tables. */
  get bytes(): number {
    const arrays = [this.#parents, this.#moves, this.#left, this.#before, this.#last];
    return this.#keys.bytes + arrays.reduce((sum, { byteLength }) => sum + byteLength, 0);
  }

  /** The state of this key and these budgets, new or met before. */
  add(key: Int32Array, length: number, left: number, parent: number, move: number): number {
    const before = this.#keys.size;
    const number = this.#keys.add(key, length);
    this.isNewKey = number === before;
    const last = this.isNewKey ? -1 : (this.#last[number] ?? -1);
    for (let state = last; state >= 0; state = this.#before[state] ?? -1) {
      const known = this.#left[state] ?? 0;
      if (known !== left && (this.#isExact || !this.#budgets.covers(known, left))) continue;
      this.isNew = false;
      return state;
    }
    this.isNew = true;
    return this.#append(number, last, left, parent, move);
  }

  #append(key: number, before: number, left: number, parent: number, move: number): number {
    const state = this.#count++;
    this.#parents = roomFor(this.#parents, this.#count);
    this.#moves = roomFor(this.#moves, this.#count);
    this.#left = roomFor(this.#left, this.#count);
    this.#before = roomFor(this.#before, this.#count);
    this.#last = roomFor(this.#last, key + 1);
    this.#parents[state] = parent;
    this.#moves[state] = move;
    this.#left[state] = left;
    this.#before[state] = before;
    this.#last[key] = state;
    return state;
  }

  /** What is left of the budgets in a state. */
  left(state: number): number {
    return this.#left[state] ?? 0;
  }

  /** Indices of the moves that lead to a state, with what was left before each. */
  pathTo(state: number): { readonly left: number; readonly move: number }[] {
    const path: { left: number; move: number }[] = [];
    for (let at = state; (this.#parents[at] ?? -1) >= 0; at = this.#parents[at] ?? -1)
      path.push({ left: this.left(this.#parents[at] ?? 0), move: this.#moves[at] ?? 0 });
    return path.toReversed();
  }
}
