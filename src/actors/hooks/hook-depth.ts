import { AsyncLocalStorage } from "node:async_hooks";

/**
 * How deep in hooks somebody is who commands something. A hook may send and plan by itself and is asked about that as well;
 * one that does always what it is asked about would be asked for ever, and hold the whole process.
 */
const depths = new AsyncLocalStorage<number>();

/** A hook that is asked about what hooks have done so deep is asked in a circle. */
export const hookDepthMax = 3;

/** How many hooks are being asked around this call. */
export const hookDepth = (): number => depths.getStore() ?? 0;

/** Calls a hook: whatever it does is one hook deeper. */
export const withinHook = <Value>(call: () => Value): Value => depths.run(hookDepth() + 1, call);

/** Begins something with a life of its own, such as a run, which may be begun by what a hook did. */
export const outsideHooks = <Value>(call: () => Value): Value => (hookDepth() === 0 ? call() : depths.run(0, call));
