import type { Clock } from "../../protocol/clock.ts";
import type { StartedRun } from "./run-board.ts";

/** Calls `onLate` when `ms` pass before the run is over or stopped. */
export function limitAttempt(
  run: StartedRun,
  { clock, ms, onLate }: { readonly clock: Clock; readonly ms: number; readonly onLate: () => void },
): StartedRun {
  const timer = clock.setTimeout(onLate, Math.max(0, ms));
  const end = (): void => clock.clearTimeout(timer);
  run.done.then(end, end);
  return {
    abort(reason) {
      // A function that ignores its signal is never over, and must not keep a timer.
      end();
      run.abort(reason);
    },
    poke: () => run.poke(),
    done: run.done,
    failed: run.failed,
  };
}
