import { expect, test } from "vitest";
import { compareTexts, raised } from "../../../src/cli/demo/finding.ts";

test("texts are ordered by code unit, whatever the language of the machine", () => {
  expect(["b", "ä", "a", "B", "aa"].toSorted(compareTexts)).toEqual(["B", "a", "aa", "b", "ä"]);
});

test("a severity is raised by one step, and high stays", () => {
  expect((["low", "medium", "high"] as const).map(raised)).toEqual(["medium", "high", "high"]);
});
