/** A timer that was set, as its clock knows it. It means nothing to any other clock. */
export type TimerHandle = object;

/**
 * The time and the timers of one world: the machine's own (`systemClock`), or a virtual one that a test moves.
 *
 * Whatever waits or looks at the time is given a Clock, so that a test never sleeps and an hour costs nothing.
 */
export interface Clock {
  /** Milliseconds since the epoch of this clock. It may step back, as wall clocks do: order events by sequence, not by it. */
  now(): number;
  /** Calls `callback` once, after `ms` milliseconds and never within this call. */
  setTimeout(callback: () => void, ms: number): TimerHandle;
  /** Ends a timer. One that has fired or was ended before is left alone. */
  clearTimeout(handle: TimerHandle): void;
}
