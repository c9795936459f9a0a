import { firstValueFrom, lastValueFrom, map, Subject, take, toArray } from "rxjs";
import { describe, expect, test } from "vitest";
import type { Stored } from "../../../src/bus/bus.ts";
import type { MakeBus } from "./bus-maker.ts";
import { appendOf, Collector, home, idsOf, useBus } from "./test-bus.ts";

/** Following: replay and live, many at once, coming and going, throwing. */
export const followContract = (makeBus: MakeBus): void => {
  describe("a follower", () => {
    const on = useBus(makeBus);
    const appendAll = (...ids: readonly string[]) => Promise.all(ids.map((id) => on.bus.append(appendOf(id))));
    const follow = (fromSeq = 1, onRecord?: (stored: Stored) => void) => new Collector(on.bus, home, fromSeq, onRecord);

    test("gets what is stored, then what comes, in stream order", async () => {
      await appendAll("a", "b");
      const follower = follow();
      await appendAll("c", "d");
      await follower.untilId("d");
      expect(follower.records).toEqual(await on.bus.read(home, { fromSeq: 1 }));
      expect(follower.ids).toEqual(["a", "b", "c", "d"]);
    });

    test("gets each input once when it begins while they are on their way", async () => {
      const early = appendAll("a", "b");
      const follower = follow();
      const late = appendAll("c");
      await Promise.all([early, late]);
      await appendAll("last");
      await follower.untilId("last");
      expect(follower.ids).toEqual(["a", "b", "c", "last"]);
    });

    test("begins at the sequence that it asks for, also one that is still to come", async () => {
      const [, b = 0] = await appendAll("a", "b");
      const [fromB, fromNext] = [follow(b), follow(b + 1)];
      await appendAll("c");
      await Promise.all([fromB.untilId("c"), fromNext.untilId("c")]);
      expect([fromB.ids, fromNext.ids]).toEqual([["b", "c"], ["c"]]);
    });

    test("of one mailbox gets that mailbox alone", async () => {
      await on.bus.append(appendOf("1", { actor: "x" }));
      await on.bus.append(appendOf("2", { actor: "y" }));
      const follower = new Collector(on.bus, { ...home, actor: "y" }, 1);
      await on.bus.append(appendOf("3", { actor: "x" }));
      await on.bus.append(appendOf("4", { actor: "y" }));
      await follower.untilId("4");
      expect(follower.ids).toEqual(["2", "4"]);
    });

    test("gets nothing of an input that was recognised", async () => {
      const follower = follow();
      await appendAll("a", "a", "b", "a", "c");
      await follower.untilId("c");
      expect(follower.ids).toEqual(["a", "b", "c"]);
    });

    test("is one of many, and each gets everything", async () => {
      const followers = [follow(), follow(), follow()];
      await appendAll("a", "b");
      followers.push(follow());
      await appendAll("c");
      await Promise.all(followers.map((follower) => follower.untilId("c")));
      expect(followers.map(({ ids }) => ids)).toEqual(followers.map(() => ["a", "b", "c"]));
    });

    test("is made by every subscription anew", async () => {
      const followed = on.bus.follow(home, 1);
      const both = Promise.all([firstValueFrom(followed), firstValueFrom(followed)]);
      await appendAll("a");
      expect(idsOf(await both)).toEqual(["a", "a"]);
      expect(idsOf([await firstValueFrom(followed)])).toEqual(["a"]);
    });

    test("that unsubscribes within a delivery gets nothing more, and the others get all", async () => {
      const leaver: Collector = follow(1, () => leaver.unsubscribe());
      const stayer = follow();
      await appendAll("a", "b");
      await appendAll("c");
      // Each reads what is stored for itself, and none waits for the other.
      await Promise.all([leaver.untilId("a"), stayer.untilId("c")]);
      expect([leaver.ids, stayer.ids]).toEqual([["a"], ["a", "b", "c"]]);
    });

    test("may take what it needs of a replay, and go", async () => {
      await appendAll("a", "b", "c");
      expect(idsOf(await lastValueFrom(on.bus.follow(home, 1).pipe(take(2), toArray())))).toEqual(["a", "b"]);
      const later = follow();
      await appendAll("d");
      await later.untilId("d");
      expect(later.ids).toEqual(["a", "b", "c", "d"]);
    });

    test("can end another one within a delivery", async () => {
      const victims: Collector[] = [];
      const killer = follow(1, ({ input }) => {
        if (input.id === "b") victims[0]?.unsubscribe();
      });
      victims.push(follow());
      await appendAll("a", "b");
      await killer.untilId("b");
      await appendAll("c");
      await killer.untilId("c");
      expect(killer.ids).toEqual(["a", "b", "c"]);
      expect(victims[0]?.ids).not.toContain("c");
    });

    test("can begin another one within a delivery: that one misses and repeats nothing", async () => {
      const inner: Collector[] = [];
      const outer = follow(1, () => void inner.push(follow()));
      await appendAll("a", "b", "c");
      await outer.untilId("c");
      await appendAll("d");
      await Promise.all([...inner].map((each) => each.untilId("d")));
      expect(inner.slice(0, 3).map(({ ids }) => ids)).toEqual(Array.from({ length: 3 }, () => ["a", "b", "c", "d"]));
    });

    test("can append within a delivery: everybody gets it, behind what was there", async () => {
      const writer = follow(1, ({ input }) => {
        if (input.id === "a") void appendAll("of-a", "of-a-too");
      });
      const reader = follow();
      await appendAll("a", "b");
      await Promise.all([writer, reader].map((each) => each.untilId("of-a-too")));
      expect([writer.ids, reader.ids]).toEqual(Array.from({ length: 2 }, () => ["a", "b", "of-a", "of-a-too"]));
    });

    test("that throws is reported, goes on, and costs nobody anything", async () => {
      const fault = new Error("of the observer");
      const thrower = follow(1, ({ input }) => {
        if (input.id === "b") throw fault;
      });
      const other = follow();
      const seqs = await appendAll("a", "b", "c");
      await Promise.all([thrower, other].map((each) => each.untilId("c")));
      expect(on.faults).toEqual([fault]);
      expect([thrower.seqs, other.seqs]).toEqual([seqs, seqs]);
    });

    test("that throws behind an operator is reported too, and goes on", async () => {
      const fault = new Error("behind map");
      const { promise: twice, resolve } = Promise.withResolvers<void>();
      let seen = 0;
      on.bus
        .follow(home, 1)
        .pipe(map(({ input }) => input.id))
        .subscribe(() => {
          seen += 1;
          if (seen === 2) resolve();
          throw fault;
        });
      await appendAll("a", "b");
      await twice;
      expect(on.faults).toEqual([fault, fault]);
    });

    test("may be an observer with methods of its own, as a subject is", async () => {
      const subject = new Subject<Stored>();
      const first = firstValueFrom(subject);
      on.bus.follow(home, 1).subscribe(subject);
      await appendAll("a");
      expect(idsOf([await first])).toEqual(["a"]);
    });

    test("from below a trim is told where the log starts, and gets nothing", async () => {
      const [a = 0, b = 0] = await appendAll("a", "b", "c");
      await on.bus.trim(home, b);
      const [early, late] = [follow(a), follow(b)];
      await Promise.all([early.until(() => early.error !== null), late.untilId("c")]);
      expect(early.error).toMatchObject({ code: "log_trimmed", data: { from: a, first: b } });
      expect([early.ids, late.ids]).toEqual([[], ["b", "c"]]);
    });

    test("that doesn't handle its error has it reported", async () => {
      const [a = 0, b = 0] = await appendAll("a", "b");
      await on.bus.trim(home, b);
      const ended = new Promise<void>((resolve) => on.bus.follow(home, a).subscribe().add(resolve));
      await ended;
      expect(on.faults).toMatchObject([{ code: "log_trimmed" }]);
    });

    test("goes on over a trim and over a drop of what it had", async () => {
      const follower = follow();
      const [, b = 0] = await appendAll("a", "b");
      await follower.untilId("b");
      await on.bus.trim(home, b);
      await appendAll("c");
      await follower.untilId("c");
      await on.bus.trim(home, Infinity);
      await appendAll("a");
      await follower.until(() => follower.ids.length === 4);
      expect(follower.ids).toEqual(["a", "b", "c", "a"]);
      expect(follower.seqs).toEqual(follower.seqs.toSorted((one, other) => one - other));
    });
  });
};
