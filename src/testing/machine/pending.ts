import type { AnyActorRef, EventObject } from "xstate";
import type { AskedAction } from "./pure-scope.ts";

/** A timer that is armed: an event after a delay. */
export interface Timer {
  readonly id: string | null;
  readonly event: EventObject;
  readonly delay: number;
}

/** What waits for a machine beside its snapshot. */
export interface Pending {
  /** In the order in which they were armed; those armed together by their delays. */
  readonly timers: readonly Timer[];
  /** Events that it sent to itself, in order. */
  readonly mail: readonly EventObject[];
}

/** Nothing waits. */
export const nothingPending: Pending = { timers: [], mail: [] };

interface Delayed {
  readonly event: EventObject;
  readonly delay?: number | undefined;
  readonly id?: string | undefined;
  readonly to?: unknown;
}

/** What waits after a step that asked for these actions; the same object when they ask for nothing. */
export function pendingAfter(before: Pending, actions: readonly AskedAction[], self: AnyActorRef): Pending {
  if (actions.length === 0) return before;
  let kept = before.timers;
  let armed: Timer[] = [];
  const mail = [...before.mail];
  const arm = ({ id, event, delay = 0 }: Delayed): void => void armed.push({ id: id ?? null, event, delay });
  for (const { type, params } of actions) {
    if (type === "xstate.raise") {
      // These are the parameters that XState gives to its own actions.
      const raised = params as Delayed;
      if (typeof raised.delay === "number") arm(raised);
    } else if (type === "xstate.sendTo") {
      // As above.
      const sent = params as Delayed;
      if (sent.to !== self) continue;
      if (typeof sent.delay === "number") arm(sent);
      else mail.push(sent.event);
    } else if (type === "xstate.cancel") {
      // As above.
      const { sendId } = params as { readonly sendId: string };
      kept = kept.filter(({ id }) => id !== sendId);
      armed = armed.filter(({ id }) => id !== sendId);
    }
  }
  return { timers: [...kept, ...armed.toSorted((a, b) => a.delay - b.delay)], mail };
}

/** Places of the timers that may be due first: of two, the one that was armed no later and waits no longer comes first. */
export const dueTimers = (timers: readonly Timer[]): readonly number[] =>
  [...timers.keys()].filter((place) => {
    const delay = timers[place]?.delay ?? 0;
    return timers.slice(0, place).every((earlier) => earlier.delay > delay);
  });
