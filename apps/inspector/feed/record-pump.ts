import type { SessionModel } from "../fold/session-model.ts";

/** How long one go of folding may take, so that the page stays usable while much is coming. */
const sliceMs = 8;
/** How long lies between two times that the page is drawn anew, at least; longer when drawing takes long. */
const publishMs = 50;
const publishMsMax = 500;
/** How much of the time drawing may take. */
const drawingShare = 0.2;

/** How the pump keeps up. */
export interface PumpState {
  /** Records that have come and wait to be folded. */
  readonly behind: number;
  /** Records that were folded without being drawn one by one. */
  readonly coalesced: number;
}

/**
 * Folds records as they come: none is left out, and the page is drawn anew at most every 50 ms, less often when that takes long. Under load many are folded
 * between two drawings; how many is counted, and shown.
 */
export class RecordPump {
  readonly #model: SessionModel;
  readonly #onFault: (fault: unknown) => void;
  readonly #queue: string[] = [];
  #next = 0;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #publishedAt = 0;
  #everyMs = publishMs;
  #unpublished = 0;
  #coalesced = 0;

  constructor(model: SessionModel, onFault: (fault: unknown) => void) {
    this.#model = model;
    this.#onFault = onFault;
  }

  get state(): PumpState {
    return { behind: this.#queue.length - this.#next, coalesced: this.#coalesced };
  }

  push(line: string): void {
    this.#queue.push(line);
    this.#timer ??= setTimeout(() => this.#run(), 0);
  }

  /** Forgets what waits: the log is loaded anew. */
  clear(): void {
    this.#queue.length = 0;
    this.#next = 0;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  #run(): void {
    this.#timer = null;
    const until = performance.now() + sliceMs;
    try {
      while (this.#next < this.#queue.length && performance.now() < until) this.#fold();
    } catch (fault) {
      this.clear();
      this.#onFault(fault);
      return;
    }
    if (this.#next === this.#queue.length) this.clear();
    const now = performance.now();
    const isDue = now - this.#publishedAt >= this.#everyMs;
    if (isDue && this.#unpublished > 0) this.#publish(now);
    const isDone = this.#next === this.#queue.length && this.#unpublished === 0;
    // A pause between two goes lets the page draw and hear its user.
    if (!isDone) this.#timer = setTimeout(() => this.#run(), this.#next < this.#queue.length ? 4 : this.#everyMs);
  }

  #fold(): void {
    // The queue is longer than `#next`.
    const line = this.#queue[this.#next++] as string;
    this.#model.takeRecord(line);
    this.#unpublished++;
  }

  #publish(now: number): void {
    this.#publishedAt = now;
    this.#coalesced += this.#unpublished - 1;
    this.#unpublished = 0;
    this.#model.timeline.publish();
    const drawnMs = performance.now() - now;
    this.#everyMs = Math.min(publishMsMax, Math.max(publishMs, drawnMs / drawingShare));
  }
}
