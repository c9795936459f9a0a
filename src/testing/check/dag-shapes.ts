import { TeamError } from "../../errors/index.ts";
import type { ModelMember } from "./team-model.ts";

/** Members are called A, B, C, ... in an order in which nobody waits for a later one. */
const nameOf = (index: number): string => String.fromCodePoint(65 + index);

/** All orders of `count` things. */
function permutations(count: number): number[][] {
  if (count === 0) return [[]];
  return permutations(count - 1).flatMap((rest) =>
    Array.from({ length: count }, (_, at) => [...rest.slice(0, at), count - 1, ...rest.slice(at)]),
  );
}

/** Every order of the members is tried on every graph: with 7 that would have no end in practice. */
const shapeMembersMax = 6;

/**
 * Every graph of this many members, one for each shape: two graphs that differ in names alone are one. There are 1, 2, 6,
 * 31 and 302 of 1 to 5 members. Throws `bad_input` for more than 6.
 */
export function dagShapes(count: number): ModelMember[][] {
  if (!Number.isInteger(count) || count < 0 || count > shapeMembersMax)
    throw new TeamError("bad_input", { what: "count", problem: `give a whole number from 0 to ${shapeMembersMax}` });
  const pairs = Array.from({ length: count }, (_, down) =>
    Array.from({ length: down }, (__, up) => [up, down] as const),
  ).flat();
  const orders = permutations(count);
  const shapes = new Map<string, readonly (readonly [number, number])[]>();
  for (let mask = 0; mask < 2 ** pairs.length; mask++) {
    const edges = pairs.filter((_, bit) => (mask & (1 << bit)) !== 0);
    const texts = orders.map((order) =>
      edges
        .map(([up, down]) => `${order[up]}>${order[down]}`)
        .toSorted()
        .join(),
    );
    const [shape = ""] = texts.toSorted();
    if (!shapes.has(shape)) shapes.set(shape, edges);
  }
  return [...shapes.values()].map((edges) =>
    Array.from({ length: count }, (_, index) => ({
      name: nameOf(index),
      dependsOn: edges.filter(([, down]) => down === index).map(([up]) => nameOf(up)),
    })),
  );
}
