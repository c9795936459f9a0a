import type { Bus } from "../../../src/bus/bus.ts";
import type { Clock } from "../../../src/protocol/clock.ts";

/** What the suite gives a bus. */
export interface BusOptions {
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
}

/** Makes an empty bus. The suite closes it. */
export type MakeBus = (options: BusOptions) => Promise<Bus>;

/** What a bus can't be asked of every kind. What it lacks is not tested here, and so belongs into its own tests. */
export interface BusCapabilities {
  /** Leases run by the clock that the bus was given, not by that of a server. */
  readonly leasesByClock: boolean;
  /** Interleavings that are tried; a bus over a network takes longer for each. */
  readonly interleavings: number;
}
