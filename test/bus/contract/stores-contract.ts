import { describe, expect, test } from "vitest";
import type { Signal } from "../../../src/bus/bus.ts";
import type { MakeBus } from "./bus-maker.ts";
import { useBus } from "./test-bus.ts";

const leaseMs = 10_000;

/** Claims, checkpoints, blobs and signals. */
export const storesContract = (makeBus: MakeBus): void => {
  describe("claims", () => {
    const on = useBus(makeBus);
    const claim = (owner: string, key = "shard.0") => on.bus.claims.claim(key, owner, leaseMs);

    test("one owner holds a key, the others get null", async () => {
      expect(await claim("ann")).toMatchObject({ key: "shard.0", owner: "ann" });
      expect(await claim("bob")).toBeNull();
      expect(await claim("bob", "shard.1")).toMatchObject({ key: "shard.1", owner: "bob" });
    });

    test("of many who ask at once exactly one gets it", async () => {
      const claims = await Promise.all(Array.from({ length: 20 }, (_, index) => claim(`node-${index}`)));
      expect(claims.filter((each) => each !== null)).toHaveLength(1);
    });

    test("renewing keeps the epoch", async () => {
      const first = await claim("ann");
      expect(await claim("ann")).toEqual(first);
    });

    test("every taker of a key gets a greater epoch, a released one included", async () => {
      const epochs: number[] = [];
      for (const owner of ["ann", "bob", "ann", "ann"]) {
        const taken = await claim(owner);
        epochs.push(taken?.epoch ?? 0);
        if (taken !== null) await on.bus.claims.release(taken);
      }
      expect(epochs[0]).toBeGreaterThan(0);
      expect(epochs).toEqual([...new Set(epochs)].toSorted((one, other) => one - other));
    });

    test("a release of a claim that is not current gives nothing away", async () => {
      const old = await claim("ann");
      await on.bus.claims.release(old!);
      const current = await claim("bob");
      await on.bus.claims.release(old!);
      expect(await claim("ann")).toBeNull();
      expect(await claim("bob")).toEqual(current);
    });
  });

  describe("checkpoints", () => {
    const on = useBus(makeBus);

    test("none is null, and one comes back with its revision", async () => {
      expect(await on.bus.checkpoints.get("k")).toBeNull();
      const revision = await on.bus.checkpoints.put("k", { seq: 3, members: ["é"] }, 0);
      expect(revision).toBeGreaterThan(0);
      expect(await on.bus.checkpoints.get("k")).toEqual({ value: { seq: 3, members: ["é"] }, revision });
    });

    test("only who knows the current revision replaces it", async () => {
      const first = await on.bus.checkpoints.put("k", 1, 0);
      expect(await on.bus.checkpoints.put("k", "late", 0)).toBeNull();
      const second = await on.bus.checkpoints.put("k", 2, first!);
      expect(second).toBeGreaterThan(first!);
      expect(await on.bus.checkpoints.put("k", "stale", first!)).toBeNull();
      expect(await on.bus.checkpoints.get("k")).toEqual({ value: 2, revision: second });
    });

    test("of many who put at once exactly one succeeds", async () => {
      const puts = await Promise.all(Array.from({ length: 20 }, (_, index) => on.bus.checkpoints.put("k", index, 0)));
      expect(puts.filter((revision) => revision !== null)).toHaveLength(1);
      expect((await on.bus.checkpoints.get("k"))?.value).toBe(puts.findIndex((revision) => revision !== null));
    });

    test("a revision of before a delete fits nothing that came after", async () => {
      const before = await on.bus.checkpoints.put("k", 1, 0);
      await on.bus.checkpoints.delete("k");
      expect(await on.bus.checkpoints.get("k")).toBeNull();
      expect(await on.bus.checkpoints.put("k", "stale", before!)).toBeNull();
      expect(await on.bus.checkpoints.put("k", 2, 0)).toBeGreaterThan(before!);
    });

    test("keys keep apart, and deleting what isn't there is fine", async () => {
      await on.bus.checkpoints.put("k", 1, 0);
      await on.bus.checkpoints.delete("K");
      await on.bus.checkpoints.put("__proto__", 2, 0);
      expect((await on.bus.checkpoints.get("k"))?.value).toBe(1);
      expect((await on.bus.checkpoints.get("__proto__"))?.value).toBe(2);
      expect(await on.bus.checkpoints.get("constructor")).toBeNull();
    });
  });

  describe("blobs", () => {
    const on = useBus(makeBus);

    test("a body comes back by its digest until it is deleted, then it is null", async () => {
      expect(await on.bus.blobs.get("d1")).toBeNull();
      await on.bus.blobs.put("d1", { text: "x".repeat(100_000) });
      await on.bus.blobs.put("d1", { text: "x".repeat(100_000) });
      await on.bus.blobs.put("d2", ["other"]);
      expect(await on.bus.blobs.get("d1")).toEqual({ text: "x".repeat(100_000) });
      await on.bus.blobs.delete("d1");
      await on.bus.blobs.delete("d1");
      expect([await on.bus.blobs.get("d1"), await on.bus.blobs.get("d2")]).toEqual([null, ["other"]]);
    });
  });

  describe("signals", () => {
    const on = useBus(makeBus);
    const listen = (topic: string, onSignal: (signal: Signal) => void = () => undefined) => {
      const values: unknown[] = [];
      const { promise: ended, resolve } = Promise.withResolvers<void>();
      const subscription = on.bus.signals.follow(topic).subscribe((signal) => {
        values.push(signal.value);
        if (signal.value === "end") resolve();
        onSignal(signal);
      });
      return { values, ended, subscription };
    };
    const publish = (topic: string, ...values: readonly unknown[]) =>
      values.forEach((value) => on.bus.signals.publish({ topic, value }));

    test("reach everybody on the topic, in order, and nobody else", async () => {
      publish("t", "before anybody listened");
      const [one, two, other] = [listen("t"), listen("t"), listen("t2")];
      publish("t", 1, { two: 2 }, "end");
      publish("t2", "end");
      await Promise.all([one.ended, two.ended, other.ended]);
      expect([one.values, two.values, other.values]).toEqual([[1, { two: 2 }, "end"], [1, { two: 2 }, "end"], ["end"]]);
    });

    test("come no more after unsubscribing", async () => {
      const [gone, stays] = [listen("t"), listen("t")];
      gone.subscription.unsubscribe();
      publish("t", 1, "end");
      await stays.ended;
      expect(gone.values).toEqual([]);
    });

    test("a listener that throws is reported and keeps them from nobody, itself included", async () => {
      const thrower = listen("t", ({ value }) => {
        if (value === 1) throw new Error("of the listener");
      });
      const other = listen("t");
      publish("t", 1, 2, "end");
      await Promise.all([thrower.ended, other.ended]);
      expect([thrower.values, other.values]).toEqual([
        [1, 2, "end"],
        [1, 2, "end"],
      ]);
      expect(on.faults).toMatchObject([{ message: "of the listener" }]);
    });

    test.each(["*", ">", "t.*", "__proto__"])("the topic %j is no pattern", async (topic) => {
      const [odd, plain] = [listen(topic), listen("t.1")];
      publish("t.1", "end");
      publish(topic, "end");
      await Promise.all([plain.ended, odd.ended]);
      expect([odd.values, plain.values]).toEqual([["end"], ["end"]]);
    });
  });
};
