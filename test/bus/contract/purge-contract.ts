import { describe, expect, test } from "vitest";
import { sessionKeyText, type SessionKey } from "../../../src/bus/bus.ts";
import type { MakeBus } from "./bus-maker.ts";
import { appendOf, Collector, home, idsOf, useBus } from "./test-bus.ts";

/** Forgetting a whole session in one call. */
export const purgeContract = (makeBus: MakeBus): void => {
  describe("purge", () => {
    const on = useBus(makeBus);
    const other: SessionKey = { namespace: "tests", session: "other" };
    const leaseMs = 10_000;

    /** Leaves something of everything for a session. */
    const fill = async (session: SessionKey, digest: string): Promise<void> => {
      for (const id of ["a", "b", "c"]) await on.bus.append(appendOf(id, session));
      await on.bus.checkpoints.put(sessionKeyText(session), { at: 3 }, 0);
      await on.bus.blobs.put(digest, { of: digest }, session);
      await on.bus.blobs.put("shared", { of: "both" }, session);
      await on.bus.claims.claim(sessionKeyText(session), "ann", leaseMs);
    };
    const left = async (session: SessionKey): Promise<readonly unknown[]> => [
      idsOf(await on.bus.read(session, { fromSeq: 1 })),
      await on.bus.checkpoints.get(sessionKeyText(session)),
    ];

    test("removes the log, the checkpoint, the bodies and the claim of a session, and says what there was", async () => {
      await fill(home, "own");
      expect(await on.bus.purge(home)).toEqual({ inputs: 3, checkpoints: 1, bodies: 2 });
      expect(await left(home)).toEqual([[], null]);
      expect([await on.bus.blobs.get("own"), await on.bus.blobs.get("shared")]).toEqual([null, null]);
      expect(await on.bus.claims.claim(sessionKeyText(home), "bob", leaseMs)).not.toBeNull();
    });

    test("leaves every other session as it is, and bodies that it holds too", async () => {
      await fill(home, "own");
      await fill(other, "other");
      await on.bus.blobs.put("nobody's", { of: "nobody" });
      expect(await on.bus.purge(home)).toEqual({ inputs: 3, checkpoints: 1, bodies: 1 });
      expect(await left(other)).toEqual([["a", "b", "c"], expect.objectContaining({ value: { at: 3 } })]);
      for (const digest of ["other", "shared", "nobody's"]) expect(await on.bus.blobs.get(digest)).not.toBeNull();
      expect(await on.bus.claims.claim(sessionKeyText(other), "bob", leaseMs)).toBeNull();
    });

    test("of a session that there is not removes nothing; a second time neither", async () => {
      const nothing = { inputs: 0, checkpoints: 0, bodies: 0 };
      expect(await on.bus.purge(other)).toEqual(nothing);
      await fill(home, "own");
      await on.bus.purge(home);
      expect(await on.bus.purge(home)).toEqual(nothing);
    });

    test("afterwards the session begins anew: ids may be used again, sequences and epochs go on growing", async () => {
      await fill(home, "own");
      const before = await on.bus.append(appendOf("d"));
      const epoch = (await on.bus.claims.claim(sessionKeyText(home), "ann", leaseMs))?.epoch ?? 0;
      await on.bus.purge(home);
      const seen = new Collector(on.bus, home, 1);
      const after = await on.bus.append(appendOf("a"));
      await seen.untilId("a");
      seen.unsubscribe();
      expect([seen.ids, after > before]).toEqual([["a"], true]);
      expect((await on.bus.claims.claim(sessionKeyText(home), "bob", leaseMs))?.epoch).toBeGreaterThan(epoch);
    });

    test("is refused with bus_unavailable once the bus is closed", async () => {
      await on.bus.close();
      await expect(on.bus.purge(home)).rejects.toMatchObject({ code: "bus_unavailable" });
    });
  });
};
