import { describe, expect, test } from "vitest";
import type { MakeBus } from "./bus-maker.ts";
import { appendOf, Collector, home, useBus } from "./test-bus.ts";

/** The end of a bus. */
export const closeContract = (makeBus: MakeBus): void => {
  describe("closing", () => {
    const on = useBus(makeBus);
    const refused = { code: "bus_unavailable" };

    test("stores what was appended before, and completes the follows", async () => {
      const follower = new Collector(on.bus, home, 1);
      const pending = ["a", "b"].map((id) => on.bus.append(appendOf(id)));
      await on.bus.close();
      const seqs = await Promise.all(pending);
      expect(seqs).toEqual([...new Set(seqs)].toSorted((one, other) => one - other));
      expect(follower.seqs).toEqual(seqs.slice(0, follower.seqs.length));
      expect([follower.isComplete, follower.error]).toEqual([true, null]);
    });

    test("within a delivery refuses nothing that was appended before, and completes the others", async () => {
      const closes: Promise<void>[] = [];
      const closer = new Collector(on.bus, home, 1, () => void closes.push(on.bus.close()));
      const other = new Collector(on.bus, home, 1);
      const seqs = await Promise.all(["a", "b"].map((id) => on.bus.append(appendOf(id))));
      await Promise.all([closer, other].map((each) => each.until(() => each.isComplete)));
      await Promise.all(closes);
      expect(other.seqs).toEqual(seqs.slice(0, other.seqs.length));
    });

    test("refuses from then on whatever is asked", async () => {
      const closing = on.bus.close();
      await expect(on.bus.append(appendOf("a"))).rejects.toMatchObject(refused);
      await closing;
      const { claims, checkpoints, blobs } = on.bus;
      const asked = [
        on.bus.append(appendOf("a")),
        on.bus.read(home, { fromSeq: 1 }),
        on.bus.trim(home, 1),
        claims.claim("k", "ann", 1),
        claims.release({ key: "k", owner: "ann", epoch: 1 }),
        checkpoints.get("k"),
        checkpoints.put("k", 1, 0),
        checkpoints.delete("k"),
        blobs.put("d", 1),
        blobs.get("d"),
        blobs.delete("d"),
      ];
      const answers = await Promise.allSettled(asked);
      expect(answers).toMatchObject(asked.map(() => ({ status: "rejected", reason: refused })));
    });

    test("refuses a follow and loses a signal", async () => {
      await on.bus.close();
      const follower = new Collector(on.bus, home, 1);
      await follower.until(() => follower.error !== null);
      expect(follower.error).toMatchObject(refused);
      expect(() => on.bus.signals.publish({ topic: "t", value: 1 })).not.toThrow();
      const { promise, reject } = Promise.withResolvers<void>();
      on.bus.signals.follow("t").subscribe({ error: reject });
      await expect(promise).rejects.toMatchObject(refused);
    });

    test("completes those who follow signals", async () => {
      const completed = new Promise<void>((complete) => on.bus.signals.follow("t").subscribe({ complete }));
      await on.bus.close();
      await expect(completed).resolves.toBeUndefined();
    });

    test("twice, or twice at once, is the same as once", async () => {
      await Promise.all([on.bus.close(), on.bus.close()]);
      await expect(on.bus.close()).resolves.toBeUndefined();
    });

    test("reports a follower that throws on completion, and completes the others", async () => {
      const fault = new Error("on completion");
      on.bus.follow(home, 1).subscribe({
        complete: () => {
          throw fault;
        },
      });
      const other = new Collector(on.bus, home, 1);
      await on.bus.close();
      expect([on.faults, other.isComplete]).toEqual([[fault], true]);
    });

    test("leaves no timer of its clock", async () => {
      await on.bus.claims.claim("k", "ann", 10_000);
      const follower = new Collector(on.bus, home, 1);
      await on.bus.close();
      expect([follower.isComplete, on.clock.pending]).toEqual([true, 0]);
    });
  });
};
