import { randomUUID } from "node:crypto";
import type { KeyStore } from "./key-store.ts";

/** Characters of a value that stand in one message: three bytes each at most, and far below what servers take. */
const chunkCharsMax = 128 * 1_024;
/** Messages of one value that are on their way at once. */
const underWayMax = 8;

/** A value as its key names it: as it is, or in parts of its own. */
type Head = { readonly value: unknown } | { readonly parts: string; readonly count: number };

/** Values of any size in a store of small ones: what is too large for one message is put into parts of its own first. */
export class Chunks {
  readonly #parts: KeyStore;

  constructor(parts: KeyStore) {
    this.#parts = parts;
  }

  /** Stores the parts that a value needs; what to store under its key. */
  async write(value: unknown): Promise<string> {
    const text = JSON.stringify(value) ?? "null";
    if (text.length <= chunkCharsMax) return `{"value":${text}}`;
    const parts = randomUUID();
    const count = Math.ceil(text.length / chunkCharsMax);
    await inTurns(count, (at) =>
      // Quoted: a character of two halves may be cut in between.
      this.#parts.put(`${parts} ${at}`, JSON.stringify(text.slice(at * chunkCharsMax, (at + 1) * chunkCharsMax))),
    );
    return JSON.stringify({ parts, count } satisfies Head);
  }

  /** The value of what is under its key; undefined when a part of it is gone. */
  async read(text: string): Promise<unknown> {
    const head = headOf(text);
    if ("value" in head) return head.value;
    const { parts, count } = head;
    const texts: string[] = [];
    await inTurns(count, async (at) => {
      const stored = await this.#parts.get(`${parts} ${at}`);
      if (stored !== null) texts[at] = String(JSON.parse(stored.text));
    });
    if (Object.keys(texts).length < count) return undefined;
    const value: unknown = JSON.parse(texts.join(""));
    return value;
  }

  /** Removes the parts of what was under a key, once it is no longer there. */
  async remove(text: string): Promise<void> {
    const head = headOf(text);
    if ("parts" in head) await inTurns(head.count, (at) => this.#parts.remove(`${head.parts} ${at}`));
  }
}

// What is under a key was written by `write`.
const headOf = (text: string): Head => JSON.parse(text) as Head;

/** Does something `count` times, a few at once. */
async function inTurns(count: number, act: (at: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < count) await act(next++);
  };
  await Promise.all(Array.from({ length: Math.min(count, underWayMax) }, work));
}
