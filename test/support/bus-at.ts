import type { Bus } from "../../src/bus/bus.ts";
import { natsBus } from "../../src/bus/nats.ts";
import { sqliteBus } from "../../src/bus/sqlite.ts";
import type { Clock } from "../../src/protocol/clock.ts";

/** The bus of processes that share a place: the file of a path, or the server of an address (which keeps its own clock). */
export const busAt = async (place: string, options: { readonly clock?: Clock } = {}): Promise<Bus> =>
  place.startsWith("nats://") ? natsBus({ servers: place }) : sqliteBus({ path: place, ...options });

/** A bus whose leases end sooner than their owner asks for. */
export const shorterLeases = (bus: Bus, leaseMs: number): Bus => ({
  ...bus,
  claims: { ...bus.claims, claim: (key, owner) => bus.claims.claim(key, owner, leaseMs) },
});
