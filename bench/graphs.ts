import type { BenchGraph } from "./adapter.ts";

/** The graphs of the workloads, from the dependencies alone. */

const graphOf = (deps: readonly (readonly number[])[]): BenchGraph => ({
  n: deps.length,
  deps,
  names: deps.map((_, index) => `m${index}`),
});

/** Three members, and one that depends on all of them. */
export const diamond = (): BenchGraph => graphOf([[], [], [], [0, 1, 2]]);

/** Each member depends on the one before. */
export const chain = (count: number): BenchGraph =>
  graphOf(Array.from({ length: count }, (_, index) => (index === 0 ? [] : [index - 1])));

/** One member, `width` that depend on it, and one that depends on all of those. */
export const fan = (width: number): BenchGraph =>
  graphOf([[], ...Array.from({ length: width }, () => [0]), Array.from({ length: width }, (_, index) => index + 1)]);

/** Numbers in [0, 1) that are the same for the same seed (a linear congruential generator, modulo 2^32). */
function* randomNumbers(seed: number): Generator<number, never> {
  for (let state = seed >>> 0; ;) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield state / 4_294_967_296;
  }
}

/** Each member depends on up to three distinct earlier ones, drawn at random: nearly three edges a node. */
export function randomDag(count: number, seed = 42): BenchGraph {
  const numbers = randomNumbers(seed);
  const earlier = (node: number) => Math.floor(numbers.next().value * node);
  return graphOf(
    Array.from({ length: count }, (_, node) =>
      node === 0 ? [] : [...new Set([earlier(node), earlier(node), earlier(node)])],
    ),
  );
}
