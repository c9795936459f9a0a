import type { SessionState } from "../../machines/index.ts";
import type { Problem } from "./judge.ts";
import type { StateProperty } from "./properties.ts";
import type { Search } from "./search.ts";
import { roomFor } from "./tuple-table.ts";

/** Whether something can be made true from every state: collects the edges, then goes backwards from where it is true. */
export class Reachability {
  readonly #search: Search;
  readonly #properties: readonly (readonly [string, StateProperty])[];
  /** Per property, the states in which it is true. */
  readonly #true: number[][];
  #from = new Int32Array(1 << 10);
  #to = new Int32Array(1 << 10);
  #edges = 0;
  #states = 0;

  constructor(search: Search, properties: readonly (readonly [string, StateProperty])[]) {
    this.#search = search;
    this.#properties = properties;
    this.#true = properties.map(() => []);
  }

  state(state: number, session: SessionState, ghost: unknown): void {
    this.#states = state + 1;
    for (const [index, [name, holds]] of this.#properties.entries())
      if (this.#search.judge.isTrue(name, holds, session, ghost)) this.#true[index]?.push(state);
    if (this.#properties.length > 0) this.#search.checkNames();
  }

  edge(from: number, to: number): void {
    if (this.#properties.length === 0) return;
    this.#from = roomFor(this.#from, this.#edges + 1);
    this.#to = roomFor(this.#to, this.#edges + 1);
    this.#from[this.#edges] = from;
    this.#to[this.#edges++] = to;
  }

  /** The first state from which a property can never be made true, or null. Asked when everything was explored. */
  violation(): { readonly state: number; readonly problem: Problem } | null {
    for (const [index, [property]] of this.#properties.entries()) {
      const reaches = this.#backwards(this.#true[index] ?? []);
      const state = reaches.indexOf(0);
      if (state < 0) continue;
      const text = "from here it can never be made true";
      return { state, problem: { property, kind: "alwaysPossible", text } };
    }
    return null;
  }

  /** 1 for every state that leads to one of these. */
  #backwards(targets: readonly number[]): Uint8Array {
    const { starts, sources } = this.#incoming();
    const reaches = new Uint8Array(this.#states);
    const queue = [...targets];
    for (const state of queue) reaches[state] = 1;
    // The queue grows while it is walked.
    for (const state of queue) {
      for (let at = starts[state] ?? 0; at < (starts[state + 1] ?? 0); at++) {
        const source = sources[at] ?? 0;
        if (reaches[source] === 1) continue;
        reaches[source] = 1;
        queue.push(source);
      }
    }
    return reaches;
  }

  /** Edges by the state they lead to. */
  #incoming(): { readonly starts: Int32Array; readonly sources: Int32Array } {
    const starts = new Int32Array(this.#states + 2);
    for (let edge = 0; edge < this.#edges; edge++) {
      const slot = (this.#to[edge] ?? 0) + 2;
      starts[slot] = (starts[slot] ?? 0) + 1;
    }
    for (let state = 2; state < starts.length; state++) starts[state] = (starts[state] ?? 0) + (starts[state - 1] ?? 0);
    const sources = new Int32Array(this.#edges);
    for (let edge = 0; edge < this.#edges; edge++) {
      const slot = (this.#to[edge] ?? 0) + 1;
      const at = starts[slot] ?? 0;
      sources[at] = this.#from[edge] ?? 0;
      starts[slot] = at + 1;
    }
    return { starts, sources };
  }
}
