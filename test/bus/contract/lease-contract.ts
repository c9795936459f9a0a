import { describe, expect, test } from "vitest";
import type { MakeBus } from "./bus-maker.ts";
import { useBus } from "./test-bus.ts";

const leaseMs = 10_000;

/** How leases end, for a bus whose leases run by the clock that it was given. */
export const leaseContract = (makeBus: MakeBus): void => {
  describe("leases", () => {
    const on = useBus(makeBus);
    const claim = (owner: string) => on.bus.claims.claim("shard.0", owner, leaseMs);

    test("one that ran out is taken with a greater epoch, and its late owner gets null", async () => {
      const first = await claim("ann");
      await on.clock.advance(leaseMs - 1);
      expect(await claim("bob")).toBeNull();
      await on.clock.advance(1);
      const second = await claim("bob");
      expect(second?.epoch).toBeGreaterThan(first?.epoch ?? Infinity);
      expect(await claim("ann")).toBeNull();
    });

    test("one that is renewed lasts from the renewal on", async () => {
      await claim("ann");
      await on.clock.advance(leaseMs - 1);
      await claim("ann");
      await on.clock.advance(leaseMs - 1);
      expect(await claim("bob")).toBeNull();
    });

    test("an owner who is late but was not replaced has an epoch no older than before", async () => {
      const first = await claim("ann");
      await on.clock.advance(leaseMs * 2);
      expect((await claim("ann"))?.epoch).toBeGreaterThanOrEqual(first?.epoch ?? Infinity);
    });
  });
};
