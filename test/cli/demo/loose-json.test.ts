import { expect, test } from "vitest";
import { parseJsonLoosely } from "../../../src/cli/demo/loose-json.ts";

test.each([
  ['{ "a": 1, } // end', { a: 1 }],
  ['/* x */ { "a": "// no comment, nor /* this */" }', { a: "// no comment, nor /* this */" }],
  ['["a,]", ]', ["a,]"]],
  ["{", null],
  ["/* never closed", null],
])("%s is %j", (text, value) => {
  expect(parseJsonLoosely(text)).toEqual(value);
});
