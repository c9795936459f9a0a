import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { downstreamsOf, findCycle } from "../../src/machines/dag.ts";

const graphs = fc
  .integer({ min: 1, max: 7 })
  .chain((size) => fc.array(fc.uniqueArray(fc.nat(size - 1), { maxLength: 3 }), { minLength: size, maxLength: size }));

/** All simple cycles through the lowest node that is on any, upstream to downstream, by brute force. */
function cyclesOf(graph: readonly (readonly number[])[]): number[][] {
  const downstreams = downstreamsOf(graph);
  for (let start = 0; start < graph.length; start++) {
    const found: number[][] = [];
    const walk = (path: number[]): void => {
      for (const next of downstreams[path.at(-1)!] ?? []) {
        if (next === start) found.push([...path, start]);
        else if (!path.includes(next)) walk([...path, next]);
      }
    };
    walk([start]);
    if (found.length > 0) return found;
  }
  return [];
}

describe("U01: findCycle", () => {
  test("finds a cycle exactly when there is one: a shortest through the member declared first", () => {
    fc.assert(
      fc.property(graphs, (graph) => {
        const cycle = findCycle(graph);
        const all = cyclesOf(graph);
        if (cycle === null) {
          expect(all).toEqual([]);
          return;
        }
        const shortest = Math.min(...all.map((each) => each.length));
        expect(all).toContainEqual(cycle);
        expect(cycle).toHaveLength(shortest);
      }),
      { numRuns: 2_000 },
    );
  });

  test.each([
    ["a member of its own", [[0]], [0, 0]],
    ["two of each other", [[1], [0]], [0, 1, 0]],
    ["three, upstream to downstream", [[2], [0], [1]], [0, 1, 2, 0]],
    ["a cycle behind a free member", [[], [0, 3], [1], [2]], [1, 2, 3, 1]],
    ["none", [[], [0], [0, 1]], null],
  ])("%s", (_, graph, expected) => {
    expect(findCycle(graph)).toEqual(expected);
  });

  test("walks a chain of 50,000 without overflowing, closed or open", () => {
    const chain = Array.from({ length: 50_000 }, (_, node) => (node === 0 ? [] : [node - 1]));
    expect(findCycle(chain)).toBeNull();
    const closed = chain.map((upstreams, node) => (node === 0 ? [49_999] : upstreams));
    expect(findCycle(closed)).toHaveLength(50_001);
  });
});

test("downstreamsOf turns every edge around", () => {
  fc.assert(
    fc.property(graphs, (graph) => {
      expect(downstreamsOf(downstreamsOf(graph))).toEqual(
        graph.map((upstreams) => upstreams.toSorted((a, b) => a - b)),
      );
    }),
  );
});
