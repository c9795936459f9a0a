import fc from "fast-check";
import { expect, test } from "vitest";
import { TupleTable } from "../../../src/testing/check/tuple-table.ts";

test("equal tuples have one number, in order of arrival, and different ones never share it", () => {
  const tuple = fc.array(fc.integer({ min: -1, max: 3 }), { maxLength: 5 });
  fc.assert(
    fc.property(fc.array(tuple, { maxLength: 400 }), (tuples) => {
      const table = new TupleTable();
      const known = new Map<string, number>();
      for (const each of tuples) {
        const key = each.join();
        if (!known.has(key)) known.set(key, known.size);
        // What stands behind the length is no part of the tuple.
        expect(table.add(Int32Array.from([...each, 99]), each.length)).toBe(known.get(key));
      }
      expect(table.size).toBe(known.size);
    }),
  );
});

test("a hundred thousand tuples cost less than 64 bytes each", () => {
  const table = new TupleTable();
  for (let index = 0; index < 100_000; index++) table.add(Int32Array.of(index % 7, index % 1_000, index, 1), 4);
  expect(table.size).toBe(100_000);
  expect(table.bytes / table.size).toBeLessThan(64);
});
