import type { AnyMachineSnapshot, EventObject } from "xstate";
import type { Stepper } from "../../src/machines/index.ts";

/** Every snapshot that any order of these events can reach from `initial`; counters that only grow are left out by `keyOf`. */
export function allOrders<Snapshot extends AnyMachineSnapshot, Event extends EventObject>(
  stepper: Stepper<Snapshot, Event>,
  initial: Snapshot,
  events: readonly Event[],
  keyOf: (snapshot: Snapshot) => string,
  onStep: (before: Snapshot, event: Event, after: Snapshot) => void = () => {},
): Snapshot[] {
  const seen = new Map([[keyOf(initial), initial]]);
  const queue = [initial];
  // The queue grows while it is walked.
  for (const before of queue) {
    for (const event of events) {
      const { next } = stepper.step(before, event);
      onStep(before, event, next);
      if (seen.has(keyOf(next))) continue;
      seen.set(keyOf(next), next);
      queue.push(next);
    }
  }
  return queue;
}
