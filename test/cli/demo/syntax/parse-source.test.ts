import { expect, test } from "vitest";
import { parseSource } from "../../../../src/cli/demo/syntax/parse-source.ts";
import { fileOf } from "../../../support/project-of.ts";

test.each([
  ["a.ts", "const a = <number>b; enum E { A }"],
  ["a.tsx", "const a = <b>{c as number}</b>;"],
  ["a.jsx", "const a = <b/>;"],
  ["a.js", "const a = <b/>; export default a;"],
  ["a.mts", "export const a: number = await b;"],
  ["a.cts", "import a = require('b');"],
  ["a.cjs", "return require('a');"],
  ["a.js", "with (a) { b; }"],
  ["a.js", "#!/usr/bin/env node\na;"],
  ["a.d.ts", "export declare const a: number;"],
])("%s: %s is parsed", (path, text) => {
  expect(parseSource(fileOf(path, text)).failure).toBeNull();
});

test("what is no source is a failure with its line and the parser's words", () => {
  expect(parseSource(fileOf("a.ts", "const a = 1;\nconst b = ;\n"))).toEqual({
    program: null,
    failure: { line: 2, message: "Unexpected token" },
  });
});
