/**
 * Wraps a callback that somebody else wrote: neither what it throws nor a promise of it that rejects gets further than
 * `onError`. XState would throw it again from a timer, which ends the process.
 */
export const callGuarded =
  <Args extends readonly unknown[]>(callback: (...args: Args) => unknown, onError: (error: unknown) => void) =>
  (...args: Args): void => {
    try {
      const result = callback(...args);
      if (isThenable(result)) result.then(undefined, onError);
    } catch (error) {
      onError(error);
    }
  };

const isThenable = (value: unknown): value is PromiseLike<unknown> =>
  typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
