import { useSyncExternalStore } from "react";

const everyMs = 1_000;
const subscribe = (observer: () => void): (() => void) => {
  const timer = setInterval(observer, everyMs);
  return () => clearInterval(timer);
};
const now = (): number => Math.floor(Date.now() / everyMs) * everyMs;

/** The time in whole seconds; the view is drawn anew with each. */
export const useNow = (): number => useSyncExternalStore(subscribe, now);
