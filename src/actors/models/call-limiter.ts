import PQueue from "p-queue";
import type { Clock, TimerHandle } from "../../protocol/clock.ts";
import { systemClock } from "../system/system-clock.ts";
import { heldStream } from "./held-stream.ts";
import type { LanguageModelV4 } from "./language-model-v4.ts";
import { classifyModelError } from "./model-error.ts";
import { wrapModel } from "./wrap-model.ts";

/** How much longer than asked a pause may be: processes that share a key don't all come back at once. */
const jitterMax = 0.25;

/** What a limiter is made of. */
export interface CallLimiterOptions {
  /** How many calls may be under way at once. */
  readonly concurrentCallsMax?: number;
  readonly clock?: Clock;
  /** A number from 0 up to 1, for the jitter of pauses. */
  readonly random?: () => number;
}

/** What a limiter does at this moment. */
export interface CallLimiterState {
  /** Calls that hold a slot. */
  readonly running: number;
  /** Calls that wait for one. */
  readonly waiting: number;
  /** When calls start again after a rate limit, on the limiter's clock; null while they may. */
  readonly pausedUntil: number | null;
}

/** Keeps the calls of one provider key within its limits. Make one for each key, and wrap every model that uses it. */
export interface CallLimiter {
  /** The model, behind this limiter. */
  limit(model: LanguageModelV4): LanguageModelV4;
  state(): CallLimiterState;
  /** Ends the pause's timer, and every waiting call with an AbortError. Calls under way go on. */
  close(): void;
}

type Release = () => void;

/** Slots, and the pause that a provider asked for. */
class SlotQueue implements CallLimiter {
  readonly #queue: PQueue;
  readonly #clock: Clock;
  readonly #random: () => number;
  #pausedUntil = 0;
  #timer: TimerHandle | null = null;

  constructor({ concurrentCallsMax = 5, clock = systemClock, random = Math.random }: CallLimiterOptions) {
    this.#queue = new PQueue({ concurrency: concurrentCallsMax });
    this.#clock = clock;
    this.#random = random;
  }

  state(): CallLimiterState {
    const isPaused = this.#pausedUntil > this.#clock.now();
    const pausedUntil = isPaused ? this.#pausedUntil : null;
    return { running: this.#queue.pending, waiting: this.#queue.size, pausedUntil };
  }

  close(): void {
    this.#queue.clear();
    this.#resume();
  }

  limit(model: LanguageModelV4): LanguageModelV4 {
    return wrapModel(model, {
      doGenerate: async (options) => {
        const release = await this.#acquire(options.abortSignal);
        try {
          return await model.doGenerate(options);
        } catch (error) {
          this.#heed(error);
          throw error;
        } finally {
          release();
        }
      },
      doStream: async (options) => {
        const release = await this.#acquire(options.abortSignal);
        try {
          const result = await model.doStream(options);
          const stream = heldStream(result.stream, {
            onPart: (part) => {
              if (part.type === "error") this.#heed(part.error);
            },
            onError: (error) => this.#heed(error),
            onOver: release,
          });
          return { ...result, stream };
        } catch (error) {
          this.#heed(error);
          release();
          throw error;
        }
      },
    });
  }

  /**
   * Resolves with what gives the slot back. The slot is a task of the queue that lasts until then; the signal takes a
   * waiting call out of the queue, and gives the slot of a running one back at once.
   */
  async #acquire(signal: AbortSignal | undefined): Promise<Release> {
    const slot = Promise.withResolvers<Release>();
    const held = Promise.withResolvers<void>();
    const task = async (): Promise<void> => {
      slot.resolve(held.resolve);
      await held.promise;
    };
    this.#arm();
    // Once the slot is given, an abort rejects here too; `slot` is settled by then and takes no notice.
    this.#queue.add(task, signal === undefined ? {} : { signal }).catch(slot.reject);
    try {
      return await slot.promise;
    } finally {
      // A pause that nobody waits for any more must not keep the process alive.
      if (this.#queue.size === 0) this.#resume();
    }
  }

  /** Lengthens the pause where a failure asks for one. */
  #heed(error: unknown): void {
    const { class: kind, retryAfterMs } = classifyModelError(error, this.#clock);
    if (retryAfterMs === null || retryAfterMs === 0 || (kind !== "rate_limited" && kind !== "overloaded")) return;
    const until = this.#clock.now() + Math.ceil(retryAfterMs * (1 + jitterMax * this.#random()));
    if (until <= this.#pausedUntil) return;
    this.#pausedUntil = until;
    this.#stopTimer();
    if (this.#queue.size > 0) this.#arm();
  }

  /** Holds the queue until the pause is over. Needed only while a call waits. */
  #arm(): void {
    const waitMs = this.#pausedUntil - this.#clock.now();
    if (waitMs <= 0 || this.#timer !== null) return;
    this.#queue.pause();
    this.#timer = this.#clock.setTimeout(() => this.#resume(), waitMs);
  }

  #resume(): void {
    this.#stopTimer();
    this.#queue.start();
  }

  #stopTimer(): void {
    if (this.#timer !== null) this.#clock.clearTimeout(this.#timer);
    this.#timer = null;
  }
}

/**
 * A limiter for the calls of one provider key: at most `concurrentCallsMax` at once, a streamed one counted until its
 * stream ends, is cancelled or aborted. When the provider answers that it is overloaded or that the limit is reached,
 * and says how long to wait, every call of the key waits that long (and up to a quarter longer). A waiting call that is
 * aborted leaves the queue without a request.
 *
 * Retries are not its business: the failure itself goes to the caller.
 */
export const createCallLimiter = (options: CallLimiterOptions = {}): CallLimiter => new SlotQueue(options);
