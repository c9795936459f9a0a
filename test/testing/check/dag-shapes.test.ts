import { expect, test } from "vitest";
import { dagShapes } from "../../../src/testing/index.ts";

test("there are 1, 2, 6, 31 and 302 shapes of 1 to 5 members", () => {
  expect([1, 2, 3, 4, 5].map((count) => dagShapes(count).length)).toEqual([1, 2, 6, 31, 302]);
});

test("the shapes of three members are the empty one, an edge, both forks, the chain and the chain with a shortcut", () => {
  const texts = dagShapes(3).map((members) => members.map(({ dependsOn }) => dependsOn?.join("") ?? "").join("|"));
  expect(texts.toSorted()).toEqual(["|A|", "|A|A", "|A|AB", "|A|B", "||", "||AB"]);
});

test.each([7, -1, 1.5, Number.NaN])("shapes of %d members are refused: they would never be found", (count) => {
  expect(() => dagShapes(count)).toThrow(expect.objectContaining({ code: "bad_input" }));
});
