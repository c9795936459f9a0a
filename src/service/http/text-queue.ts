import type { TextPiece } from "../../actors/runs/text-stream.ts";

/** Pieces of text that wait for a reader, or how many were dropped because it was too slow. */
export type QueuedText = TextPiece | { readonly dropped: number };

/**
 * Pieces of text on their way to one reader. They are for the eye alone: the whole answer comes with its record. So a
 * reader that doesn't keep up is told how many it missed, and never fills the memory.
 */
export class TextQueue {
  readonly #max: number;
  #pieces: TextPiece[] = [];
  #dropped = 0;

  /** `max` is how many pieces wait at most. */
  constructor(max: number) {
    this.#max = max;
  }

  get isEmpty(): boolean {
    return this.#pieces.length === 0 && this.#dropped === 0;
  }

  add(piece: TextPiece): void {
    if (this.#pieces.length < this.#max) this.#pieces.push(piece);
    else this.#dropped += 1;
  }

  /** Takes everything out; what the same run said in a row is one piece. */
  take(): readonly QueuedText[] {
    const taken: QueuedText[] = [];
    for (const { actor, run, text } of this.#pieces) {
      const last = taken.at(-1);
      if (last !== undefined && "run" in last && last.actor === actor && last.run === run) {
        taken[taken.length - 1] = { actor, run, text: last.text + text };
      } else taken.push({ actor, run, text });
    }
    if (this.#dropped > 0) taken.push({ dropped: this.#dropped });
    this.#pieces = [];
    this.#dropped = 0;
    return taken;
  }
}
