import type { SessionModel } from "../fold/session-model.ts";

/** How long one go of folding may take, so that the page stays usable while much is coming. */
const sliceMs = 8;
/** How long lies between two goes, at least: then the page draws and hears its user. */
const pauseMs = 4;
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
  /** The timer is for drawing alone: everything that has come is folded. */
  #isWaiting = false;
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
    // What has come is folded at once, also while what was folded before waits to be drawn.
    if (this.#timer === null || this.#isWaiting) this.#runIn(0);
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
    if (isDone) return;
    const isWaiting = this.#queue.length === 0;
    this.#runIn(isWaiting ? Math.max(0, this.#publishedAt + this.#everyMs - now) : pauseMs, isWaiting);
  }

  #runIn(ms: number, isWaiting = false): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#isWaiting = isWaiting;
    this.#timer = setTimeout(() => this.#run(), ms);
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
    whenDrawn(now, (drawnMs) => {
      this.#everyMs = Math.min(publishMsMax, Math.max(publishMs, drawnMs / drawingShare));
    });
  }
}

/**
 * Tells how long the page was busy with what was published at `from`: with the views, which follow at once, and with style,
 * layout and paint, which follow in the next frame. Where no frame is drawn, as in a tab that nobody sees, nothing is told.
 */
function whenDrawn(from: number, tell: (drawnMs: number) => void): void {
  queueMicrotask(() => {
    const viewsMs = performance.now() - from;
    requestAnimationFrame(() => {
      const frame = performance.now();
      const { port1, port2 } = new MessageChannel();
      port1.addEventListener("message", () => {
        port1.close();
        tell(viewsMs + performance.now() - frame);
      });
      port1.start();
      port2.postMessage(null);
    });
  });
}
