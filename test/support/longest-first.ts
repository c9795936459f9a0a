import { relative } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Test files that take longest, longest first; a test of the repository expects each to exist. */
export const longest: readonly string[] = [
  "test/testing/check/check-model-three-oneshot.test.ts",
  "test/testing/check/check-model-three-persistent.test.ts",
  "test/testing/check/check-model-two.test.ts",
  "test/testing/check/check-model-pack.test.ts",
  "test/testing/check/mutants.test.ts",
  "test/testing/check/reductions.test.ts",
  "test/durable/killed-run.test.ts",
  "test/testing/check/planted-faults.test.ts",
  "test/inspector/page-views.test.ts",
  "test/inspector/page-axe.test.ts",
  "test/cli/resume-command.test.ts",
  "test/repository/documents-code.test.ts",
  "test/testing/check/check-recording-cases.test.ts",
];

/** Puts what takes longest first, and leaves the others in their order. */
export const byTime = <Item>(items: readonly Item[], pathOf: (item: Item) => string): Item[] => {
  const placeOf = (item: Item): number => {
    const place = longest.indexOf(pathOf(item));
    return place === -1 ? longest.length : place;
  };
  return items.toSorted((a, b) => placeOf(a) - placeOf(b));
};

/**
 * Starts the files that take longest first, so that no worker is left alone with one at the end. A clone that has run its
 * tests before knows their times; a fresh one goes by the list above, then by the size of the files.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- it is the sequencer's own, and sorts a copy
    const sorted = await super.sort(files);
    if (sorted.every((file) => this.ctx.cache.getTestSpecificationResult(file) !== undefined)) return sorted;
    return byTime(sorted, ({ moduleId }) => relative(this.ctx.config.root, moduleId));
  }
}
