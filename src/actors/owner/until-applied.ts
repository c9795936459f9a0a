import { filter, take } from "rxjs";
import type { SessionOwner } from "./owner.ts";

/**
 * Resolves when everything of ours that is stored has been applied, too, or nothing more will be. A server says that an
 * input is stored before it delivers it.
 */
export async function untilApplied({ state, storedSeq, isClosed, records$ }: SessionOwner): Promise<void> {
  if (isClosed || state.seq >= storedSeq) return;
  await new Promise<void>((resolve) => {
    const last = records$.pipe(
      filter(({ stored }) => stored.seq >= storedSeq),
      take(1),
    );
    last.subscribe({ complete: resolve });
  });
}
