import { describe, expect, test } from "vitest";
import type { MakeBus } from "./bus-maker.ts";
import { appendOf, home, idsOf, useBus } from "./test-bus.ts";

/** Appending, reading and trimming. */
export const logContract = (makeBus: MakeBus): void => {
  describe("the log", () => {
    const on = useBus(makeBus);
    const appendAll = (...ids: readonly string[]) => Promise.all(ids.map((id) => on.bus.append(appendOf(id))));

    test("an appended input can be read as soon as its append resolves, as it was, body included", async () => {
      const given = appendOf("a", { body: { text: ["é", null, 1.5] } });
      const seq = await on.bus.append(given);
      expect(await on.bus.read(home, { fromSeq: seq })).toEqual([{ ...given, seq }]);
    });

    test("an input without a body comes back without one", async () => {
      await on.bus.append(appendOf("a"));
      expect(Object.keys((await on.bus.read(home, { fromSeq: 1 }))[0] ?? {}).toSorted()).toEqual([
        "input",
        "seq",
        "subject",
      ]);
    });

    test("sequences begin at 1 or above and grow in the order of the calls", async () => {
      const seqs = await appendAll("a", "b", "c");
      expect(seqs[0]).toBeGreaterThanOrEqual(1);
      expect(seqs).toEqual([...new Set(seqs)].toSorted((one, other) => one - other));
      expect(idsOf(await on.bus.read(home, { fromSeq: 1 }))).toEqual(["a", "b", "c"]);
    });

    test("the same id again stores nothing and resolves with the first sequence", async () => {
      const first = await on.bus.append(appendOf("a", { body: "first" }));
      expect(await on.bus.append(appendOf("a", { actor: "team-1", body: "second" }))).toBe(first);
      expect((await on.bus.read(home, { fromSeq: 1 })).map(({ body }) => body)).toEqual(["first"]);
    });

    test("the same id again is recognised while the first is still on its way", async () => {
      const [first, second, third] = await appendAll("a", "a", "b");
      expect(second).toBe(first);
      expect(third).toBeGreaterThan(first ?? Infinity);
      expect(idsOf(await on.bus.read(home, { fromSeq: 1 }))).toEqual(["a", "b"]);
    });

    test("the same id in another session is another input", async () => {
      const first = await on.bus.append(appendOf("a"));
      await on.bus.append(appendOf("a", { session: "other" }));
      expect((await on.bus.read(home, { fromSeq: 1 })).map(({ seq }) => seq)).toEqual([first]);
      expect(await on.bus.read({ ...home, session: "other" }, { fromSeq: 1 })).toHaveLength(1);
    });

    test("a read gives what lies between its bounds, both included, and no more than asked for", async () => {
      const [, b = 0, c = 0] = await appendAll("a", "b", "c", "d");
      expect(idsOf(await on.bus.read(home, { fromSeq: b, toSeq: c }))).toEqual(["b", "c"]);
      expect(idsOf(await on.bus.read(home, { fromSeq: b, max: 1 }))).toEqual(["b"]);
      expect(await on.bus.read(home, { fromSeq: b, max: 0 })).toEqual([]);
      expect(await on.bus.read(home, { fromSeq: c, toSeq: b })).toEqual([]);
    });

    test("a read of one mailbox gives its inputs alone, and counts these", async () => {
      await Promise.all(["x", "y", "x", "y"].map((actor, n) => on.bus.append(appendOf(`${actor}${n}`, { actor }))));
      expect(idsOf(await on.bus.read({ ...home, actor: "y" }, { fromSeq: 1, max: 2 }))).toEqual(["y1", "y3"]);
    });

    test("a session that nobody wrote to is empty, not an error", async () => {
      expect(await on.bus.read({ ...home, session: "never" }, { fromSeq: 1 })).toEqual([]);
    });

    test("a trim drops what is below it and keeps the rest", async () => {
      const [, b = 0] = await appendAll("a", "b", "c");
      await on.bus.trim(home, b);
      expect(idsOf(await on.bus.read(home, { fromSeq: b }))).toEqual(["b", "c"]);
    });

    test("a read from below a trim says where the log starts", async () => {
      const [a = 0, b = 0] = await appendAll("a", "b", "c");
      await on.bus.trim(home, b);
      await expect(on.bus.read(home, { fromSeq: a })).rejects.toMatchObject({
        code: "log_trimmed",
        data: { from: a, first: b },
      });
    });

    test("a trim drops the ids with the inputs, and no other ids", async () => {
      const [a = 0, b = 0] = await appendAll("a", "b");
      await on.bus.trim(home, b);
      expect(await on.bus.append(appendOf("b"))).toBe(b);
      expect(await on.bus.append(appendOf("a"))).toBeGreaterThan(Math.max(a, b));
    });

    test("a trim below an earlier one, or of a session without inputs, changes nothing", async () => {
      const [, , c = 0] = await appendAll("a", "b", "c");
      await on.bus.trim(home, c);
      await on.bus.trim(home, 1);
      await on.bus.trim({ ...home, session: "never" }, 1_000);
      expect(idsOf(await on.bus.read(home, { fromSeq: c }))).toEqual(["c"]);
      expect(await on.bus.read({ ...home, session: "never" }, { fromSeq: 1 })).toEqual([]);
    });

    test("a trim far beyond the end keeps what is appended later", async () => {
      const [a = 0] = await appendAll("a");
      await on.bus.trim(home, a + 1_000_000);
      const b = await on.bus.append(appendOf("b"));
      expect(idsOf(await on.bus.read(home, { fromSeq: b }))).toEqual(["b"]);
      await expect(on.bus.read(home, { fromSeq: a })).rejects.toMatchObject({ code: "log_trimmed" });
    });

    test("a trim counts what was appended by calls before it, and nothing that comes after", async () => {
      const before = on.bus.append(appendOf("before"));
      const trimmed = on.bus.trim(home, Infinity);
      const after = on.bus.append(appendOf("after"));
      await Promise.all([before, trimmed, after]);
      expect(idsOf(await on.bus.read(home, { fromSeq: 1 }))).toEqual(["after"]);
    });

    test("a dropped session is as if it had never been, and its sequences go on growing", async () => {
      const [, b = 0] = await appendAll("a", "b");
      await on.bus.trim(home, b);
      await on.bus.trim(home, Infinity);
      expect(await on.bus.read(home, { fromSeq: 1 })).toEqual([]);
      expect(await on.bus.append(appendOf("a"))).toBeGreaterThan(b);
    });

    test("a trim of one session leaves another alone", async () => {
      await appendAll("a");
      await on.bus.append(appendOf("a", { session: "other" }));
      await on.bus.trim({ ...home, session: "other" }, Infinity);
      expect(idsOf(await on.bus.read(home, { fromSeq: 1 }))).toEqual(["a"]);
    });
  });
};
