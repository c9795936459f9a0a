import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { MakeBus } from "./bus-maker.ts";
import { InterleavedRun, type Step } from "./interleaved-run.ts";
import { useBus } from "./test-bus.ts";

const session = fc.constantFrom("s1", "s2");
const actor = fc.constantFrom("x", "y");
/** Whether the step is taken within the next delivery instead of at once. */
const inside = fc.boolean();

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant("append" as const), session, actor, id: fc.nat(12), inside }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("follow" as const),
      session,
      actor: fc.option(actor),
      from: fc.double({ min: 0, max: 1.2, noNaN: true }),
      inside,
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("unsubscribe" as const), which: fc.nat(20), inside }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant("trim" as const), session, share: fc.constantFrom(0.3, 0.7, 1) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("settle" as const) }) },
);

/** Order and completeness under any interleaving. */
export const orderContract = (makeBus: MakeBus, interleavings: number): void => {
  describe("any interleaving of appends, follows, unsubscribes and trims", () => {
    const on = useBus(makeBus);

    test("gives each follower exactly the stored suffix, in order and once", async () => {
      let round = 0;
      const property = fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const run = new InterleavedRun(on.bus, `order${++round}`);
        for (const each of steps) await run.take(each);
        await run.finish();
        expect(run.wrong).toEqual([]);
        expect(run.seen()).toEqual(run.expected());
        expect(await run.kept()).toEqual(run.expectedKept());
        await run.drop();
      });
      await fc.assert(property, { numRuns: interleavings });
      expect(on.faults).toEqual([]);
    });
  });
};
