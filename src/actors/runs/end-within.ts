import type { Clock } from "../../protocol/clock.ts";

/** Whether all of these end, in whichever way, within `ms`. */
export async function endWithin(
  ends: readonly Promise<unknown>[],
  { clock, ms }: { readonly clock: Clock; readonly ms: number },
): Promise<boolean> {
  if (ends.length === 0) return true;
  const late = Promise.withResolvers<boolean>();
  const timer = clock.setTimeout(() => late.resolve(false), ms);
  const all = Promise.allSettled(ends).then(() => true);
  return Promise.race([all, late.promise]).finally(() => clock.clearTimeout(timer));
}
