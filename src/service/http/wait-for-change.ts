import type { Clock } from "../../protocol/clock.ts";
import type { SessionSource } from "../sessions/session-source.ts";

/** What a wait is bounded by. */
export interface WaitOptions {
  readonly since: number;
  readonly waitMs: number;
  readonly clock: Clock;
  /** Whichever is aborted first ends the wait. */
  readonly signals: readonly AbortSignal[];
}

/** Waits until the session's version is above `since`; false when it still isn't after `waitMs`, or at its end. */
export function waitForChange(
  session: SessionSource,
  { since, waitMs, clock, signals }: WaitOptions,
): Promise<boolean> {
  const isChanged = (): boolean => session.version > since;
  if (isChanged() || waitMs === 0 || session.isClosed) return Promise.resolve(isChanged());
  return new Promise((resolve) => {
    const end = (): void => {
      timer.cancel();
      changes.unsubscribe();
      for (const signal of signals) signal.removeEventListener("abort", end);
      resolve(isChanged());
    };
    const timer = startTimer(clock, waitMs, end);
    const changes = session.changes$.subscribe(() => {
      if (isChanged() || session.isClosed) end();
    });
    for (const signal of signals) signal.addEventListener("abort", end, { once: true });
    if (signals.some(({ aborted }) => aborted)) end();
  });
}

function startTimer(clock: Clock, ms: number, onDue: () => void): { cancel(): void } {
  const handle = clock.setTimeout(onDue, ms);
  return { cancel: () => clock.clearTimeout(handle) };
}
