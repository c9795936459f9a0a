import type { Bus, SessionKey, Stored } from "../../bus/bus.ts";
import { memoryBus } from "../../bus/memory.ts";
import type { Clock } from "../../protocol/clock.ts";

/** The log of a store, to be followed by whoever judges it: it sees a record before any owner does. */
type OnStored = (stored: Stored) => void;

/**
 * The server of a simulated world: what is in here is durable, whoever dies. Processes reach it by a `SimConnection` only,
 * which is where all delays and faults are.
 */
export class SimStore {
  readonly core: Bus;

  /** Leases are measured by `clock`. */
  constructor({ clock, onFault }: { readonly clock: Pick<Clock, "now">; readonly onFault: (fault: unknown) => void }) {
    this.core = memoryBus({ clock, onError: onFault });
  }

  /** Tells of every record of a session, in order. */
  watch(session: SessionKey, onStored: OnStored): void {
    this.core.follow(session, 0).subscribe(onStored);
  }
}
