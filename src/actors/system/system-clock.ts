import type { Clock } from "../../protocol/clock.ts";

/** Node fires a longer delay at once, so a longer wait is made of several. */
const delayMsMax = 2_147_483_647;

/** One timer of the system clock: the platform's timer that waits for it now. */
class SystemTimer {
  #timeout: ReturnType<typeof setTimeout>;

  constructor(callback: () => void, ms: number) {
    this.#timeout = this.#wait(callback, ms);
  }

  cancel(): void {
    clearTimeout(this.#timeout);
  }

  #wait(callback: () => void, ms: number): ReturnType<typeof setTimeout> {
    if (!(ms > delayMsMax)) return setTimeout(callback, ms);
    return setTimeout(() => {
      this.#timeout = this.#wait(callback, ms - delayMsMax);
    }, delayMsMax);
  }
}

/**
 * The clock of this machine.
 *
 * Its timers keep the process alive: a process whose only work is to wait (for a retry, for the end of a rate limit)
 * must not end in the middle of it. Whoever sets a timer ends it when it closes; then nothing holds the process.
 */
export const systemClock: Clock = {
  now: () => Date.now(),
  setTimeout: (callback, ms) => new SystemTimer(callback, ms),
  clearTimeout: (handle) => {
    if (handle instanceof SystemTimer) handle.cancel();
  },
};
